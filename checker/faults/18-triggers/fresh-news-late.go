//go:build ignore

// Mistake: The event is made up when it arrives: a late one then carries fresh news, and Edge looks better
//   than it is.
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
			e.New = w.apps[e.Key]
			strategy.Notify(e)
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
