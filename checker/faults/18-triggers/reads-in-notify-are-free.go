//go:build ignore

// Mistake: The costs of a strategy are those of its Work: what it reads when it is notified is not counted.
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
			lists, reads := w.report.Lists, w.report.Reads
			strategy.Notify(e)
			w.report.Lists, w.report.Reads = lists, reads
		}
		delete(w.due, w.now)
		strategy.Work()
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}
