//go:build ignore

// Mistake: The errors of deletions are written as events and dropped.
// Killed by: failed-delete-is-not-waited-for
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
	r.expectations.ExpectDeletions(kit.Key(rs), uids)
	failed := atOnce(len(doomed), func(i int) error { return r.deletePod(ctx, rs, doomed[i]) })
	_ = cmp.Or(failed...)
	return nil
}
