//go:build ignore

// Mistake: A pod gets its node from the scheduler, by an update, so that a kubelet need not hear of new ones.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *ControlPlane) watchForKubelets() {
	c.pods = c.parts.Pods.NewInformer(c.parts.Connect(KubeletWatch).Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	_, err := c.pods.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{
		UpdateFunc: func(before, after *kit.Pod) { c.handlerFor(after).OnUpdate(before, after) },
		DeleteFunc: func(pod *kit.Pod, unknown bool) { c.handlerFor(pod).OnDelete(pod, unknown) },
	})
	if err != nil {
		c.options.OnError(KubeletWatch, err)
	}
}
