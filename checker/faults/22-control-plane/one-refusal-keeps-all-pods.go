//go:build ignore

// Mistake: The first pod that cannot be deleted ends the loop, and its error comes back each time: no other pod of the node is ever evicted.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) forPods(ctx context.Context, node string, do func(pod *kit.Pod) error) error {
	pods, err := r.PodCache.ByIndex(NodeIndex, node)
	if err != nil {
		return fmt.Errorf("list the pods of node %s: %w", node, err)
	}
	for _, pod := range pods {
		if err := do(pod); err != nil {
			return err
		}
	}
	return nil
}
