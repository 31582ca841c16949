//go:build ignore

// Mistake: A goroutine waits for ctx and for nothing else; when a server fails it is left behind
//   (controller-runtime's pkg/manager/server.go has such a goroutine, in a process that ends soon after).
// Killed by: one-failure-stops-all
// Verdict: goroutine-leak

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
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		<-ctx.Done()
		cancel()
	}()
	group, stop := errgroup.WithContext(inner)
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}
