//go:build ignore

// Mistake: The worker itself waits for the API server, and with it all pods behind this one.
// Killed by: binds-asynchronously
// Verdict: wrong-answer

package scheduler

import "context"

func (a *attempt) run(ctx context.Context) {
	node, err := a.find()
	if err != nil {
		a.refused(err)
		return
	}
	b := binding{a.Scheduler, a.entry, a.pod, node}
	b.run(ctx)
}
