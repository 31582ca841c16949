//go:build ignore

// Mistake: A Grace of zero is taken for that of the first server, and not for DefaultGrace.
// Killed by: drains-side-by-side
// Verdict: wrong-answer

package servers

import (
	"cmp"
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
	for i, s := range servers {
		s.Grace = cmp.Or(s.Grace, servers[0].Grace)
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
