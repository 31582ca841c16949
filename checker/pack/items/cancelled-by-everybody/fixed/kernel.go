package kernel

import (
	"context"
	"sync"
	"testing"
)

// Every worker cancels, and so does Kernel: the first call counts, and the others do nothing.
func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			cancel(context.DeadlineExceeded)
			<-ctx.Done()
		})
	}
	wg.Wait()
	if context.Cause(ctx) != context.DeadlineExceeded {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
}
