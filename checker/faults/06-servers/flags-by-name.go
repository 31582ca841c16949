//go:build ignore

// Mistake: The flags of all servers are kept by the Name of the server. Of two that have the same Name, one hears of
//   the shutdown.
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
	flags := make(map[string]*readiness)
	for i, s := range servers {
		if s.ready != nil {
			flags[s.Name], s.ready = s.ready, nil
		}
		s.start(group, stop, listeners[i])
	}
	group.Go(func() error {
		<-stop.Done()
		for _, ready := range flags {
			ready.end()
		}
		return nil
	})
	return group.Wait()
}
