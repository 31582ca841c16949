package triggers

import (
	"maps"
	"slices"
)

// Simulate plays plan against one strategy. The stub's documentation is the contract.
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
		strategy.Work()
		w.measure()
	}
	if w.report.Drift != 0 {
		w.report.Settled = -1
	}
	return w.report
}

// world is the simulated cluster, the channel to the strategy, and the meter. It
// is used by one goroutine and has no lock.
type world struct {
	now     int
	apps    map[string]State
	down    map[int]bool
	changes map[int][]Change // by the step in which they happen, in the order of the plan
	due     map[int][]Event  // by the step in which they arrive, in the order in which they were sent
	report  Report
}

func newWorld(plan Plan) *world {
	w := &world{
		now:     -1, // while open is called no step has begun
		apps:    map[string]State{},
		down:    map[int]bool{},
		changes: map[int][]Change{},
		due:     map[int][]Event{},
	}
	maps.Copy(w.apps, plan.Start)
	for _, step := range plan.Down {
		w.down[step] = true
	}
	for _, c := range plan.Changes {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}

// apply lets c happen and sends its notification, as often as its fate says. An
// event carries the states of the moment of the change, however late it arrives:
// that is what makes it an edge.
func (w *world) apply(c Change) {
	before := w.apps[c.Key]
	after := State{Desired: before.Desired + c.Desired, Running: before.Running + c.Running}
	w.apps[c.Key] = after
	for _, delay := range c.Delays {
		w.due[w.now+delay] = append(w.due[w.now+delay], Event{Key: c.Key, Old: before, New: after})
	}
}

func (w *world) measure() {
	w.report.Drift = w.drift()
	w.report.Lag += w.report.Drift
	if w.report.Drift != 0 {
		w.report.Settled = w.now + 1 // at the earliest
	}
}

func (w *world) drift() int {
	sum := 0
	for _, s := range w.apps {
		sum += max(s.Missing(), -s.Missing())
	}
	return sum
}

// Keys lists every app the cluster knows.
func (w *world) Keys() []string {
	w.report.Lists++
	return slices.Collect(maps.Keys(w.apps))
}

// Get reads the latest state of one app.
func (w *world) Get(key string) State {
	w.report.Reads++
	return w.apps[key]
}

// Scale starts n pods of the app, or stops -n, unless the cluster is down.
func (w *world) Scale(key string, n int) error {
	w.report.Writes++
	if w.down[w.now] {
		return ErrDown
	}
	s := w.apps[key]
	s.Running += n
	w.apps[key] = s
	return nil
}
