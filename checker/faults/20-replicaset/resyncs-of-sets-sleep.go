//go:build ignore

// Mistake: An update of a ReplicaSet in which nothing has changed is taken for no news.
// Killed by: pods-wake-their-owner
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
			if old.ResourceVersion != rs.ResourceVersion {
				enqueue(kit.RequestFor(rs))
			}
		},
		DeleteFunc: gone,
	}
}
