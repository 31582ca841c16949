//go:build ignore

// Mistake: A resync that is due ends the watch, and the list that follows is to do the rest
//   (kubernetes#25945).
// Killed by: resyncs-each-period
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func (r *Reflector[T]) resync(ctx context.Context, broken chan<- error) {
	if r.options.ResyncPeriod == 0 {
		return
	}
	timer := time.NewTimer(r.options.ResyncPeriod)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if r.options.ShouldResync == nil || r.options.ShouldResync() {
			if err := r.store.Resync(); err != nil {
				broken <- fmt.Errorf("resync: %w", err)
				return
			}
		}
		broken <- errors.New("time to list")
		return
	}
}
