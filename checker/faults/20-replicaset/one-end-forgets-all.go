//go:build ignore

// Mistake: When one ReplicaSet is gone the writes of all are forgotten.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

func (r *ReplicaSetReconciler) forget(key string) {
	r.expectations.DeleteExpectations(key)
	r.written.mu.Lock()
	defer r.written.mu.Unlock()
	clear(r.written.marks)
}
