//go:build ignore

// Mistake: Work is called only when something has arrived: in silence there is no resync, and it is in
//   silence that it is needed.
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
		if len(w.due[w.now]) > 0 {
			strategy.Work()
		}
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}
