package explain

import "strings"

// advice is what to tell about a panic whose message has a mark in it: what the message
// means, and what to do. The first mark that is found counts.
var advice = []struct{ mark, means, do string }{
	{"send on closed channel", "Only the sender may close a channel, and only when no other sender is left.",
		"Close the channel in one place, after every sender has returned."},
	{"close of closed channel", "A channel may be closed once; the second close panics.",
		"Let one goroutine own the close, or use a sync.Once."},
	{"close of nil channel", "A channel is nil until it is made.", "Make the channel before any code can close it."},
	{"assignment to entry in nil map", "A map can be read before it is made, but not written to.", "Make the map before the first write."},
	{"nil pointer dereference", "A pointer, an interface or a function was used before anything was stored in it.",
		"Find what is nil at this line, and where it should have been set."},
	{"index out of range", "The index is past the end of the slice.", "Make the slice long enough before you use the index: make([]T, n), not make([]T, 0, n)."},
	{"slice bounds out of range", "The bounds reach past the end of the slice.", "Compare the bounds with len at this line."},
	{"negative WaitGroup counter", "Done was called more often than Add has counted.", "Call Done once for each Add, and Add before the go statement."},
	{"WaitGroup is reused before previous Wait has returned", "Add was called while Wait was still waiting.", "Call every Add before Wait, never inside the goroutine."},
	{"unlock of unlocked", "A lock was released that was not held, or it was released twice.", "Pair each Lock with one Unlock: defer the Unlock on the next line."},
	{"non-positive interval for NewTicker", "A ticker needs an interval above zero.", "Handle an interval of zero before you make the ticker."},
	{"runtime.Goexit", "Your code ended the goroutine that had called it.", "Return instead of calling panic(nil) or runtime.Goexit."},
	{"stack overflow", "A function calls itself without end.", "Find the call that leads back here, and what should stop it."},
}

const (
	panicMeans = "It happened at this line, or in a function that this line calls."
	panicDo    = "Handle what causes the panic at this line. Where the contract says that a panic becomes an error, recover in the same goroutine."
)

// advise says what a panic message means and what to do about it.
func advise(message string) (means, do string) {
	for _, a := range advice {
		if strings.Contains(message, a.mark) {
			return a.means, a.do
		}
	}
	return panicMeans, panicDo
}
