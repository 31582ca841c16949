//go:build ignore

// Mistake: The worker ends the attempt when it finds that the pod is gone, and then looks at the next node all the same, and at the next.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import "context"

func (a *attempt) run(ctx context.Context) {
	node, err := a.find()
	if err == errGone {
		return // it has ended
	}
	if err != nil {
		a.refused(err)
		return
	}
	b := binding{a.Scheduler, a.entry, a.pod, node}
	a.binding.Go(func() { b.run(ctx) })
}

func (a *attempt) find() (node string, err error) {
	for {
		if err := a.filter(); err != nil {
			return "", err
		}
		node := a.best()
		done, err := a.assume(node)
		if err == errGone {
			a.mu.Lock()
			a.queue.done(a.entry)
			a.mu.Unlock()
			for _, next := range a.feasible {
				if next != node {
					a.sum(next)
				}
			}
		}
		if done || err != nil {
			return node.Node.Name, err
		}
	}
}
