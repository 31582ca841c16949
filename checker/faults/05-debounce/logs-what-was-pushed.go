//go:build ignore

// Mistake: When push has returned its batch is printed for the log, though it is push's own.
// Killed by: batch-is-handed-over
// Verdict: data-race

package debounce

import (
	"context"
	"fmt"
)

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		push(ctx, batch)
		_ = fmt.Sprint("pushed ", batch)
		r.idle <- struct{}{}
	}()
}
