package main

import (
	"fmt"
	"net"
	"strings"
)

// The images. Their tags are those of the release's own documentation (Deploying with Docker, 0.9.1-incubating).
const (
	flussImage     = "apache/fluss:0.9.1-incubating"
	zooKeeperImage = "zookeeper:3.9.2"
)

// clientPort is where a server listens for clients within its container.
const clientPort = 9123

// serverConfig is one container of Fluss.
type serverConfig struct {
	alias      string // its name in the network of the containers
	command    string // the image's word for the server
	hostPort   int    // where clients on this machine reach it
	properties []string
}

func coordinatorConfig(hostPort int) *serverConfig {
	return &serverConfig{alias: "coordinator-server", command: "coordinatorServer", hostPort: hostPort}
}

func tabletConfig(hostPort int) *serverConfig {
	return &serverConfig{
		alias: "tablet-server", command: "tabletServer", hostPort: hostPort,
		properties: []string{
			"tablet-server.id: 0", "data.dir: /tmp/fluss/data",
			"log.replica.high-watermark.checkpoint-interval: 100ms", // a server that is killed loses what is newer
		},
	}
}

// env is the environment of the container: the image appends FLUSS_PROPERTIES to its server.yaml. A server tells clients
// the address at which this machine reaches it, and the other servers the one in their network.
func (s *serverConfig) env() map[string]string {
	lines := append([]string{
		"zookeeper.address: zookeeper:2181",
		fmt.Sprintf("bind.listeners: INTERNAL://%s:0, CLIENT://%s:%d", s.alias, s.alias, clientPort),
		"advertised.listeners: CLIENT://" + loopback(s.hostPort),
		"internal.listener.name: INTERNAL",
		"remote.data.dir: /tmp/fluss/remote-data",
		"default.bucket.number: 1",
	}, s.properties...)
	return map[string]string{"FLUSS_PROPERTIES": strings.Join(lines, "\n")}
}

// expose is the binding of the client port to the loopback interface alone.
func (s *serverConfig) expose() string {
	return fmt.Sprintf("%s:%d/tcp", loopback(s.hostPort), clientPort)
}

func loopback(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// dsn names both servers.
func dsn(servers ...*serverConfig) string {
	var list []string
	for _, s := range servers {
		list = append(list, loopback(s.hostPort))
	}
	return "fluss://" + strings.Join(list, ",") + "/fluss"
}

// freePorts takes n ports that nobody listens on. They have to be known before the servers start, which tell them to clients.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // behind the loop: all of them differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
