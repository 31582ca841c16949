//go:build ignore

// Mistake: Each event is written by a goroutine that nobody waits for.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

func (r *ReplicaSetReconciler) event(rs *kit.ReplicaSet, eventType, reason, format string, args ...any) {
	go r.options.Recorder.Eventf(kit.ReferenceTo(kit.ReplicaSets, rs), eventType, reason, format, args...)
}
