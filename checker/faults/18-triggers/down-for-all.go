//go:build ignore

// Mistake: Whether the cluster is down stands in a variable of the package: a simulation within another's Work
//   changes it for both.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

import "sync/atomic"

var isDown atomic.Bool

func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	w := newWorld(plan)
	isDown.Store(false)
	strategy := open(w)
	w.report.Drift = w.drift()
	for w.now = 0; w.now < plan.Steps; w.now++ {
		isDown.Store(w.down[w.now])
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

func (w *world) Scale(key string, n int) error {
	w.report.Writes++
	if isDown.Load() {
		return ErrDown
	}
	s := w.apps[key]
	s.Running += n
	w.apps[key] = s
	return nil
}
