//go:build ignore

// Mistake: What the last deletion says decides, and one that was NotFound hides the errors before it.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) delete(ctx context.Context, rs *kit.ReplicaSet, doomed []*kit.Pod) error {
	uids := make([]string, len(doomed))
	for i, pod := range doomed {
		uids[i] = pod.UID
	}
	r.expectations.ExpectDeletions(kit.Key(rs), uids)
	answers := make([]error, len(doomed))
	atOnce(len(doomed), func(i int) error { answers[i] = r.deletePod(ctx, rs, doomed[i]); return nil })
	return answers[len(answers)-1]
}
