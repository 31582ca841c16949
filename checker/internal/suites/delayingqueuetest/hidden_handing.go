package delayingqueuetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// nothingIsDropped delays more items than most channels have room for, while the queue
// underneath is slow: AddAfter may block meanwhile, and every item comes in the end.
func nothingIsDropped(t *conform.T, s Subject) {
	const producers, each = 4, 600
	w := start(t, s)
	release := w.under.Hold("slow")
	w.AddAfter("slow", time.Second)
	time.Sleep(2 * time.Second)
	for p := range producers {
		t.Go("producer", func(*conform.Actor) {
			for i := range each {
				w.queue.AddAfter(string(rune(1000*(p+1)+i)), time.Hour)
			}
		})
	}
	t.Note("4 producers call AddAfter(…, 1h) for 600 items each, while the queue underneath is slow")
	t.Wait() // they are done, or wait for room
	release()
	time.Sleep(3 * time.Hour)
	t.Join()
	added := len(w.under.Added()) - 1 // without the slow one
	require.True(t, added == producers*each, "AddAfter was called for %d items while the queue underneath was slow, and %d of them were added when their moment had come.", producers*each, added)
	w.ShutDown()
}

// lateButInOrder delays items by so little that their moments may have passed before the
// subject looks: each is later than the one before.
func lateButInOrder(t *conform.T, s Subject) {
	const n = 40
	w := start(t, s)
	t.Go("producer", func(*conform.Actor) {
		for i := range n {
			w.queue.AddAfter(string(rune('A'+i)), time.Duration(i+1)*time.Microsecond)
		}
	})
	t.Note("one producer calls AddAfter for 40 items, the first with 1µs, each other with 1µs more than the one before")
	for i := range n {
		want := string(rune('A' + i))
		item, _ := w.Get()
		require.True(t, item == want, "The moment of %q was earlier than that of %q, and %[2]q was added first: items are added in the order of their moments.", want, item)
		w.Done(item)
	}
	t.Join()
	w.ShutDown()
}
