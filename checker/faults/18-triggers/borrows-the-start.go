//go:build ignore

// Mistake: The plan comes back as it was, and that is taken for enough: meanwhile its Start is the cluster.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

import "maps"

func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	w := newWorld(plan)
	if start := maps.Clone(plan.Start); plan.Start != nil {
		w.apps = plan.Start
		defer func() {
			clear(plan.Start)
			maps.Copy(plan.Start, start)
		}()
	}
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
		strategy.Work()
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}
