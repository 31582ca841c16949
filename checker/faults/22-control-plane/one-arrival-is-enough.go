//go:build ignore

// Mistake: When one of its writes has arrived, Reconcile takes the cache for caught up.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) seen(request kit.Request, _ string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written, request)
}
