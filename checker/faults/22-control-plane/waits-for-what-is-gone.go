//go:build ignore

// Mistake: What was written must come one day; that somebody can delete it is not thought of.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) lagging(ctx context.Context, request kit.Request) (bool, error) {
	for key, written := range r.pending(request) {
		cached, exists := r.ReplicaSetCache.GetByKey(key)
		if !exists || version(cached) < written {
			namespace, name, _ := strings.Cut(key, "/")
			if _, err := r.ReplicaSets.Get(ctx, namespace, name); err == nil {
				return true, nil
			} else {
				return true, nil
			}
		}
		r.seen(request, key)
	}
	return false, nil
}
