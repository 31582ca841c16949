//go:build ignore

// Mistake: The handler remembers which names it has seen added, because a list may bring pods a second time. A new pod under an old name is no creation.
// Killed by: waits-for-its-own-pods
// Verdict: wrong-answer

package replicaset

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type podHandler struct {
	r       *ReplicaSetReconciler
	enqueue func(kit.Request)
	added   *sync.Map // by namespace and name
}

func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	return podHandler{r, enqueue, &sync.Map{}}
}

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil {
		h.OnDelete(pod, false)
		return
	}
	if pod.ControllerOf() == nil {
		h.wakeMatching(pod)
		return
	}
	if rs := h.owner(pod); rs != nil {
		if _, again := h.added.LoadOrStore(kit.Key(pod), true); !again {
			h.r.expectations.CreationObserved(kit.Key(rs))
		}
		h.wake(rs)
	}
}
