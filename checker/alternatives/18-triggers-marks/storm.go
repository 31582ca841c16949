package triggers

import (
	"fmt"
	"math/rand/v2"
)

// This file is given whole: weather to try a strategy in.

// Weather is what a stream does to its notifications: how many in a hundred are
// lost, doubled, or delayed by one to five steps.
type Weather struct{ Lost, Doubled, Delayed int }

// Storm makes up a Plan: twenty apps of five pods each, users who scale them in
// bursts and nodes that take pods down with them, for the given number of steps; then as
// many steps in which nothing happens. The same seed gives the same changes in every weather:
// only the fates of the notifications differ.
func Storm(seed uint64, steps int, w Weather) Plan {
	// Two sources, so that the weather takes no number from the changes.
	world, sky := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	plan := Plan{Steps: 2 * steps, Start: map[string]State{}}
	for i := range 20 {
		plan.Start[app(i)] = State{Desired: 5, Running: 5}
	}
	for step := range steps {
		key := app(world.IntN(20))
		for range world.IntN(4) {
			c := Change{At: step, Key: key, Delays: w.fate(sky)}
			if world.IntN(3) == 0 {
				c.Running = -1 // a node took it down
			} else {
				c.Desired = []int{1, 2, -1}[world.IntN(3)]
			}
			plan.Changes = append(plan.Changes, c)
		}
	}
	return plan
}

// fate draws what becomes of one notification.
func (w Weather) fate(sky *rand.Rand) []int {
	lost, doubled := sky.IntN(100) < w.Lost, sky.IntN(100) < w.Doubled
	first, second := w.delay(sky), w.delay(sky)
	switch {
	case lost:
		return nil
	case doubled:
		return []int{first, second}
	default:
		return []int{first}
	}
}

func (w Weather) delay(sky *rand.Rand) int {
	held, steps := sky.IntN(100) < w.Delayed, 1+sky.IntN(5)
	if !held {
		return 0
	}
	return steps
}

func app(i int) string { return fmt.Sprintf("app-%02d", i) }
