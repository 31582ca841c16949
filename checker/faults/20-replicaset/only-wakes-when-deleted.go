//go:build ignore

// Mistake: kubernetes#8000: a deletion is passed on to Reconcile, which comes too late if the next ReplicaSet
//   is already there.
// Killed by: same-name-starts-clean
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	gone := func(rs *kit.ReplicaSet, _ bool) {
		r.forget(kit.Key(rs))
		enqueue(kit.RequestFor(rs))
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				gone(old, true)
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
	}
}
