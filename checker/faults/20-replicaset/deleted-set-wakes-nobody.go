//go:build ignore

// Mistake: A ReplicaSet that is deleted is forgotten, and not enqueued.
// Killed by: pods-wake-their-owner
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				r.forget(kit.Key(old))
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) { r.forget(kit.Key(rs)) },
	}
}
