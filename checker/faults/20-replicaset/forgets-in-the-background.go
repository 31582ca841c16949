//go:build ignore

// Mistake: A ReplicaSet that is gone is forgotten by a goroutine of its own, so that an informer does not wait for a
//   lock.
// Killed by: same-name-starts-clean
// Verdict: wrong-answer

package replicaset

func (r *ReplicaSetReconciler) forget(key string) {
	go func() {
		r.expectations.DeleteExpectations(key)
		r.written.forget(key)
	}()
}
