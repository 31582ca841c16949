//go:build ignore

// Mistake: The ReplicaSet is read before each adoption, and one that cannot be read says nothing of the next pod.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) claim(ctx context.Context, rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	candidates, err := r.candidates(rs)
	if err != nil {
		return nil, err
	}
	mayAdopt := func() error { return r.mayAdopt(ctx, rs) }
	var replicas []*kit.Pod
	var errs []error
	for _, pod := range candidates {
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
