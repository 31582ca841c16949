//go:build ignore

// Mistake: Down is used up from its front, and a step that stands there twice is never passed.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

import (
	"maps"
	"slices"
)

func newWorld(plan Plan) *world {
	w := &world{
		now:     -1,
		apps:    map[string]State{},
		down:    map[int]bool{},
		changes: map[int][]Change{},
		due:     map[int][]Event{},
	}
	maps.Copy(w.apps, plan.Start)
	down := slices.Sorted(slices.Values(plan.Down))
	for step := range plan.Steps {
		if len(down) > 0 && down[0] == step {
			w.down[step] = true
			down = down[1:]
		}
	}
	for _, c := range plan.Changes {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
