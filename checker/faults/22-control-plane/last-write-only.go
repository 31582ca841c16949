//go:build ignore

// Mistake: The last write of a call arrives after the others, so that it is enough to wait for that one.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) wrote(request kit.Request, rs *kit.ReplicaSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written[request] = map[string]uint64{kit.Key(rs): version(rs)}
}
