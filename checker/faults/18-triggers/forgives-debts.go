//go:build ignore

// Mistake: The cluster starts with no app below zero: what Start says of debts is forgiven.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

func newWorld(plan Plan) *world {
	w := &world{
		now:     -1,
		apps:    map[string]State{},
		down:    map[int]bool{},
		changes: map[int][]Change{},
		due:     map[int][]Event{},
	}
	for key, s := range plan.Start {
		w.apps[key] = State{Desired: s.Desired, Running: max(s.Running, 0)}
	}
	for _, step := range plan.Down {
		w.down[step] = true
	}
	for _, c := range plan.Changes {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
