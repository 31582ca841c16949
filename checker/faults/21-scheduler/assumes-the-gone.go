//go:build ignore

// Mistake: Only the goroutine that binds looks whether the pod still waits. Until then a pod that is gone counts on the node, and
//   when it stops, pods are tried again that nothing has helped.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) tryAssume(node *NodeInfo) (pod *kit.Pod, now *NodeInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cache.has(a.pod.UID) {
		return nil, nil
	}
	now = a.cache.get(node.Node.Name)
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}

func (b binding) run(ctx context.Context) {
	if b.gone() {
		return
	}
	bound := b.pod.DeepCopy()
	bound.Spec.NodeName = b.node
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.done(b.entry)
}

func (b binding) gone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.entry.gone {
		return false
	}
	if b.cache.assumed(b.pod.UID) {
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	}
	b.queue.done(b.entry)
	return true
}
