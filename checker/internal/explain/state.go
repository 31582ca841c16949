package explain

import (
	"cmp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// wait is a state of a goroutine in a learner's words. A % stands for what the source waits
// for: its name, or words for it.
type wait struct {
	verb  string // as many do it: "wait", "sleep"
	into  string // what is part of the verb: "running" of "keep running"
	rest  string // what follows the verb: "to send on %"
	what  string // what the % is without a name: "a channel"
	named string // before its name: "the mutex"
	thing string // what it waits for: "a mutex"
	until string // what has to happen: "the goroutine that holds it calls Unlock", or never
	fix   string // how such a goroutine can go on
}

// never is the until of what blocks for ever.
const never = "never"

// waits translates the runtime's words for what a goroutine is doing.
var waits = map[string]wait{
	"chan send": {
		verb: "wait", rest: "to send on %", what: "a channel",
		thing: "a channel, to send on it", until: "another goroutine receives",
		fix: "Find who should receive from % at this moment, and why nobody does: the receiver has not been started, has ended, or waits for something else itself. If it may leave, this send has to end, too: put it into a select with what tells that.",
	},
	"chan receive": {
		verb: "wait", rest: "to receive from %", what: "a channel",
		thing: "a channel, to receive from it", until: "another goroutine sends on it or closes it",
		fix: "Find who should send on % or close it, and why that does not happen: it was not started, has ended without doing so, or waits for something else itself. If this wait may become pointless, put it into a select with what tells that.",
	},
	"chan send (nil chan)": {
		verb: "wait", rest: "to send on %, which blocks for ever", what: "a nil channel", named: "the nil channel",
		thing: "a nil channel", until: never,
		fix: "Find why % is nil here: a channel must be made before it can be used.",
	},
	"chan receive (nil chan)": {
		verb: "wait", rest: "to receive from %, which blocks for ever", what: "a nil channel", named: "the nil channel",
		thing: "a nil channel", until: never,
		fix: "Find why % is nil here: a channel must be made before it can be used.",
	},
	"select": {
		verb: "wait", rest: "in a select",
		thing: "one of several channels", until: "another goroutine makes one case ready",
		fix: "Does the contract let this goroutine wait here at all? If so, find which case of this select should be ready now, and who should have made it so. Or is the event that has happened missing among the cases?",
	},
	"select (no cases)": {
		verb: "wait", rest: "in a select without cases, which blocks for ever",
		thing: "nothing at all", until: never,
		fix: "Wait for something that happens: the context's Done, or a channel that is closed.",
	},
	"sync.Mutex.Lock": {
		verb: "wait", rest: "for %", what: "a mutex", named: "the mutex",
		thing: "a mutex", until: "the goroutine that holds it calls Unlock",
		fix: "Find the code that holds %: a path that returns without Unlock, a function that locks what its caller has locked already, or one that waits with the lock held.",
	},
	"sync.RWMutex.Lock": {
		verb: "wait", rest: "for the write lock of %", what: "an RWMutex",
		thing: "the write lock of an RWMutex", until: "every reader and the writer have unlocked it",
		fix: "Find the code that holds %: a path that returns without unlocking, a reader that asks for the write lock too, or code that waits with the lock held.",
	},
	"sync.RWMutex.RLock": {
		verb: "wait", rest: "for a read lock of %", what: "an RWMutex",
		thing: "a read lock of an RWMutex", until: "the writer has unlocked it",
		fix: "Find the code that holds %: a path that returns without Unlock, a reader that locks again while a writer waits, or code that waits with the lock held.",
	},
	"sync.Cond.Wait": {
		verb: "wait", rest: "for %", what: "a sync.Cond", named: "the sync.Cond",
		thing: "a sync.Cond", until: "another goroutine calls Signal or Broadcast",
		fix: "Does the contract let this call wait here at all? If so, find what it waits for, whether that has happened, and whether the code that makes it happen calls Signal or Broadcast for every goroutine that has to wake.",
	},
	"sync.WaitGroup.Wait": {
		verb: "wait", rest: "for %", what: "a WaitGroup", named: "the WaitGroup",
		thing: "a WaitGroup", until: "every goroutine that it counts has called Done",
		fix: "Find which goroutine that % counts has not called Done: one that still runs or waits, and what should end it, or one that has ended on a path without Done. And should this line wait for it now?",
	},
	"semacquire": {
		verb: "wait", rest: "for %", what: "a lock",
		thing: "a lock", until: "the goroutine that holds it unlocks it",
		fix: "Find the code that holds the lock, and release the lock on every path: defer the Unlock.",
	},
	"sleep": {
		verb:  "sleep",
		thing: "the clock", until: "its time is over",
		fix: "Wait for a timer and for the context's Done in one select, so that the sleep can be cut short.",
	},
	"IO wait": {
		verb: "wait", rest: "for the network",
		thing: "the network", until: "something arrives or the connection is closed",
		fix: "Close the connection or the listener when the work is over.",
	},
	"coroutine": {
		verb: "wait", rest: "for the other side of an iter.Pull",
		thing: "the other side of an iter.Pull", until: "next or stop is called, or the iterator yields",
		fix: "Call stop on every path that leaves values of the iterator behind: defer it.",
	},
	"synctest.Wait": {
		verb: "wait", rest: "until all other goroutines are blocked",
	},
	"running": {
		verb: "keep", into: "running",
		thing: "nothing: it runs", until: "its function returns",
	},
	"runnable": {
		verb: "keep", into: "running",
		thing: "nothing: it runs", until: "its function returns",
	},
}

// stateOf finds the words for a state, whatever the runtime calls it.
func stateOf(state string) wait {
	if w, ok := waits[state]; ok {
		return w
	}
	return wait{verb: "stay", rest: "in the state " + clip(state), fix: "Find what it waits for, and make sure that it happens."}
}

// Wait is a group of goroutines that cannot go on, and for whom or what it waits.
type Wait struct {
	Count   int
	At      outcome.Location // zero where no line of the learner's is known
	Started outcome.Location
	Thing   string // "a mutex"
	Until   string // what has to happen: "its holder calls Unlock"
	Nobody  bool   // and never will
}

// Waits says who waits for whom, the likeliest cause first.
func Waits(groups []outcome.Goroutine) []Wait {
	var all []Wait
	for _, g := range outcome.ByCause(groups) {
		w := stateOf(g.State)
		all = append(all, Wait{
			Count: g.Count, At: g.At, Started: g.Started,
			Thing: cmp.Or(w.thing, clip(g.State)), Until: cmp.Or(w.until, "that has happened"), Nobody: w.until == never,
		})
	}
	return all
}

// doing is "1 goroutine waits for the mutex q.mu", "8 goroutines wait to send on a channel".
func doing(g outcome.Goroutine) string {
	w := stateOf(g.State)
	verb := w.verb
	if g.Count == 1 {
		verb += "s"
	}
	who := strings.TrimSpace(conform.Count(g.Count, "goroutine") + " " + verb + " " + w.into)
	switch {
	case g.Within == outcome.InCase:
		return who + " in a function of the case, which this line calls"
	case g.Within != "":
		return who + " in " + clip(g.Within) + ", which this line calls"
	case len(g.Ways) > 0:
		return who + " in a select, to " + clip(either(g.Ways))
	}
	return strings.TrimSpace(who + " " + fill(w.rest, w, g.On))
}

// fill puts what a goroutine waits for in the place of the mark.
func fill(text string, w wait, on string) string {
	name := w.what
	if on != "" {
		name = strings.TrimSpace(w.named + " " + printable.Shorten(clip(on), maxName, "…"))
	}
	return strings.ReplaceAll(text, "%", name)
}

// maxName is how much is shown of an expression, in bytes.
const maxName = 60

// either is a list in a sentence.
func either(ways []string) string {
	if len(ways) == 1 {
		return ways[0]
	}
	return strings.Join(ways[:len(ways)-1], ", ") + " or " + ways[len(ways)-1]
}

// goOn is how a goroutine can go on, and the others with it.
func goOn(g outcome.Goroutine) string {
	w := stateOf(g.State)
	switch h := g.HeldBy; {
	case g.Within == outcome.InCase && len(g.Holds) > 0:
		return "The function that this line calls is the case's. It may wait as long as it likes, and " + clip(g.Holds[0].Name) +
			" is held meanwhile: release the lock before the call, and take it again afterwards if you need it."
	case g.Within == outcome.InCase:
		return "The function that this line calls is the case's, and it waits there on purpose until your code has done its part: " +
			"started another call, taken a value, cancelled a context. Find what your code does only after this call has returned, or not at all."
	case g.Within != "":
		return "Find what " + clip(g.Within) + " waits for, and why that does not happen."
	case h != nil && h.Self:
		return "A mutex of Go cannot be locked twice, not even by the goroutine that holds it: find the path from " + Line(h.Lock) + " to this line."
	case h != nil && h.At.Line > 0:
		return "Find out why the goroutine at " + Line(h.At) + " does not get to its Unlock, and whether it may wait there with the lock held."
	case h != nil && alias(g, nil) != "":
		return "A mutex of Go cannot be locked twice, not even by the goroutine that holds it. If " + clip(g.Holds[0].Name) + ", locked at " + Line(g.Holds[0].At) +
			", is the same lock, release it before what leads to this line."
	case h != nil:
		return "Find the path that leaves without an Unlock: a return between Lock and Unlock, or a panic that is recovered further up."
	case len(g.Holds) > 0 && !g.OnLock():
		return toFix(w, g.On) + " Meanwhile " + clip(g.Holds[0].Name) + " is held: may this goroutine wait here with the lock held?"
	}
	return toFix(w, g.On)
}

// toFix is the fix of a state. What has no name was spoken of before.
func toFix(w wait, on string) string {
	if _, what, ok := strings.Cut(w.what, " "); ok {
		w.what = "the " + what
	}
	return fill(w.fix, w, on)
}
