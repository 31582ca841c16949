//go:build ignore

// Mistake: Reconcile is not called twice at once for one request, so that what it remembers of each needs
//   no lock.
// Killed by: what-was-written-is-waited-for
// Verdict: data-race

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) wrote(request kit.Request, rs *kit.ReplicaSet) {
	if r.written[request] == nil {
		r.written[request] = map[string]uint64{}
	}
	r.written[request][kit.Key(rs)] = version(rs)
}
