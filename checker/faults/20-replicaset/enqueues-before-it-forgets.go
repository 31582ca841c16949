//go:build ignore

// Mistake: A ReplicaSet that is gone is enqueued first and its expectations are deleted after that. A quick worker meets those
//   of the old one when the cache has the next one of its name.
// Killed by: same-name-starts-clean
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	gone := func(rs *kit.ReplicaSet, _ bool) {
		enqueue(kit.RequestFor(rs))
		r.forget(kit.Key(rs))
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				gone(old, true)
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: gone,
	}
}
