//go:build ignore

// Mistake: The first API server hears of the shutdown, and no other: load balancers go on sending to the second.
// Killed by: readyz-turns-first
// Verdict: wrong-answer

package servers

import (
	"context"

	"golang.org/x/sync/errgroup"
)

func Serve(ctx context.Context, servers ...Server) error {
	if ctx.Err() != nil {
		closeAll(given(servers))
		return nil
	}
	listeners, err := listen(servers)
	if err != nil {
		return err
	}
	group, stop := errgroup.WithContext(ctx)
	told := false
	for i, s := range servers {
		if told {
			s.ready = nil
		}
		told = told || s.ready != nil
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
