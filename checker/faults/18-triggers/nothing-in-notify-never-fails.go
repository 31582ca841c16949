//go:build ignore

// Mistake: A Scale by zero needs no cluster that is up: in Notify it returns before anything else.
// Killed by: report-adds-up
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
		w.notifying = true
		for _, e := range w.due[w.now] {
			w.report.Delivered++
			strategy.Notify(e)
		}
		w.notifying = false
		delete(w.due, w.now)
		strategy.Work()
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}

type world struct {
	now       int
	notifying bool
	apps      map[string]State
	down      map[int]bool
	changes   map[int][]Change
	due       map[int][]Event
	report    Report
}

func (w *world) Scale(key string, n int) error {
	w.report.Writes++
	if w.notifying && n == 0 {
		return nil
	}
	if w.down[w.now] {
		return ErrDown
	}
	s := w.apps[key]
	s.Running += n
	w.apps[key] = s
	return nil
}
