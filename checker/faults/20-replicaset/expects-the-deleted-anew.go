//go:build ignore

// Mistake: After a failure the deletions that succeeded are expected anew, in the place of taking the failed ones out. The
//   handler has heard of them before.
// Killed by: expectations-before-requests
// Verdict: wrong-answer

package replicaset

import (
	"cmp"
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) delete(ctx context.Context, rs *kit.ReplicaSet, doomed []*kit.Pod) error {
	uids := make([]string, len(doomed))
	for i, pod := range doomed {
		uids[i] = pod.UID
	}
	r.expectations.ExpectDeletions(kit.Key(rs), uids)
	var mu sync.Mutex
	var succeeded []string
	failed := atOnce(len(doomed), func(i int) error {
		err := r.deletePod(ctx, rs, doomed[i])
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			succeeded = append(succeeded, doomed[i].UID)
		}
		return err
	})
	if len(failed) > 0 {
		r.expectations.ExpectDeletions(kit.Key(rs), succeeded)
	}
	return cmp.Or(failed...)
}
