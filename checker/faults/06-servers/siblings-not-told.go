//go:build ignore

// Mistake: A zero errgroup.Group keeps the first error and cancels nothing: everyone waits for the caller's
//   ctx.
// Killed by: one-failure-stops-all
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
	group, stop := new(errgroup.Group), ctx
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
