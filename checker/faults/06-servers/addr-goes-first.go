//go:build ignore

// Mistake: A server that has an Addr listens there, also if its caller has given it a listener.
// Killed by: cannot-listen
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net"
)

func listen(servers []Server) ([]net.Listener, error) {
	listeners := given(servers)
	for i, s := range servers {
		if listeners[i] != nil && s.Addr == "" {
			continue
		}
		l, err := net.Listen("tcp", s.Addr)
		if err != nil {
			closeAll(listeners)
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		listeners[i] = l
	}
	return listeners, nil
}
