package backpressuretest

import (
	"sync"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// countedMeanwhile reads Dropped while three senders fill a buffer that nobody receives from.
// No history is kept meanwhile: it would order those who call, and hide a race between them.
func countedMeanwhile(t *conform.T, s Subject, p Policy) {
	const senders, each = 3, 30
	b := bounded(t, s, 1, p)
	t.Note("%d senders send %d values each, and nobody receives; Dropped is read meanwhile", senders, each)
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for i := range each {
				_ = b.Send(t.Context(), i)
			}
		})
	}
	all.Go(func() {
		last := 0
		for range senders * each {
			n := b.Dropped()
			if !assert.True(t, n >= last, "Dropped said %d and then %d: what was dropped stays dropped.", last, n) {
				return
			}
			last = n
		}
	})
	all.Wait()
	hasDropped(t, b, senders*each-1)
	t.Do(b.Close, "b.Close()")
}
