//go:build ignore

// Mistake: Only deletions are capped.
// Killed by: burst-caps
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) manage(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod) error {
	missing := rs.Spec.Replicas - len(replicas)
	switch {
	case missing > 0:
		return r.create(ctx, rs, missing)
	case missing < 0:
		return r.delete(ctx, rs, PodsToDelete(replicas, r.related(rs), min(-missing, r.options.Burst)))
	}
	return nil
}
