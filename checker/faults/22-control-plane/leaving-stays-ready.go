//go:build ignore

// Mistake: A pod that is being deleted is no concern of anybody any longer.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) notReady(ctx context.Context, pod *kit.Pod) error {
	if !pod.Status.Ready || pod.DeletionTimestamp != nil {
		return nil
	}
	pod = pod.DeepCopy()
	pod.Status.Ready, pod.Status.ReadySince, pod.Status.Reason = false, time.Now(), "NodeLost"
	_, err := r.Pods.Update(ctx, pod)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", kit.Key(pod), err)
	}
	return nil
}
