package explain

import (
	"cmp"
	"regexp"
	"strings"
)

// advice is what to tell about a panic whose message has a mark in it: what the message
// means, and what to do. The first mark that is found counts.
var advice = []struct{ mark, means, do string }{
	{"send on closed channel", "Only the sender may close a channel, and only when no other sender is left.",
		"Find who closes the channel, and what keeps this send from coming after that, or during it."},
	{twice, "A channel may be closed once; the second close panics.",
		"Find the two paths that close it, and what decides between them: looking first and closing then is two steps, and another goroutine may close it in between."},
	{"close of nil channel", "A channel is nil until it is made.", "Find why the channel is nil at this line, and where it should have been made."},
	{"assignment to entry in nil map", "A map can be read before it is made, but not written to.", "Find which path leads here without the map having been made."},
	{"nil pointer dereference", "A pointer, an interface or a function was used before anything was stored in it.",
		"Find what is nil at this line, and where it should have been set, or who has cleared it."},
	{"index out of range", "The index is not one of the elements that are there.",
		"This line relies on an element that is not there. Find what makes sure of it, and whether that still holds when the line runs: after a wait, with the lock released in between, with nothing in it at all."},
	{"slice bounds out of range", "The bounds reach past the end of the slice.", "Compare the bounds with len at this line: which of them does something else decide than this line believes?"},
	{"negative WaitGroup counter", "Done was called more often than Add has counted.", "Call Done once for each Add, and Add before the go statement."},
	{"WaitGroup is reused before previous Wait has returned", "Add was called while Wait was still waiting.", "Call every Add before Wait, never inside the goroutine."},
	{"unlock of unlocked", "A lock was released that was not held, or it was released twice.", "Pair each Lock with one Unlock: defer the Unlock on the next line."},
	{"non-positive interval for NewTicker", "A ticker needs an interval above zero.", "Handle an interval of zero before you make the ticker."},
	{"runtime.Goexit", "Your code ended the goroutine that had called it.", "Return instead of calling panic(nil) or runtime.Goexit."},
	{"synctest channel", keptMeans, keptDo},
	{"synctest timer", keptMeans, keptDo},
	{"stack overflow", "A function calls itself without end.", "Find the call that leads back here, and what should stop it."},
}

const (
	keptMeans  = "A channel or a timer that your code made in one part of the case was used in another part: a package variable keeps it."
	keptDo     = "Find the package variable that this line's channel or timer comes from. Make it anew where the contract begins: for each call of a function, or for each value that New makes."
	panicMeans = "It happened at this line, or in a function that this line calls."
	panicDo    = "Handle what causes the panic at this line. Where the contract says that a panic becomes an error, recover in the same goroutine."
)

// outOfRange is how the runtime says which index it was.
var outOfRange = regexp.MustCompile(`index out of range \[(-?\d+)\](?: with length (\d+))?`)

// missing says of an index what it was and what was there.
func missing(message string) string {
	m := outOfRange.FindStringSubmatch(message)
	switch {
	case m == nil:
		return ""
	case m[2] == "":
		return "The index was " + m[1] + ", and the first element has index 0."
	case m[2] == "0":
		return "The line asks for the element with index " + m[1] + ", and there was none: the length was 0."
	}
	return "The line asks for the element with index " + m[1] + ", and the length was " + m[2] + ": the indices begin at 0 and end below it."
}

// advise says what a panic message means and what to do about it.
func advise(message string) (means, do string) {
	for _, a := range advice {
		if strings.Contains(message, a.mark) {
			return cmp.Or(missing(message), a.means), a.do
		}
	}
	return panicMeans, panicDo
}
