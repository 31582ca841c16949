//go:build ignore

// Mistake: Where the version of the cache of pods is unknown, that of the other cache is not compared either.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"fmt"
	"strconv"
)

func (w *written) seen(key string) error {
	w.mu.Lock()
	m := w.marks[key]
	w.mu.Unlock()
	if w.podsAt != nil {
		if _, err := strconv.ParseUint(w.podsAt(), 10, 64); err != nil {
			return nil
		}
	}
	if behind(w.podsAt, m.pods) {
		return fmt.Errorf("%w: pods at version %d", ErrStaleCache, m.pods)
	}
	if behind(w.setsAt, m.sets) {
		return fmt.Errorf("%w: the ReplicaSet at version %d", ErrStaleCache, m.sets)
	}
	return nil
}
