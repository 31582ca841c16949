//go:build ignore

// Mistake: The cache is believed though it does not show what was just written (kubernetes#129795 is of this
//   kind).
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) wrote(request kit.Request, rs *kit.ReplicaSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written[request] == nil {
		r.written[request] = map[string]uint64{}
	}
}
