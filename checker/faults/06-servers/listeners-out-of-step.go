//go:build ignore

// Mistake: The listeners that were given come first, then those that Serve opens: with both kinds, a server gets the
//   listener of another.
// Killed by: cannot-listen
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net"
)

func listen(servers []Server) ([]net.Listener, error) {
	var listeners []net.Listener
	for _, l := range given(servers) {
		if l != nil {
			listeners = append(listeners, l)
		}
	}
	for _, s := range servers {
		if s.Listener != nil {
			continue
		}
		l, err := net.Listen("tcp", s.Addr)
		if err != nil {
			closeAll(listeners)
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}
