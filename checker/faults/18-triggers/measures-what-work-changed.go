//go:build ignore

// Mistake: The drift is measured again only if a change has happened or Work has written something. What Notify
//   has written is not seen.
// Killed by: report-adds-up
// Verdict: wrong-answer
// Without: world.measure

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
		writes := w.report.Writes
		strategy.Work()
		if len(w.changes[w.now]) > 0 || w.report.Writes > writes {
			w.report.Drift = w.drift()
		}
		w.report.Lag += w.report.Drift
		if w.report.Drift != 0 {
			w.report.Settled = w.now + 1
		}
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}
