//go:build ignore

// Mistake: The versions written for a ReplicaSet that is gone are deleted from the map without its lock.
// Killed by: sets-side-by-side
// Verdict: data-race

package replicaset

func (w *written) forget(key string) {
	delete(w.marks, key)
}
