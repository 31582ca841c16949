// Package queues has what the suites of work queues share: clients that record each call, and
// a plain queue for a layer to stand on.
package queues

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Client calls a queue: its methods are the queue's. Each call is an event of the history, by
// the actor of the client.
type Client struct {
	*conform.Actor
	queue kit.Queue[string]
}

// Calling is a client of q, for the goroutine of a.
func Calling(a *conform.Actor, q kit.Queue[string]) Client { return Client{a, q} }

// As is a client of the same queue, for the goroutine of a.
func (c Client) As(a *conform.Actor) Client { return Client{a, c.queue} }

func (c Client) Add(item string) { c.Do(func() { c.queue.Add(item) }, "Add(%q)", item) }
func (c Client) Len() int        { return conform.Do(c.Actor, c.queue.Len, "Len()") }

func (c Client) Get() (item string, shutdown bool) {
	call := c.Call("Get()")
	item, shutdown = c.queue.Get()
	call.Returned("%q, %t", item, shutdown)
	return item, shutdown
}

func (c Client) Done(item string)   { c.Do(func() { c.queue.Done(item) }, "Done(%q)", item) }
func (c Client) ShutDown()          { c.Do(c.queue.ShutDown, "ShutDown()") }
func (c Client) ShutDownWithDrain() { c.Do(c.queue.ShutDownWithDrain, "ShutDownWithDrain()") }

func (c Client) ShuttingDown() bool {
	return conform.Do(c.Actor, c.queue.ShuttingDown, "ShuttingDown()")
}

// Expect takes the item at the head of the queue, which must be want.
func (c Client) Expect(t *conform.T, want string) {
	item, shutdown := c.Get()
	t.Require(!shutdown, "Get says that the queue is shut down and empty, and %q is queued.", want)
	t.Require(item == want, "Get returned %q, and the item at the head of the queue is %q.", item, want)
}

// Holds requires that n items are queued. What says how it came to that.
func (c Client) Holds(t *conform.T, n int, what string) {
	got := c.Len()
	t.Require(got == n, "Len is %d, and %s queued: %s.", got, conform.Count(n, "item is", "items are"), what)
}

// Drain calls ShutDownWithDrain on a goroutine of its own and returns, when it waits or has
// returned, a channel that is closed by its return.
func (c Client) Drain(t *conform.T) <-chan struct{} {
	returned := make(chan struct{})
	t.Go("drainer", func(a *conform.Actor) {
		c.As(a).ShutDownWithDrain()
		close(returned)
	})
	t.Wait()
	return returned
}

// DelayingClient calls a delaying queue, as Client does a queue.
type DelayingClient struct {
	Client
	queue kit.DelayingQueue[string]
}

// CallingDelaying is a client of q, for the goroutine of a.
func CallingDelaying(a *conform.Actor, q kit.DelayingQueue[string]) DelayingClient {
	return DelayingClient{Calling(a, q), q}
}

// As is a client of the same queue, for the goroutine of a.
func (c DelayingClient) As(a *conform.Actor) DelayingClient { return CallingDelaying(a, c.queue) }

func (c DelayingClient) AddAfter(item string, after time.Duration) {
	c.Do(func() { c.queue.AddAfter(item, after) }, "AddAfter(%q, %v)", item, after)
}

// RateLimitingClient calls a rate limiting queue, as Client does a queue.
type RateLimitingClient struct {
	DelayingClient
	queue kit.RateLimitingQueue[string]
}

// CallingRateLimiting is a client of q, for the goroutine of a.
func CallingRateLimiting(a *conform.Actor, q kit.RateLimitingQueue[string]) RateLimitingClient {
	return RateLimitingClient{CallingDelaying(a, q), q}
}

func (c RateLimitingClient) AddRateLimited(item string) {
	c.Do(func() { c.queue.AddRateLimited(item) }, "AddRateLimited(%q)", item)
}

func (c RateLimitingClient) Forget(item string) {
	c.Do(func() { c.queue.Forget(item) }, "Forget(%q)", item)
}

func (c RateLimitingClient) NumRequeues(item string) int {
	return conform.Do(c.Actor, func() int { return c.queue.NumRequeues(item) }, "NumRequeues(%q)", item)
}

// PriorityClient calls a priority queue, as Client does a queue.
type PriorityClient struct {
	RateLimitingClient
	queue kit.PriorityQueue[string]
}

// CallingPriority is a client of q, for the goroutine of a.
func CallingPriority(a *conform.Actor, q kit.PriorityQueue[string]) PriorityClient {
	return PriorityClient{CallingRateLimiting(a, q), q}
}

// As is a client of the same queue, for the goroutine of a.
func (c PriorityClient) As(a *conform.Actor) PriorityClient { return CallingPriority(a, c.queue) }

func (c PriorityClient) AddWithOpts(o kit.AddOpts, items ...string) {
	c.Do(func() { c.queue.AddWithOpts(o, items...) }, "AddWithOpts(%s, %s)", show(o), strings.Join(items, ", "))
}

func (c PriorityClient) GetWithPriority() (item string, priority int, shutdown bool) {
	call := c.Call("GetWithPriority()")
	item, priority, shutdown = c.queue.GetWithPriority()
	call.Returned("%q, %d, %t", item, priority, shutdown)
	return item, priority, shutdown
}

// show writes only the options that are set.
func show(o kit.AddOpts) string {
	var set []string
	if o.After != 0 {
		set = append(set, fmt.Sprintf("After: %v", o.After))
	}
	if o.RateLimited {
		set = append(set, "RateLimited")
	}
	if o.Priority != nil {
		set = append(set, fmt.Sprintf("Priority: %d", *o.Priority))
	}
	return "{" + strings.Join(set, ", ") + "}"
}

// Came requires when an item came. A failure says why it was to come then, unless why is empty.
func Came(t *conform.T, item string, at, want time.Duration, why string) {
	t.Require(at >= want, "%q came too early: after %v, and it was to come after %v%s.", item, at, want, Because(why))
	t.Require(at <= want, "%q came too late: after %v, and it was to come after %v%s.", item, at, want, Because(why))
}

// Because is a reason as the end of a sentence.
func Because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
