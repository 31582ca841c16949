package timeline

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

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
		w := waiting(g.State)
		w.Count, w.At, w.Started = g.Count, g.At, g.Started
		all = append(all, w)
	}
	return all
}

// needs are the states of goroutines that wait, by what the runtime calls them.
var needs = map[string]Wait{
	"chan send":               {Thing: "a channel, to send on it", Until: "another goroutine receives"},
	"chan receive":            {Thing: "a channel, to receive from it", Until: "another goroutine sends on it or closes it"},
	"chan send (nil chan)":    {Thing: "a nil channel", Until: "never", Nobody: true},
	"chan receive (nil chan)": {Thing: "a nil channel", Until: "never", Nobody: true},
	"select":                  {Thing: "one of several channels", Until: "another goroutine makes one case ready"},
	"select (no cases)":       {Thing: "nothing at all", Until: "never", Nobody: true},
	"sync.Mutex.Lock":         {Thing: "a mutex", Until: "the goroutine that holds it calls Unlock"},
	"sync.RWMutex.Lock":       {Thing: "the write lock of an RWMutex", Until: "every reader and the writer have unlocked it"},
	"sync.RWMutex.RLock":      {Thing: "a read lock of an RWMutex", Until: "the writer has unlocked it"},
	"sync.Cond.Wait":          {Thing: "a sync.Cond", Until: "another goroutine calls Signal or Broadcast"},
	"sync.WaitGroup.Wait":     {Thing: "a WaitGroup", Until: "every goroutine that it counts has called Done"},
	"semacquire":              {Thing: "a lock", Until: "the goroutine that holds it unlocks it"},
	"sleep":                   {Thing: "the clock", Until: "its time is over"},
	"IO wait":                 {Thing: "the network", Until: "something arrives or the connection is closed"},
}

// waiting is what goroutines in a state wait for. Whatever else they do, they still run.
func waiting(state string) Wait {
	if w, ok := needs[state]; ok {
		return w
	}
	if strings.HasPrefix(state, "run") {
		return Wait{Thing: "nothing: it runs", Until: "its function returns"}
	}
	return Wait{Thing: state, Until: "that has happened"}
}
