//go:build ignore

// Mistake: The cap is put on the number of replicas.
// Killed by: burst-caps
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) manage(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod) error {
	missing := min(rs.Spec.Replicas, r.options.Burst) - len(replicas)
	switch {
	case missing > 0:
		return r.create(ctx, rs, min(missing, r.options.Burst))
	case missing < 0:
		return r.delete(ctx, rs, PodsToDelete(replicas, r.related(rs), min(-missing, r.options.Burst)))
	}
	return nil
}
