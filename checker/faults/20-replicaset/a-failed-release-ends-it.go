//go:build ignore

// Mistake: After a release that failed there is an error to be returned, and nothing is adopted before that.
// Killed by: releases-what-does-not-match
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) claim(ctx context.Context, rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	candidates, err := r.candidates(rs)
	if err != nil {
		return nil, err
	}
	mayAdopt := sync.OnceValue(func() error { return r.mayAdopt(ctx, rs) })
	isOrphan := func(pod *kit.Pod) bool { return pod.ControllerOf() == nil }
	orphans := slices.DeleteFunc(slices.Clone(candidates), func(pod *kit.Pod) bool { return !isOrphan(pod) })
	owned := slices.DeleteFunc(candidates, isOrphan)
	var replicas []*kit.Pod
	for _, pods := range [][]*kit.Pod{owned, orphans} {
		var errs []error
		for _, pod := range pods {
			mine, err := r.claimPod(ctx, rs, pod, mayAdopt)
			if mine {
				replicas = append(replicas, pod)
			}
			if err != nil && !kit.IsNotFound(err) {
				errs = append(errs, err)
			}
		}
		if len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
	}
	return replicas, nil
}
