//go:build ignore

// Mistake: ctx is looked at once more when all servers are listening, for listening takes time. A ctx that ends
//   meanwhile is a shutdown, which has a Delay.
// Killed by: ends-with-its-context
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
	if ctx.Err() != nil {
		closeAll(listeners)
		return nil
	}
	group, stop := errgroup.WithContext(ctx)
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
