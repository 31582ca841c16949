//go:build ignore

// Mistake: The first release that fails ends the claiming.
// Killed by: releases-what-does-not-match
// Verdict: wrong-answer

package replicaset

import (
	"context"
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
	var failed error
	for _, pod := range candidates {
		mine, err := r.claimPod(ctx, rs, pod, mayAdopt)
		if mine {
			replicas = append(replicas, pod)
		}
		if err != nil && !kit.IsNotFound(err) {
			failed = err
			if pod.ControllerOf() != nil {
				break
			}
		}
	}
	return replicas, failed
}
