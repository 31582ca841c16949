//go:build ignore

// Mistake: The counter of steps begins with 0, and so step 0 has begun when open is called.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

import "maps"

func newWorld(plan Plan) *world {
	w := &world{
		now:     0,
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
