package reconcilertest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// queue is a queue with priorities, and what the cases ask of it in words.
type queue struct {
	*fake.WorkQueue[kit.Request]
	limits *fake.Limiter[kit.Request]
}

// newQueue has a rate limiter that answers limit; nil is no delay at all.
func newQueue(t *conform.T, limit func(failures int) time.Duration) queue {
	limits := fake.Always[kit.Request](0)
	if limit != nil {
		limits = fake.NewLimiter(func(_ kit.Request, before int) time.Duration { return limit(before) })
	}
	return queue{fake.NewWorkQueue(t, limits), limits}
}

// doubling is a rate limiter: base, and twice as much after each failure.
func doubling(base time.Duration) func(int) time.Duration {
	return func(failures int) time.Duration { return base << failures }
}

// level is a queue that does not know priorities.
type level struct {
	kit.RateLimitingQueue[kit.Request]
}

// plain is q without its priorities.
func (q queue) plain() Queue { return level{q} }

// put is how the suite itself adds requests.
func (q queue) put(names ...string) {
	for _, name := range names {
		q.Put(0, named(name))
	}
}

// contents takes out all that waits, with priorities, sorted.
func (q queue) contents() []string {
	all := []string{}
	for r, priority := range q.Take() {
		all = append(all, fmt.Sprintf("%s:%d", r, priority))
	}
	slices.Sort(all)
	return all
}

// handedOut is what was handed out, with priorities, in order.
func (q queue) handedOut() []string {
	var taken []string
	for _, c := range q.Calls() {
		if c.Method == "Get" {
			taken = append(taken, fmt.Sprintf("%s:%d", c.Item.Name, c.Priority))
		}
	}
	return taken
}

// strayWords is what was said of requests that nobody was working on.
func (q queue) strayWords() []string {
	var strays []string
	for _, c := range q.Calls() {
		if !c.Held && c.Method != "Get" && c.Method != "ShutDown" {
			strays = append(strays, c.Method+" "+c.Item.Name)
		}
	}
	return strays
}

func (q queue) shutDowns() int {
	another := func(c fake.QueueCall[kit.Request]) bool { return c.Method != "ShutDown" }
	return len(slices.DeleteFunc(q.Calls(), another))
}
