//go:build ignore

// Mistake: A version of the status that is no number takes the place of the one before, and nothing is known then.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *written) set(rs *kit.ReplicaSet) {
	w.raise(kit.Key(rs), mark{uid: rs.UID, sets: number(rs.ResourceVersion)})
	if number(rs.ResourceVersion) == 0 {
		w.mu.Lock()
		defer w.mu.Unlock()
		m := w.marks[kit.Key(rs)]
		m.sets = 0
		w.marks[kit.Key(rs)] = m
	}
}
