//go:build ignore

// Mistake: There is a kubelet for each pod. For one of no node a nil is asked for its handler, and KubeletWatch recovers from that for a second.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *ControlPlane) handlerFor(pod *kit.Pod) kit.ResourceEventHandler[*kit.Pod] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kubelets[pod.Spec.NodeName].PodHandler()
}
