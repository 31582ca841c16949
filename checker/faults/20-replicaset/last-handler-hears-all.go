//go:build ignore

// Mistake: The reconciler keeps one enqueue, and each handler that is made later takes it from those made before.
// Killed by: pods-wake-their-owner
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	enqueue      func(kit.Request)
}

func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	r.enqueue = enqueue
	return podHandler{r, func(request kit.Request) { r.enqueue(request) }}
}
