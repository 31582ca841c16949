//go:build ignore

// Mistake: A ReplicaSet that is added is new, so what is expected for its name is deleted. It may have been reconciled
//   before its handler is called.
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
		AddFunc: gone,
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				gone(old, true)
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: gone,
	}
}
