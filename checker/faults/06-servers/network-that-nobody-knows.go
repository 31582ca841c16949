//go:build ignore

// Mistake: The network of net.Listen is taken for the protocol that is spoken there: no Addr can be listened at.
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
		if listeners[i] != nil {
			continue
		}
		l, err := net.Listen("http", s.Addr)
		if err != nil {
			closeAll(listeners)
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		listeners[i] = l
	}
	return listeners, nil
}
