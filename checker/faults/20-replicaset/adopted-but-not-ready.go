//go:build ignore

// Mistake: A pod that was just adopted is reported as one that is not ready, as a new one would be.
// Killed by: adopts-orphans
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
		mine, err := r.claimPod(ctx, rs, pod, mayAdopt)
		if mine {
			if pod.ControllerOf() == nil {
				pod = pod.DeepCopy()
				pod.Status.Ready = false
			}
			replicas = append(replicas, pod)
		}
		if err != nil && !kit.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return replicas, errors.Join(errs...)
}
