//go:build ignore

// Mistake: There is one queue, so the reconciler keeps enqueue. The handler that is made last has all of them call its own.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

type DatabaseReconciler struct {
	options Options
	enqueue func(kit.Request)
}

func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	r.enqueue = enqueue
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc: func(db *kit.Database, _ bool) { r.enqueue(kit.RequestFor(db)) },
		UpdateFunc: func(before, after *kit.Database) {
			if !echo(before, after) {
				r.enqueue(kit.RequestFor(after))
			}
		},
	}
}
