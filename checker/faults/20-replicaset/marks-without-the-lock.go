//go:build ignore

// Mistake: Reconcile remembers what it has written without the lock: there is one at a time for each ReplicaSet.
// Killed by: own-writes-first
// Verdict: data-race

package replicaset

func (w *written) raise(key string, m mark) {
	was := w.marks[key]
	w.marks[key] = mark{uid: m.uid, pods: max(was.pods, m.pods), sets: max(was.sets, m.sets)}
}
