package explain

import (
	"cmp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// wait is a state of a goroutine in a learner's words.
type wait struct {
	verb  string // as many do it: "wait", "sleep"
	rest  string // what follows the verb
	thing string // what it waits for: "a mutex"
	until string // what has to happen: "the goroutine that holds it calls Unlock", or never
	fix   string // how such a goroutine can go on
}

// never is the until of what blocks for ever.
const never = "never"

// waits translates the runtime's words for what a goroutine is doing.
var waits = map[string]wait{
	"chan send": {
		verb: "wait", rest: "to send on a channel",
		thing: "a channel, to send on it", until: "another goroutine receives",
		fix: "Make sure that some goroutine receives on every path, give the channel a buffer for values that none receives, or select on the context's Done as well as on the send.",
	},
	"chan receive": {
		verb: "wait", rest: "to receive from a channel",
		thing: "a channel, to receive from it", until: "another goroutine sends on it or closes it",
		fix: "Make sure that every path sends on the channel or closes it, or select on the context's Done as well as on the receive.",
	},
	"chan send (nil chan)": {
		verb: "wait", rest: "to send on a nil channel, which blocks for ever",
		thing: "a nil channel", until: never,
		fix: "Make the channel before it is used.",
	},
	"chan receive (nil chan)": {
		verb: "wait", rest: "to receive from a nil channel, which blocks for ever",
		thing: "a nil channel", until: never,
		fix: "Make the channel before it is used.",
	},
	"select": {
		verb: "wait", rest: "in a select",
		thing: "one of several channels", until: "another goroutine makes one case ready",
		fix: "Give the select a case that is ready when the work is over: the context's Done, or a channel that is closed then.",
	},
	"select (no cases)": {
		verb: "wait", rest: "in a select without cases, which blocks for ever",
		thing: "nothing at all", until: never,
		fix: "Wait for something that happens: the context's Done, or a channel that is closed.",
	},
	"sync.Mutex.Lock": {
		verb: "wait", rest: "for a mutex",
		thing: "a mutex", until: "the goroutine that holds it calls Unlock",
		fix: "Find the code that holds the mutex: a path that returns without Unlock, or a function that locks what its caller has locked already.",
	},
	"sync.RWMutex.Lock": {
		verb: "wait", rest: "for the write lock of an RWMutex",
		thing: "the write lock of an RWMutex", until: "every reader and the writer have unlocked it",
		fix: "Find the code that holds the lock: a path that returns without unlocking, or a reader that asks for the write lock too.",
	},
	"sync.RWMutex.RLock": {
		verb: "wait", rest: "for a read lock of an RWMutex",
		thing: "a read lock of an RWMutex", until: "the writer has unlocked it",
		fix: "Find the code that holds the lock: a path that returns without Unlock, or a reader that locks again while a writer waits.",
	},
	"sync.Cond.Wait": {
		verb: "wait", rest: "for a sync.Cond",
		thing: "a sync.Cond", until: "another goroutine calls Signal or Broadcast",
		fix: "Signal or Broadcast after every change that the condition depends on, including shutdown.",
	},
	"sync.WaitGroup.Wait": {
		verb: "wait", rest: "for a WaitGroup",
		thing: "a WaitGroup", until: "every goroutine that it counts has called Done",
		fix: "Every Add needs its Done on every path out of the goroutine: defer it, or use WaitGroup.Go.",
	},
	"semacquire": {
		verb: "wait", rest: "for a lock",
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
	"synctest.Wait": {
		verb: "wait", rest: "until all other goroutines are blocked",
	},
	"running": {
		verb: "keep", rest: "running",
		thing: "nothing: it runs", until: "its function returns",
	},
	"runnable": {
		verb: "keep", rest: "running",
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

// doing is "1 goroutine waits for a mutex", "8 goroutines wait for a mutex".
func doing(n int, state string) string {
	w := stateOf(state)
	verb := w.verb
	if n == 1 {
		verb += "s"
	}
	return strings.TrimSpace(count(n, "goroutine") + " " + verb + " " + w.rest)
}
