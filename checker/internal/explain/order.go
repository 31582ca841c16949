package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// order is how two accesses are put in order, by what they are and who made them.
func order(race []outcome.Access) string {
	any := func(is func(a outcome.Access) bool) bool { return slices.ContainsFunc(race, is) }
	switch {
	case any(waitGroup):
		return "Call Add before the go statement, in the goroutine that calls Wait, or use WaitGroup.Go."
	case any(channel):
		return closes(race)
	case any(func(a outcome.Access) bool { return a.Locked }):
		return "Take Lock where you write: RLock keeps out those that call Lock, and lets everybody else in that calls RLock."
	case any(func(a outcome.Access) bool { return a.Within == outcome.InCase }):
		return strings.TrimSpace("The function that this line calls is the case's, and relies on what the contract says of its callers. " +
			"See whether it may be called by two goroutines at once, and whether what you hand to it may still be changed: order the calls, or hand out a copy. " + sentence(oneLocked(race)))
	case len(race) > 0 && !any(func(a outcome.Access) bool { return !outside(a) }):
		return "Both are in the caller's code. If the memory is something that your code has handed out, hand out a copy. " +
			"If it is the caller's own, the caller relies on an order that the contract promises: look for the two calls of your code that should come one before the other, and for a path through them that shares no lock and no channel."
	case any(outside):
		do := "Hand out a copy, or do not touch what you have handed out: it belongs to the caller now."
		if any(func(a outcome.Access) bool { return a.Started.Line > 0 && !a.Library && !a.Main }) {
			do += " If the goroutine works for the call that has returned, the call returned too early: let it wait until all accesses of that goroutine are over."
		}
		return do
	}
	return strings.TrimSpace(loses(race) + " " + cmp.Or(lockBoth(race), guard(race)))
}

// closes is the advice where one side closes a channel and the other sends on it.
func closes(race []outcome.Access) string {
	closer, sender := "the close of the channel", "every send"
	for _, a := range race {
		switch {
		case a.At.Line == 0:
		case a.Op == outcome.ChannelClose:
			closer = "the close at " + Line(a.At)
		case a.Op == outcome.ChannelSend:
			sender = "the send at " + Line(a.At)
		}
	}
	return "Nothing makes " + closer + " come after " + sender + ". " +
		"Let the only sender close the channel after its last value, or close it when all senders have ended (WaitGroup.Wait), on every path that leads to the close."
}

// usesMap is what is wrong with two uses of a map.
const usesMap = "No goroutine may use a map, not even to read it, while another changes it: the runtime ends the process when it notices, and nothing can recover from that."

// loses is what goes wrong when two goroutines do at once what the two sides of a race do; ""
// where there is nothing to say that is not true of all memory.
func loses(race []outcome.Access) string {
	any := func(is func(a outcome.Access) bool) bool { return slices.ContainsFunc(race, is) }
	does := func(what string) bool { return any(func(a outcome.Access) bool { return a.Does == what }) }
	switch {
	case any(func(a outcome.Access) bool { return a.Op == outcome.MapWrite }):
		return usesMap
	case does(outcome.Appends):
		return "append puts the element behind the last, perhaps in a new array, and the assignment stores the slice with its new length. " +
			"Of two goroutines that do so at once, one overwrites what the other has stored, and an element is lost."
	case does(outcome.Steps):
		return "The line reads the value, computes the new one from it, and stores that. Of two goroutines that do so at once, one overwrites what the other has stored."
	case any(func(a outcome.Access) bool { return isError(a.Touches) }):
		return "Goroutines that share one error variable overwrite each other's errors, even with nil. An error is two words, its type and its value, and a reader may see one of each."
	}
	return ""
}

// isError reports whether a variable is called as errors are.
func isError(name string) bool {
	return name == "err" || strings.HasSuffix(name, ".err") || strings.HasSuffix(name, "Err")
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
		return oneLocked(race) + ": a lock orders only those that all take it. Take it there too, and as long as what it guards is in use."
	case !slices.ContainsFunc(a.Holds, func(l outcome.Lock) bool {
		return slices.ContainsFunc(b.Holds, func(o outcome.Lock) bool { return o.Key == l.Key })
	}):
		return "One side holds " + clip(a.Holds[0].Name) + ", the other " + clip(b.Holds[0].Name) +
			". Two locks do not keep each other out: if these are two, guard both accesses with the same one."
	}
	return "Both sides hold " + clip(a.Holds[0].Name) + ", so these are the locks of two values that share memory: a slice, a map or a pointer that was not copied. Give each its own copy."
}

// oneLocked says which side of a race holds a lock, if that is only one; "" otherwise. It has no
// full stop, since more may follow.
func oneLocked(race []outcome.Access) string {
	if len(race) != 2 || race[0].At.Line == 0 || race[1].At.Line == 0 || (len(race[0].Holds) > 0) == (len(race[1].Holds) > 0) {
		return ""
	}
	a, b := race[0], race[1]
	if len(a.Holds) == 0 {
		a, b = b, a
	}
	return "The " + side(a) + " is made with " + clip(a.Holds[0].Name) + " held. The source shows no lock that is held for the " + side(b)
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
