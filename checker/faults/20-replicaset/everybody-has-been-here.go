//go:build ignore

// Mistake: For a ReplicaSet that is not in the cache there must have been another Reconcile, which has left a mark.
// Killed by: same-name-starts-clean
// Verdict: panic

package replicaset

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *written) succeed(rs *kit.ReplicaSet) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if key := kit.Key(rs); w.marks[key].uid != rs.UID {
		w.marks[key] = mark{uid: rs.UID}
	}
}

func (w *written) seen(key string) error {
	w.mu.Lock()
	m, known := w.marks[key]
	w.mu.Unlock()
	mine := &m
	if !known {
		mine = nil
	}
	if behind(w.podsAt, mine.pods) || behind(w.setsAt, mine.sets) {
		return fmt.Errorf("%s: %w", key, ErrStaleCache)
	}
	return nil
}
