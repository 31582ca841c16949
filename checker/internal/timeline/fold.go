package timeline

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// A round is what happens again and again while time passes: a controller that polls.
const (
	longest = 12 // events of a round
	fewest  = 4  // rounds in a row that are folded: the first and the last stay
)

// fold leaves the first and the last of equal rounds and puts a note into the place of those
// between. The events are in the order in which they began.
func fold(events []wire.Event) []wire.Event {
	var folded []wire.Event
	for len(events) > 0 {
		length, rounds := round(events)
		if rounds < fewest {
			folded = append(folded, events[0])
			events = events[1:]
			continue
		}
		between := events[length]
		last := events[(rounds-1)*length:]
		folded = append(folded, events[:length]...)
		folded = append(folded, wire.Event{
			Who: between.Who, At: between.At, Began: between.Began,
			What: fmt.Sprintf("… and the same %d times more", rounds-2),
		})
		folded = append(folded, last[:length]...)
		events = last[length:]
	}
	return folded
}

// round is how many events the round has with which events begin, and how often it comes in a
// row. Of several lengths it is the shortest that can be folded.
func round(events []wire.Event) (length, rounds int) {
	for length = 2; length <= min(longest, len(events)/fewest); length++ {
		if !single(events[:length]) {
			continue
		}
		rounds = 1
		for (rounds+1)*length <= len(events) && again(events[(rounds-1)*length:rounds*length], events[rounds*length:]) {
			rounds++
		}
		if rounds >= fewest {
			return length, rounds
		}
	}
	return 0, 0
}

// single reports whether a round is not made of equal shorter ones.
func single(round []wire.Event) bool {
	for length := 1; length <= len(round)/2; length++ {
		all := len(round)%length == 0
		for i := length; all && i < len(round); i += length {
			all = same(round[:length], round[i:])
		}
		if all {
			return false
		}
	}
	return true
}

// again reports whether next begins with the same round, later.
func again(round, next []wire.Event) bool { return next[0].At > round[0].At && same(round, next) }

// same reports whether next begins with the same events. What broke the rule is like no other.
func same(round, next []wire.Event) bool {
	for i, e := range round {
		o := next[i]
		alike := e.Who == o.Who && e.What == o.What && e.Result == o.Result && e.Took == o.Took &&
			e.Began-round[0].Began == o.Began-next[0].Began && returned(e) == returned(o)
		if !alike || e.Open || e.Broke || e.Checked || o.Open || o.Broke || o.Checked {
			return false
		}
	}
	return true
}

// returned is where an event ended, seen from where it began.
func returned(e wire.Event) int {
	if e.Returned == 0 {
		return 0
	}
	return e.Returned - e.Began
}
