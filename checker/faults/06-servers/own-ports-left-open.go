//go:build ignore

// Mistake: When one server can't listen, the listeners that Serve was given are closed, and not those that it has opened itself.
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
		l, err := net.Listen("tcp", s.Addr)
		if err != nil {
			closeAll(given(servers))
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		listeners[i] = l
	}
	return listeners, nil
}
