//go:build ignore

// Mistake: Nobody looks at ctx before the servers listen: a process that was told to stop while it started
//   fails with a port that is taken.
// Killed by: ends-with-its-context
// Verdict: wrong-answer

package servers

import (
	"context"

	"golang.org/x/sync/errgroup"
)

func Serve(ctx context.Context, servers ...Server) error {
	listeners, err := listen(servers)
	if err != nil {
		return err
	}
	group, stop := errgroup.WithContext(ctx)
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
