package explain

import "strings"

// wait is a state of a goroutine in a learner's words.
type wait struct {
	verb string // as many do it: "wait", "sleep"
	rest string // what follows the verb
	fix  string // how such a goroutine can go on
}

// waits translates the runtime's words for what a goroutine is doing.
var waits = map[string]wait{
	"chan send": {"wait", "to send on a channel",
		"Make sure that some goroutine receives on every path, give the channel a buffer for values that none receives, or select on the context's Done as well as on the send."},
	"chan receive": {"wait", "to receive from a channel",
		"Make sure that every path sends on the channel or closes it, or select on the context's Done as well as on the receive."},
	"chan send (nil chan)":    {"wait", "to send on a nil channel, which blocks for ever", "Make the channel before it is used."},
	"chan receive (nil chan)": {"wait", "to receive from a nil channel, which blocks for ever", "Make the channel before it is used."},
	"select": {"wait", "in a select",
		"Give the select a case that is ready when the work is over: the context's Done, or a channel that is closed then."},
	"select (no cases)": {"wait", "in a select without cases, which blocks for ever", "Wait for something that happens: the context's Done, or a channel that is closed."},
	"sync.Mutex.Lock": {"wait", "for a mutex",
		"Find the code that holds the mutex: a path that returns without Unlock, or a function that locks what its caller has locked already."},
	"sync.RWMutex.Lock": {"wait", "for the write lock of an RWMutex",
		"Find the code that holds the lock: a path that returns without unlocking, or a reader that asks for the write lock too."},
	"sync.RWMutex.RLock": {"wait", "for a read lock of an RWMutex",
		"Find the code that holds the lock: a path that returns without Unlock, or a reader that locks again while a writer waits."},
	"sync.Cond.Wait": {"wait", "for a sync.Cond",
		"Signal or Broadcast after every change that the condition depends on, including shutdown."},
	"sync.WaitGroup.Wait": {"wait", "for a WaitGroup",
		"Every Add needs its Done on every path out of the goroutine: defer it, or use WaitGroup.Go."},
	"semacquire":    {"wait", "for a lock", "Find the code that holds the lock, and release the lock on every path: defer the Unlock."},
	"sleep":         {"sleep", "", "Wait for a timer and for the context's Done in one select, so that the sleep can be cut short."},
	"IO wait":       {"wait", "for the network", "Close the connection or the listener when the work is over."},
	"synctest.Wait": {"wait", "until all other goroutines are blocked", ""},
	"running":       {"keep", "running", ""},
	"runnable":      {"keep", "running", ""},
}

// stateOf finds the words for a state, whatever the runtime calls it.
func stateOf(state string) wait {
	if w, ok := waits[state]; ok {
		return w
	}
	return wait{"stay", "in the state " + clip(state), "Find what it waits for, and make sure that it happens."}
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
