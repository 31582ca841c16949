package triggers

import (
	"container/heap"
	"slices"
)

// 18-b: a heap of events, in a goroutine of its own.

type arrival struct {
	at, sent int
	e        Event
}

type arrivals []arrival

func (a arrivals) Len() int { return len(a) }
func (a arrivals) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].sent < a[j].sent
}
func (a arrivals) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *arrivals) Push(x any)   { *a = append(*a, x.(arrival)) }
func (a *arrivals) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

type row struct {
	key string
	State
	known bool
}

type table struct {
	rows []row
	step int
	plan *Plan
	r    Report
}

func (t *table) row(key string) *row {
	for i := range t.rows {
		if t.rows[i].key == key {
			return &t.rows[i]
		}
	}
	t.rows = append(t.rows, row{key: key})
	return &t.rows[len(t.rows)-1]
}

func (t *table) Keys() []string {
	t.r.Lists++
	keys := make([]string, 0, len(t.rows))
	for _, r := range t.rows {
		if r.known {
			keys = append(keys, r.key)
		}
	}
	slices.Reverse(keys)
	return keys
}

func (t *table) Get(key string) State {
	t.r.Reads++
	return t.row(key).State
}

func (t *table) Scale(key string, n int) error {
	t.r.Writes++
	if t.step >= 0 && slices.Contains(t.plan.Down, t.step) {
		return ErrDown
	}
	r := t.row(key)
	r.known = true
	r.Running += n
	return nil
}

func (t *table) drift() (sum int) {
	for _, r := range t.rows {
		if m := r.Missing(); m > 0 {
			sum += m
		} else {
			sum -= m
		}
	}
	return sum
}

// Simulate plays plan against one strategy and reports how it ended and what it
// cost. It takes no time: a step is one turn of a loop. The same plan and the same
// strategy give the same report, provided that the order of Keys makes no difference to
// the strategy.
//
// The cluster first holds plan.Start. Then Simulate calls open once, with
// that cluster, and open returns the strategy. Then, in every step from 0 to plan.Steps-1:
//
//  1. The changes of this step happen, in the order of the plan. Each takes its app
//     from Old to New, and sends its notification, even if Old and New are equal. The
//     notification carries these two states, however late it arrives.
//  2. The notifications that are due arrive: Notify is called for each, in the order in
//     which they were sent: by the step of their change, within a step in the order of
//     the plan, and copies one after the other. A delay of zero is due in the step of
//     the change.
//  3. Work is called, once.
//  4. Simulate measures the drift: the sum, over all apps, of how much Running differs
//     from Desired, in either direction.
//
// A change outside these steps, with an At below zero or of plan.Steps and more, never
// happens: it sends no notification and makes no app known. A notification that is due
// after the last step never arrives. The strategy's own calls of Scale cause no
// notification.
//
// If plan.Steps is 0, the report contains the drift after open, and Settled is 0 if that
// is zero, and -1 if it is not.
//
// The cluster's Keys are those of plan.Start, of every change that has happened and
// of every Scale that succeeded, including changes and Scales that added nothing; the caller
// may keep the slice and change it. An app that is known stays known. Get makes no app known. Scale
// adds n to Running. In a step of plan.Down, in Notify as in Work, it returns ErrDown itself, not
// wrapped in another error, and changes nothing, even if n is zero. In open, before
// the first step, it never fails, even if plan.Down contains step 0. Every call is counted, from
// open on, in Notify as in Work.
//
// Notify, Work and open are called by one and the same goroutine, which need not be the
// caller's, and the cluster may be used only from within these calls. What happens
// if one of them panics is left open. The plan is not modified, and the arrays of its slices are
// not written to behind the slices either: another plan may lie there.
func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	out := make(chan Report)
	go func() { out <- simulate(plan, open) }()
	return <-out
}

func simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	t := &table{step: -1, plan: &plan}
	for key, s := range plan.Start {
		*t.row(key) = row{key, s, true}
	}
	s := open(t)
	drifts := []int{t.drift()}
	var queue arrivals
	sent := 0
	for t.step = 0; t.step < plan.Steps; t.step++ {
		for _, c := range plan.Changes {
			if c.At != t.step {
				continue
			}
			r := t.row(c.Key)
			r.known = true
			before := r.State
			r.Desired += c.Desired
			r.Running += c.Running
			for _, d := range c.Delays {
				if at := uint64(t.step) + uint64(d); at < uint64(plan.Steps) {
					heap.Push(&queue, arrival{int(at), sent, Event{c.Key, before, r.State}})
				}
				sent++
			}
		}
		for len(queue) > 0 && queue[0].at == t.step {
			t.r.Delivered++
			s.Notify(heap.Pop(&queue).(arrival).e)
		}
		s.Work()
		drifts = append(drifts, t.drift())
	}
	for _, d := range drifts[1:] {
		t.r.Lag += d
	}
	t.r.Drift = drifts[len(drifts)-1]
	t.r.Settled = -1
	if t.r.Drift == 0 {
		drifts = drifts[1:]
		i := len(drifts)
		for i > 0 && drifts[i-1] == 0 {
			i--
		}
		t.r.Settled = i
	}
	return t.r
}
