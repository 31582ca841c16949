//go:build ignore

// Mistake: The loop that starts the servers waits for each of them: the second never starts.
// Killed by: side-by-side
// Verdict: deadlock

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
	for i, s := range servers {
		s.start(group, stop, listeners[i])
		group.Wait()
	}
	return group.Wait()
}
