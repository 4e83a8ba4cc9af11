package cluster

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports lie below the range from which Linux takes the local ports of outgoing connections (32768 to 60999), so
// that the port of a stopped server is still free when it starts again.
const (
	firstPort = 20000
	lastPort  = 31999
)

// freePorts returns n different ports of 127.0.0.1 that were free a moment ago. Nothing holds them: whoever takes
// one has to try again when it is gone.
func freePorts(n int) ([]int, error) {
	var ports []int
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for try := 0; len(ports) < n; try++ {
		if try == 1000 {
			return nil, fmt.Errorf("no free ports from %d to %d on 127.0.0.1", firstPort, lastPort)
		}
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		l, err := net.Listen("tcp", loopback(port))
		if err != nil {
			continue
		}
		held = append(held, l)
		ports = append(ports, port)
	}
	return ports, nil
}
