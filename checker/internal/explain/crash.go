package explain

import "strings"

// sayings explains what the runtime says when it gives up. The first mark that
// stands in the message counts.
var sayings = []struct{ mark, means, do string }{
	{"send on closed channel", "Only the sender may close a channel, and only when no other sender is left.",
		"Close the channel in one place, after every sender has returned."},
	{"close of closed channel", "A channel may be closed once; the second close panics.",
		"Let one goroutine own the close, or put it into a sync.Once."},
	{"close of nil channel", "A channel variable is nil until make.", "Make the channel before it can be closed."},
	{"assignment to entry in nil map", "A map can be read before it is made, but not written to.", "Make the map before the first write."},
	{"nil pointer dereference", "A pointer, an interface or a function was used before anything was stored in it.",
		"Find what is nil at this line and who should have set it."},
	{"index out of range", "The slice is shorter than the index needs.", "Make the slice long enough before the index is used: make([]T, n), not make([]T, 0, n)."},
	{"slice bounds out of range", "The slice is shorter than the bounds need.", "Hold the bounds against len at this line."},
	{"negative WaitGroup counter", "There were more calls of Done than Add has counted.", "Call Done once for each Add, and Add before the go statement."},
	{"WaitGroup is reused before previous Wait has returned", "Add was called while Wait was under way.", "Call every Add before Wait, never inside the goroutine."},
	{"unlock of unlocked", "A lock was released that nobody held, or released twice.", "Pair each Lock with one Unlock: defer it in the next line."},
	{"non-positive interval for NewTicker", "A ticker needs a period above zero.", "Handle a period of zero before the ticker is made."},
	{"runtime.Goexit", "The goroutine that called your code was ended from inside it.", "Return instead of calling panic(nil) or runtime.Goexit."},
	{"stack overflow", "A function calls itself without an end.", "Find the call that leads back here, and what should stop it."},
}

const (
	panicMeans = "It was raised at this line, or in what this line calls."
	panicDo    = "Handle what leads to the panic at this line; where the contract says that a panic becomes an error, recover in the same goroutine."
)

// saying is what a panic message means and what to do about it.
func saying(message string) (means, do string) {
	for _, s := range sayings {
		if strings.Contains(message, s.mark) {
			return s.means, s.do
		}
	}
	return panicMeans, panicDo
}
