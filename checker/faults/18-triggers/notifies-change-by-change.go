//go:build ignore

// Mistake: The strategy hears of each change as soon as it has happened, before the next one of the same step.
// Killed by: steps-in-order
// Verdict: wrong-answer

package triggers

func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	w := newWorld(plan)
	strategy := open(w)
	w.report.Drift = w.drift()
	for w.now = 0; w.now < plan.Steps; w.now++ {
		w.deliver(strategy)
		for _, c := range w.changes[w.now] {
			w.apply(c)
			w.deliver(strategy)
		}
		strategy.Work()
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}

func (w *world) deliver(strategy Strategy) {
	for _, e := range w.due[w.now] {
		w.report.Delivered++
		strategy.Notify(e)
	}
	delete(w.due, w.now)
}
