package conform

import (
	"context"
	"sync"
)

// Copies runs scenario many times side by side, each copy with its own T, seed
// and history, and returns when all have ended. It is for rules about order and
// exclusion: many copies at once meet more schedules than as many runs in turn.
//
// A scenario that is copied opens its own subject and shares nothing: no package
// variables, no fixed ports.
func (t *T) Copies(scenario func(t *T)) {
	var all sync.WaitGroup
	for i := range t.run.config.Copies {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.ctx)
			defer cancel()
			c := t.run.newT(nil, ctx, i+1, t.bubble)
			defer func() {
				if p := recover(); p != nil {
					t.run.crashed(c, p)
					panic(p)
				}
			}()
			scenario(c)
			c.Join()
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
}
