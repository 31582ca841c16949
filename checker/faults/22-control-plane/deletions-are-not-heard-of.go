//go:build ignore

// Mistake: A pod that is gone makes no work, so the handler leaves deletions out.
// Killed by: a-kubelet-knows-pods-by-uid
// Verdict: wrong-answer

package controlplane

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc:    func(pod *kit.Pod, _ bool) { k.notice(pod) },
		UpdateFunc: func(_, pod *kit.Pod) { k.notice(pod) },
	}
}
