//go:build ignore

// Mistake: An error that is that of ctx is taken for the end of ctx. If a deadline ended it, so is that of a grace which
//   runs out.
// Killed by: grace-is-bounded
// Verdict: wrong-answer

package servers

import (
	"context"
	"errors"

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
		s.start(group, stop, listeners[i])
	}
	if err := group.Wait(); err != nil && !errors.Is(err, ctx.Err()) {
		return err
	}
	return nil
}
