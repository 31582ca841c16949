//go:build ignore

// Mistake: Where the version of one cache is not known, the other cache is not asked either.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

func (w *written) seen(key string) error {
	if w.podsAt == nil || w.setsAt == nil {
		return nil
	}
	w.mu.Lock()
	m := w.marks[key]
	w.mu.Unlock()
	if behind(w.podsAt, m.pods) || behind(w.setsAt, m.sets) {
		return ErrStaleCache
	}
	return nil
}
