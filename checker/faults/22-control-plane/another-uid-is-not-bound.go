//go:build ignore

// Mistake: An update from one UID to another is no binding, because it is not the same pod.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	bound := func(pod *kit.Pod) {
		if pod.Spec.NodeName != "" {
			enqueue(kit.Request{Name: pod.Spec.NodeName})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { bound(pod) },
		UpdateFunc: func(before, after *kit.Pod) {
			if before.UID == after.UID && before.Spec.NodeName != after.Spec.NodeName {
				bound(after)
			}
		},
	}
}
