//go:build ignore

// Mistake: The group has a limit of eight goroutines, and each server needs two that stay: from the fifth on they wait
//   for a place.
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
	group, stop := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
