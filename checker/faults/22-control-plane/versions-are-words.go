//go:build ignore

// Mistake: Resource versions are strings, and strings can be compared.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) lagging(ctx context.Context, request kit.Request) (bool, error) {
	for key, written := range r.pending(request) {
		cached, exists := r.ReplicaSetCache.GetByKey(key)
		if !exists || cached.ResourceVersion < strconv.FormatUint(written, 10) {
			namespace, name, _ := strings.Cut(key, "/")
			if _, err := r.ReplicaSets.Get(ctx, namespace, name); err == nil {
				return true, nil
			} else if !kit.IsNotFound(err) {
				return false, fmt.Errorf("ask for %s: %w", key, err)
			}
		}
		r.seen(request, key)
	}
	return false, nil
}
