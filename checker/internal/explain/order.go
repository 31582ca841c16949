package explain

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// order is how two accesses are put in order, by what they are and who made them.
func order(race []outcome.Access) string {
	any := func(is func(a outcome.Access) bool) bool { return slices.ContainsFunc(race, is) }
	switch {
	case any(waitGroup):
		return "Call Add before the go statement, in the goroutine that calls Wait, or use WaitGroup.Go."
	case any(func(a outcome.Access) bool { return a.Locked }):
		return "Take Lock where you write: RLock keeps out those that call Lock, and lets everybody else in that calls RLock."
	case any(func(a outcome.Access) bool { return a.Within == outcome.InCase }):
		return "The function that this line calls is the case's, and relies on what the contract says of its callers. " +
			"See whether it may be called by two goroutines at once, and whether what you hand to it may still be changed: order the calls, or hand out a copy."
	case any(func(a outcome.Access) bool { return a.At.Line == 0 && a.Main && !a.Unseen }):
		return "Hand out a copy, or do not touch what you have handed out: it belongs to the caller now."
	}
	if advice := lockBoth(race); advice != "" {
		return advice
	}
	return guard(race)
}

// guard is the advice where the source shows no lock.
func guard(race []outcome.Access) string {
	any := func(is func(a outcome.Access) bool) bool { return slices.ContainsFunc(race, is) }
	main := func(a outcome.Access) bool { return a.Main }
	switch {
	case len(race) > 0 && !any(func(a outcome.Access) bool { return !a.Main }):
		return "Your code may be called by several goroutines at once. If each call needs the value for itself, keep it in a local variable. If the calls share it, guard both accesses with one lock."
	case any(main) && !any(func(a outcome.Access) bool { return a.Library || a.Unseen }):
		return "If the goroutine ends by itself, wait for its end before this access (WaitGroup.Wait, a receive from its channel). If it lives on, guard both accesses with one lock."
	}
	return "Guard both accesses with one lock, or give each goroutine memory of its own and read it after all have ended."
}

// lockBoth is the advice where the source shows that a lock is held on one side at least.
func lockBoth(race []outcome.Access) string {
	if len(race) != 2 || race[0].At.Line == 0 || race[1].At.Line == 0 {
		return ""
	}
	a, b := race[0], race[1]
	if len(a.Holds) == 0 {
		a, b = b, a
	}
	switch {
	case len(a.Holds) == 0:
		return ""
	case len(b.Holds) == 0:
		return "The " + side(a) + " is made with " + clip(a.Holds[0].Name) + " held. The source shows no lock that is held for the " + side(b) +
			": a lock orders only those that all take it. Take it there too, and as long as what it guards is in use."
	case !slices.ContainsFunc(a.Holds, func(l outcome.Lock) bool {
		return slices.ContainsFunc(b.Holds, func(o outcome.Lock) bool { return o.Key == l.Key })
	}):
		return "One side holds " + clip(a.Holds[0].Name) + ", the other " + clip(b.Holds[0].Name) +
			". Two locks do not keep each other out: if these are two, guard both accesses with the same one."
	}
	return "Both sides hold " + clip(a.Holds[0].Name) + ", so these are the locks of two values that share memory: a slice, a map or a pointer that was not copied. Give each its own copy."
}

// side names one access: "write at labs/01-goroutines/gather.go:7".
func side(a outcome.Access) string { return clip(a.Op) + " at " + Line(a.At) }

// together begins the sentence that names what both sides touch.
func together(race []outcome.Access) string {
	if race[0].At == race[1].At {
		return "The line names "
	}
	return "Both lines name "
}
