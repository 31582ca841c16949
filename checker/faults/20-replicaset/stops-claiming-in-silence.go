//go:build ignore

// Mistake: When the context is done, the pods that were not looked at yet are left out, and the rest is counted.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) claim(ctx context.Context, rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	candidates, err := r.candidates(rs)
	if err != nil {
		return nil, err
	}
	mayAdopt := sync.OnceValue(func() error { return r.mayAdopt(ctx, rs) })
	var replicas []*kit.Pod
	var errs []error
	for _, pod := range candidates {
		if ctx.Err() != nil {
			break
		}
		mine, err := r.claimPod(ctx, rs, pod, mayAdopt)
		if mine {
			replicas = append(replicas, pod)
		}
		if err != nil && !kit.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return replicas, errors.Join(errs...)
}
