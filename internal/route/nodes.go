package route

import "sync"

// nodes are all addresses in use: those of the configuration, for ever, and those of the newest list of servers.
type nodes struct {
	first []*node // of the configuration, in its order

	mu     sync.Mutex
	byAddr map[string]*node
}

func (s *nodes) init(addresses []string) {
	s.byAddr = make(map[string]*node, len(addresses))
	for _, addr := range addresses {
		if s.byAddr[addr] == nil {
			n := &node{addr: addr}
			s.byAddr[addr] = n
			s.first = append(s.first, n)
		}
	}
}

// get returns the node of an address, made when it is new.
func (s *nodes) get(addr string) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.byAddr[addr]
	if n == nil {
		n = &node{addr: addr}
		s.byAddr[addr] = n
	}
	return n
}

// keep forgets all nodes that are neither configured nor in use by the newest list, and returns them.
func (s *nodes) keep(used map[*node]bool) (gone []*node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.first {
		used[n] = true
	}
	for addr, n := range s.byAddr {
		if !used[n] {
			delete(s.byAddr, addr)
			gone = append(gone, n)
		}
	}
	return gone
}

// drop takes the connections of a node that left out of use.
func (c *Client) drop(n *node) {
	for class := range n.links {
		l := &n.links[class]
		l.mu.Lock()
		l.dropped = true
		conn := l.conn.Swap(nil)
		l.mu.Unlock()
		if conn != nil {
			c.linger(conn)
		}
	}
}

// closeAll closes every connection; no dial is under way any more.
func (s *nodes) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.byAddr {
		for class := range n.links {
			if conn := n.links[class].conn.Load(); conn != nil {
				conn.Close()
			}
		}
	}
}
