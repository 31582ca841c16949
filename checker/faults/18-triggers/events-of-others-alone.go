//go:build ignore

// Mistake: Events are made of what others did to the app: what the strategy has written is not in their states.
// Killed by: steps-in-order
// Verdict: wrong-answer

package triggers

import "maps"

type world struct {
	now     int
	apps    map[string]State
	others  map[string]State
	down    map[int]bool
	changes map[int][]Change
	due     map[int][]Event
	report  Report
}

func newWorld(plan Plan) *world {
	w := &world{
		now:     -1,
		apps:    map[string]State{},
		others:  map[string]State{},
		down:    map[int]bool{},
		changes: map[int][]Change{},
		due:     map[int][]Event{},
	}
	maps.Copy(w.apps, plan.Start)
	maps.Copy(w.others, plan.Start)
	for _, step := range plan.Down {
		w.down[step] = true
	}
	for _, c := range plan.Changes {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}

func (w *world) apply(c Change) {
	before, app := w.others[c.Key], w.apps[c.Key]
	after := State{Desired: before.Desired + c.Desired, Running: before.Running + c.Running}
	w.others[c.Key] = after
	w.apps[c.Key] = State{Desired: app.Desired + c.Desired, Running: app.Running + c.Running}
	for _, delay := range c.Delays {
		w.due[w.now+delay] = append(w.due[w.now+delay], Event{Key: c.Key, Old: before, New: after})
	}
}
