//go:build ignore

// Mistake: Own writes are kept by names without namespaces: two deployments of one name forget each other's.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) wrote(request kit.Request, rs *kit.ReplicaSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	request.Namespace = ""
	if r.written[request] == nil {
		r.written[request] = map[string]uint64{}
	}
	r.written[request][rs.Name] = version(rs)
}

func (r *DeploymentReconciler) lagging(ctx context.Context, request kit.Request) (bool, error) {
	for name, written := range r.pending(request) {
		cached, exists := r.ReplicaSetCache.GetByKey(request.Namespace + "/" + name)
		if !exists || version(cached) < written {
			if _, err := r.ReplicaSets.Get(ctx, request.Namespace, name); err == nil {
				return true, nil
			} else if !kit.IsNotFound(err) {
				return false, fmt.Errorf("ask for %s: %w", name, err)
			}
		}
		r.seen(request, name)
	}
	return false, nil
}

func (r *DeploymentReconciler) pending(request kit.Request) map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.written[kit.Request{Name: request.Name}])
}

func (r *DeploymentReconciler) seen(request kit.Request, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written[kit.Request{Name: request.Name}], key)
}
