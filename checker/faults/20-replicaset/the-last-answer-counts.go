//go:build ignore

// Mistake: Of the pods of one batch the version of that which was answered last is kept; it need not be the
//   largest.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "cmp"

func (w *written) raise(key string, m mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.marks[key]
	w.marks[key] = mark{uid: m.uid, pods: cmp.Or(m.pods, was.pods), sets: cmp.Or(m.sets, was.sets)}
}
