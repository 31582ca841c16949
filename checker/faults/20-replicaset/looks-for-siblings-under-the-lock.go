//go:build ignore

// Mistake: The related pods are read under the lock of the written versions, so that no ReplicaSet is forgotten
//   meanwhile.
// Killed by: sets-side-by-side
// Verdict: deadlock

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) setsIn(namespace string) []*kit.ReplicaSet {
	r.written.mu.Lock()
	defer r.written.mu.Unlock()
	sets, _ := r.options.ReplicaSetCache.ByIndex(setsByNamespace, namespace)
	return sets
}
