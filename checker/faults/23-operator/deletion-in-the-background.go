//go:build ignore

// Mistake: A deletion is not urgent, and so a goroutine enqueues what is deleted. Nobody waits for it.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc: func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
		UpdateFunc: func(before, after *kit.Database) {
			if !echo(before, after) {
				enqueue(kit.RequestFor(after))
			}
		},
		DeleteFunc: func(db *kit.Database, _ bool) { go enqueue(kit.RequestFor(db)) },
	}
}
