//go:build ignore

// Mistake: That a pod to be released is gone is seen by the type of the error, which a client may have wrapped.
// Killed by: releases-what-does-not-match
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
			replicas = append(replicas, pod)
		}
		gone := kit.IsNotFound(err)
		if pod.ControllerOf() != nil {
			status, ok := err.(*kit.StatusError)
			gone = ok && status.ErrStatus.Reason == kit.ReasonNotFound
		}
		if err != nil && !gone {
			errs = append(errs, err)
		}
	}
	return replicas, errors.Join(errs...)
}
