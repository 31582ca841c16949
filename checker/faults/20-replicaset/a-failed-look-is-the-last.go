//go:build ignore

// Mistake: A ReplicaSet that may not adopt now will not adopt later either, so the answer is kept.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	refused      sync.Map // UID → error
}

func (r *ReplicaSetReconciler) claim(ctx context.Context, rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	candidates, err := r.candidates(rs)
	if err != nil {
		return nil, err
	}
	mayAdopt := sync.OnceValue(func() error {
		if err, known := r.refused.Load(rs.UID); known {
			return err.(error)
		}
		err := r.mayAdopt(ctx, rs)
		if err != nil {
			r.refused.Store(rs.UID, err)
		}
		return err
	})
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
