//go:build ignore

// Mistake: Numbers of steps fit into thirty-two bits: a change that is to happen after the last step happens in the
//   first.
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
	for _, c := range plan.Changes {
		at := int(int32(c.At))
		w.changes[at] = append(w.changes[at], c)
	}
	return w
}
