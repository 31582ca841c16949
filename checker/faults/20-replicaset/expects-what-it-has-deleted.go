//go:build ignore

// Mistake: The deletions are expected when they have been made.
// Killed by: expectations-before-requests
// Verdict: wrong-answer

package replicaset

import (
	"cmp"
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) delete(ctx context.Context, rs *kit.ReplicaSet, doomed []*kit.Pod) error {
	uids := make([]string, len(doomed))
	for i, pod := range doomed {
		uids[i] = pod.UID
	}
	failed := atOnce(len(doomed), func(i int) error { return r.deletePod(ctx, rs, doomed[i]) })
	r.expectations.ExpectDeletions(kit.Key(rs), uids)
	return cmp.Or(failed...)
}
