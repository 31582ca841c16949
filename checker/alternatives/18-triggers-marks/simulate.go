package triggers

import (
	"maps"
	"slices"
)

// Simulate plays plan against one strategy and reports how it ended and what it
// cost. It takes no time: a step is one turn of a loop. The same plan and the same
// strategy give the same report.
//
// The cluster first holds plan.Start. Then Simulate calls open once, with
// that cluster, and gets the strategy. Then, in every step from 0 to plan.Steps-1:
//
//  1. The changes of this step happen, in the order of the plan. Each takes its app
//     from Old to New, and its notification carries these two states, also if they
//     are equal.
//  2. The notifications that are due arrive: Notify is called for each, in the order in
//     which they were sent, that is, in the order of their changes, and copies one
//     after the other. A delay of zero is due in the step of the change.
//  3. Work is called, once.
//  4. Simulate measures the drift: the sum, over all apps, of how much Running differs
//     from Desired, one way or the other.
//
// A change outside these steps never happens, and a notification that is due after
// the last step never arrives. The strategy's own calls of
// Scale cause no notification. Without any step the report contains the drift of
// plan.Start, and Settled is 0 if that is zero.
//
// The cluster's Keys are those of plan.Start, of every change that has happened and
// of every Scale that succeeded; the slice belongs to the caller. Get makes no app
// known. Scale adds n to Running; in a step of plan.Down it returns ErrDown and
// changes nothing. Every call is counted, from open on.
//
// Notify, Work and open are called by one goroutine, and the cluster may be used
// only from within these calls. The plan is not modified.
func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	changes := map[int][]Change{} // by step
	for _, c := range plan.Changes {
		changes[c.At] = append(changes[c.At], c)
	}
	c := &cluster{apps: map[string]State{}}
	maps.Copy(c.apps, plan.Start)
	strategy := open(c)

	if plan.Steps <= 0 {
		c.report.Drift = c.drift()
		if c.report.Drift != 0 {
			c.report.Settled = -1
		}
		return c.report
	}

	due := map[int][]Event{} // what arrives in each step to come
	for step := range plan.Steps {
		c.down = slices.Contains(plan.Down, step)
		for _, change := range changes[step] {
			e := c.change(change)
			for _, delay := range change.Delays {
				due[step+delay] = append(due[step+delay], e)
			}
		}
		for _, e := range due[step] {
			c.report.Delivered++
			strategy.Notify(e)
		}
		delete(due, step)
		strategy.Work()
		c.report.Drift = c.drift()
		c.report.Lag += c.report.Drift
		switch {
		case c.report.Drift != 0:
			c.report.Settled = -1
		case c.report.Settled < 0:
			c.report.Settled = step
		}
	}
	return c.report
}

// cluster is the Cluster of a simulation.
type cluster struct {
	apps   map[string]State
	down   bool
	report Report
}

func (c *cluster) change(ch Change) Event {
	before := c.apps[ch.Key]
	after := State{Desired: before.Desired + ch.Desired, Running: before.Running + ch.Running}
	c.apps[ch.Key] = after
	return Event{Key: ch.Key, Old: before, New: after}
}

func (c *cluster) drift() int {
	sum := 0
	for _, s := range c.apps {
		sum += max(s.Missing(), -s.Missing())
	}
	return sum
}

func (c *cluster) Keys() []string {
	c.report.Lists++
	return slices.Sorted(maps.Keys(c.apps))
}

func (c *cluster) Get(key string) State {
	c.report.Reads++
	return c.apps[key]
}

func (c *cluster) Scale(key string, n int) error {
	c.report.Writes++
	if c.down {
		return ErrDown
	}
	s := c.apps[key]
	s.Running += n
	c.apps[key] = s
	return nil
}
