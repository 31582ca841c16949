//go:build ignore

// Mistake: A sentinel is appended to the Changes of the plan. Their array may have room, and then
//   append writes into it.
// Killed by: steps-in-order
// Verdict: wrong-answer

package triggers

import "maps"

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
	for _, c := range append(plan.Changes, Change{At: plan.Steps}) {
		w.changes[c.At] = append(w.changes[c.At], c)
	}
	return w
}
