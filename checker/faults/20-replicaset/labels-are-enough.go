//go:build ignore

// Mistake: A pod is owned if it has any controller and its labels match: the pods of others are taken for
//   replicas.
// Killed by: deletes-what-is-too-many
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
	candidates, err := slices.DeleteFunc(r.options.PodCache.List(), func(pod *kit.Pod) bool { return !pod.Active() || pod.Namespace != rs.Namespace }), error(nil)
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
		if err != nil && !kit.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return replicas, errors.Join(errs...)
}
