//go:build ignore

// Mistake: A watcher that has fallen behind goes on with the oldest change that is left, and hides the gap.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) Commit(event kit.Event[T]) {
	version, err := strconv.ParseUint(event.Object.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("watch: a store committed a change without a version: " + err.Error())
	}
	key := kit.Key(event.Object)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = version
	if event.Type == kit.Deleted {
		delete(w.objects, key)
	} else {
		w.objects[key] = event.Object
	}
	w.window.add(change[T]{version, event})
	for x := range w.watchers {
		x.token()
	}
}

func (w *Watchable[T]) read(batch []kit.Event[T], position uint64) (events []kit.Event[T], version uint64, more, ok bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	position = max(position, w.window.begin())
	for ; position < w.window.end && len(batch) < cap(batch); position++ {
		c := w.window.at(position)
		batch, version = append(batch, c.event), c.version
	}
	if position == w.window.end {
		return batch, w.version, false, true
	}
	return batch, version, true, true
}
