//go:build ignore

// Mistake: In an update from one UID to another the old ReplicaSet is forgotten only if something was written for it.
//   A deletion is no such write, and is expected all the same.
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
			if old.UID != rs.UID && r.written.any(kit.Key(old)) {
				gone(old, true)
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: gone,
	}
}

func (w *written) any(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, marked := w.marks[key]
	return marked
}
