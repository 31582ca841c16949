//go:build ignore

// Mistake: Simulate calls each Work on a goroutine of its own.
// Killed by: steps-in-order
// Verdict: wrong-answer

package triggers

func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	w := newWorld(plan)
	strategy := open(w)
	w.report.Drift = w.drift()
	for w.now = 0; w.now < plan.Steps; w.now++ {
		for _, c := range w.changes[w.now] {
			w.apply(c)
		}
		for _, e := range w.due[w.now] {
			w.report.Delivered++
			strategy.Notify(e)
		}
		delete(w.due, w.now)
		done := make(chan struct{})
		go func() {
			defer close(done)
			strategy.Work()
		}()
		<-done
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}
