//go:build ignore

// Mistake: The changes are sorted by step. slices.SortFunc is not stable, and with a dozen changes nobody
//   sees that.
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
	slices.SortFunc(sorted, func(a, b Change) int { return a.At - b.At })
	for _, c := range sorted {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
