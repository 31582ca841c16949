//go:build ignore

// Mistake: The map of the plan is the cluster: the second strategy starts where the first one ended.
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
	w.apps = plan.Start
	for _, step := range plan.Down {
		w.down[step] = true
	}
	for _, c := range plan.Changes {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
