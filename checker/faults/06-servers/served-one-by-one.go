//go:build ignore

// Mistake: Each server is served as soon as it listens: requests are accepted by a process that is about to
//   exit because its last port is taken.
// Killed by: cannot-listen
// Verdict: wrong-answer

package servers

import (
	"context"
	"fmt"
	"net"

	"golang.org/x/sync/errgroup"
)

func Serve(ctx context.Context, servers ...Server) error {
	if ctx.Err() != nil {
		closeAll(given(servers))
		return nil
	}
	listeners := given(servers)
	group, stop := errgroup.WithContext(ctx)
	for i, s := range servers {
		if listeners[i] == nil {
			l, err := net.Listen("tcp", s.Addr)
			if err != nil {
				group.Go(func() error { return fmt.Errorf("%s: %w", s.Name, err) })
				closeAll(listeners)
				break
			}
			listeners[i] = l
		}
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
