//go:build ignore

// Mistake: Only the last write is remembered: that of the status takes the place of those of the pods.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

func (w *written) raise(key string, m mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.marks[key]
	w.marks[key] = mark{uid: m.uid, pods: m.pods, sets: max(was.sets, m.sets)}
}
