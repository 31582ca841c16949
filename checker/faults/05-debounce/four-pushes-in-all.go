//go:build ignore

// Mistake: A semaphore of the process lets four pushes go at a time, 'to be kind to the network': a fifth Run waits for another's push.
// Killed by: one-push-at-a-time
// Verdict: deadlock

package debounce

import "context"

var pushSlots = make(chan struct{}, 4)

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		pushSlots <- struct{}{}
		push(ctx, batch)
		<-pushSlots
		r.idle <- struct{}{}
	}()
}
