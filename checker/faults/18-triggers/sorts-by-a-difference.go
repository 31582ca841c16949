//go:build ignore

// Mistake: The changes are compared by the difference of their steps, which overflows where the steps are far apart.
// Killed by: steps-in-order
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
	for _, step := range plan.Down {
		w.down[step] = true
	}
	sorted := slices.Clone(plan.Changes)
	slices.SortStableFunc(sorted, func(a, b Change) int { return a.At - b.At })
	for len(sorted) > 0 && sorted[0].At < 0 {
		sorted = sorted[1:]
	}
	for _, c := range sorted {
		if c.At < 0 || c.At >= plan.Steps {
			break // all that follow are later
		}
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
