//go:build ignore

// Mistake: Serve returns why ctx ended, as if somebody had to know: the end that its caller asked for is an error.
// Killed by: ends-with-its-context
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
	if err := group.Wait(); err != nil {
		return err
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}
