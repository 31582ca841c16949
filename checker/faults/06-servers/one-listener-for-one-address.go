//go:build ignore

// Mistake: Two servers with the same Addr share a listener, so that a client gets the one or the other.
// Killed by: cannot-listen
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net"
)

func listen(servers []Server) ([]net.Listener, error) {
	listeners, at := given(servers), map[string]net.Listener{}
	for i, s := range servers {
		if listeners[i] != nil {
			continue
		}
		l := at[s.Addr]
		if l == nil {
			var err error
			if l, err = net.Listen("tcp", s.Addr); err != nil {
				closeAll(listeners)
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		listeners[i], at[s.Addr] = l, l
	}
	return listeners, nil
}
