package priorityqueuetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// key is what Get hands out.
type key struct {
	Item     string
	Priority int
}

func (k key) String() string { return fmt.Sprintf("%q with priority %d", k.Item, k.Priority) }

// at makes keys of one priority.
func at(priority int, items ...string) []key {
	keys := make([]key, len(items))
	for i, item := range items {
		keys[i] = key{item, priority}
	}
	return keys
}

// names makes n keys.
func names(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d", prefix, i)
	}
	return all
}

// client calls the subject.
type client struct{ queues.PriorityClient }

// start makes a queue without a rate limit.
func start(t *conform.T, s Subject) client { return limited(t, s, fake.Always[string](0)) }

// limited makes a queue with a limiter.
func limited(t *conform.T, s Subject, l *fake.Limiter[string]) client {
	return client{queues.CallingPriority(t.Actor, s.New(l.In(t)))}
}

// as is the same queue in the hands of another goroutine.
func (c client) as(a *conform.Actor) client { return client{c.As(a)} }

// add adds several keys at once.
func (c client) add(items ...string) { c.AddWithOpts(kit.AddOpts{}, items...) }

func (c client) at(priority int, items ...string) {
	c.AddWithOpts(kit.AddOpts{Priority: &priority}, items...)
}

func (c client) after(d time.Duration, items ...string) {
	c.AddWithOpts(kit.AddOpts{After: d}, items...)
}

func (c client) get() (key, bool) {
	item, priority, shutdown := c.GetWithPriority()
	return key{item, priority}, shutdown
}

// Holds requires that Len is n, which is how many keys are ready.
func (c client) Holds(t *conform.T, n int, why string) {
	got := c.Len()
	t.Require(got == n, "Len is %d, and should be %d, because that is how many keys are ready: %s.", got, n, why)
}

// take takes a key that must be there.
func (c client) take(t *conform.T) key {
	k, shutdown := c.get()
	t.Require(!shutdown, "Get says that the queue is shut down, and nobody has shut it down.")
	return k
}

// next takes a key, which must be want.
func (c client) next(t *conform.T, want key, why string) {
	if k := c.take(t); k != want {
		t.Breaks("%v was handed out, and %v was due", k, want)
		t.Fatalf("Get handed out %v, and should have handed out %v: %s. %s", k, want, why, c.ready(t))
	}
}

// ready takes all that is still ready and says what it was: a key that is missing comes later, or
// with another priority, or never.
func (c client) ready(t *conform.T) string {
	var all []string
	for _, k := range late(t, 8, func(a *conform.Actor) (key, bool) { return c.as(a).get() }) {
		all = append(all, fmt.Sprint(k))
	}
	if len(all) == 0 {
		return "No other key was ready then."
	}
	return "After it came " + strings.Join(all, ", ") + "."
}

// late has a worker take what comes at once, up to most keys, and returns it.
func late[K any](t *conform.T, most int, get func(a *conform.Actor) (k K, shutdown bool)) []K {
	came := make(chan K, most)
	t.Go("late worker", func(a *conform.Actor) {
		for range most {
			k, shutdown := get(a)
			if shutdown {
				return
			}
			came <- k
		}
	})
	t.Wait()
	var all []K
	for range len(came) {
		all = append(all, <-came)
	}
	return all
}

// comes takes keys, each done before the next, which must come in the order of want.
func (c client) comes(t *conform.T, want []key, why string) {
	for _, k := range want {
		c.next(t, k, why)
		c.Done(k.Item)
	}
}

// once takes as many keys as there are in want, each done before the next. They must be
// those of want, in any order.
func (c client) once(t *conform.T, want []string) {
	var got []string
	for range want {
		k := c.take(t)
		c.Done(k.Item)
		t.Require(!slices.Contains(got, k.Item), "%q was added once and came twice.", k.Item)
		t.Require(slices.Contains(want, k.Item), "Get handed out %q, and the keys that are ready now are %q.", k.Item, want)
		got = append(got, k.Item)
	}
}

// comesAt takes the next key, which must be item and come so long after began.
func (c client) comesAt(t *conform.T, item string, began, after time.Duration) {
	c.comesAtAs(t, item, began, after, "")
}

// comesAtAs is comesAt with a reason for the time.
func (c client) comesAtAs(t *conform.T, item string, began, after time.Duration, why string) {
	k, took := c.take(t), t.Elapsed()-began
	if k.Item != item {
		t.Fatalf("Get handed out %q after %v, and the next key is %q, which was to come after %v%s. %s", k.Item, took, item, after, queues.Because(why), c.whenComes(t, item, began))
	}
	queues.Came(t, item, took, after, why)
	c.Done(item)
}

// whenComes says when a key that is late comes, if it does within a minute and is not behind
// more keys than a case adds.
func (c client) whenComes(t *conform.T, item string, began time.Duration) string {
	const most = 100
	came := make(chan time.Duration, 1)
	t.Go("late worker", func(a *conform.Actor) {
		for range most {
			k, shutdown := c.as(a).get()
			if shutdown {
				return
			}
			if k.Item == item {
				came <- t.Elapsed() - began
				return
			}
		}
	})
	select {
	case at := <-came:
		return fmt.Sprintf("It came after %v.", at)
	case <-time.After(time.Minute):
		return "Nor did it come within another minute."
	}
}

// parked starts a goroutine that calls Get and returns where its key will come.
// When parked returns the goroutine is blocked, or has its key.
func (c client) parked(t *conform.T, who string) <-chan key { return c.parkedIn(t, who, client.get) }

// parkedInGet is parked with plain Get: the key's priority is not known.
func (c client) parkedInGet(t *conform.T, who string) <-chan key {
	return c.parkedIn(t, who, func(c client) (key, bool) {
		item, shutdown := c.Get()
		return key{Item: item}, shutdown
	})
}

// fourParked are four of them, two in each of the calls.
func (c client) fourParked(t *conform.T) []<-chan key {
	return []<-chan key{
		c.parked(t, "worker 0"), c.parkedInGet(t, "worker 1"),
		c.parked(t, "worker 2"), c.parkedInGet(t, "worker 3"),
	}
}

func (c client) parkedIn(t *conform.T, who string, get func(c client) (key, bool)) <-chan key {
	got := make(chan key, 1)
	t.Go(who, func(a *conform.Actor) {
		if k, shutdown := get(c.as(a)); !shutdown {
			got <- k
		}
		close(got)
	})
	t.Wait()
	return got
}

// waits requires that a parked goroutine has no key.
func waits(t *conform.T, got <-chan key, why string) {
	select {
	case k, some := <-got:
		t.Require(!some, "Get handed out %v: %s.", k, why)
		t.Require(some, "Get says that the queue is shut down, and nobody has shut it down.")
	default:
	}
}

// long is for how long a goroutine that waits for a key which is ready, or soon will be, may wait
// before that is a failure.
const long = time.Hour

// has requires that a parked goroutine gets item.
func has(t *conform.T, got <-chan key, item string) {
	var k key
	select {
	case k = <-got:
	case <-time.After(long):
		t.Fatalf("A worker waits in Get, %q can be handed out, and the worker has not got it an hour later.", item)
	}
	t.Require(k.Item == item, "Get handed out %q, and the only key to come was %q.", k.Item, item)
}

// haveGot requires that workers have got the keys of want, in any order.
func haveGot(t *conform.T, want []string, happened string, workers ...<-chan key) {
	var all []string
	for _, w := range workers {
		select {
		case k := <-w:
			all = append(all, k.Item)
		case <-time.After(long):
			t.Fatalf("%s. Of %s that wait in Get for %q, not all have got a key an hour later.", happened, conform.Count(len(workers), "worker"), want)
		}
	}
	slices.Sort(all)
	t.Require(slices.Equal(all, want), "%s, and %s got %s.", happened, conform.Count(len(workers), "worker"), strings.Join(all, ", "))
}

// aMoment is what a worker may need to leave Get: no sentence says that it is gone at that instant.
const aMoment = time.Millisecond

// pass lets virtual time pass and the subject come to rest.
func pass(t *conform.T, d time.Duration) {
	time.Sleep(d)
	t.Note("%v later", d)
	t.Wait()
}
