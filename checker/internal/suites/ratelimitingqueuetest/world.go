package ratelimitingqueuetest

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

// delaying is the delaying queue under the subject's queue. It remembers how it was used.
type delaying struct {
	*queues.Plain
	actor *conform.Actor

	mu     sync.Mutex // guards the fields below
	adds   []string   // every direct Add
	delays []delayed  // every AddAfter
	ends   []string   // every ShutDown and ShutDownWithDrain
}

type delayed struct {
	Item  string
	After time.Duration
}

func newDelaying(t *conform.T) *delaying {
	return &delaying{Plain: queues.NewPlain(t), actor: t.Named("delaying queue")}
}

func (q *delaying) Add(item string) {
	q.mu.Lock()
	q.adds = append(q.adds, item)
	q.mu.Unlock()
	q.Plain.Add(item)
}

func (q *delaying) AddAfter(item string, after time.Duration) {
	q.mu.Lock()
	q.delays = append(q.delays, delayed{item, after})
	q.mu.Unlock()
	q.actor.Note("AddAfter(%q, %v) arrives", item, after)
	if after <= 0 {
		q.Plain.Add(item)
		return
	}
	time.AfterFunc(after, func() { q.Plain.Add(item) })
}

func (q *delaying) ShutDown() {
	q.ending("ShutDown")
	q.Plain.ShutDown()
}

func (q *delaying) ShutDownWithDrain() {
	q.ending("ShutDownWithDrain")
	q.Plain.ShutDownWithDrain()
}

func (q *delaying) ending(call string) {
	q.actor.Note("%s arrives", call)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ends = append(q.ends, call)
}

// ended requires how the delaying queue was shut down.
func (q *delaying) ended(t *conform.T, want ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.Require(slices.Equal(q.ends, want), "The queue was shut down by %s, and the delaying queue by %s: these calls go there unchanged.",
		strings.Join(want, ", then "), cmp.Or(strings.Join(q.ends, ", then "), "nothing"))
}

// used requires how Add and AddAfter of the delaying queue were called.
func (q *delaying) used(t *conform.T, adds []string, delays ...delayed) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.Require(slices.Equal(q.adds, adds), "Add of the delaying queue was called with %s, and should have been called with %s. Its AddAfter was called with %s, and should have been called with %s.",
		quoted(q.adds), quoted(adds), list(q.delays), list(delays))
	t.Require(slices.Equal(q.delays, delays), "When all calls had returned, AddAfter of the delaying queue had been called with %s. It should have been called with %s.", list(q.delays), list(delays))
}

// list is what AddAfter was called with, as messages have it.
func list(delays []delayed) string {
	texts := make([]string, len(delays))
	for i, d := range delays {
		texts[i] = fmt.Sprintf("%q and %v", d.Item, d.After)
	}
	return cmp.Or(strings.Join(texts, ", "), "nothing")
}

// quoted is what Add was called with, as messages have it.
func quoted(items []string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = strconv.Quote(item)
	}
	return cmp.Or(strings.Join(texts, ", "), "nothing")
}

// over makes a subject over inner.
func over(t *conform.T, s Subject, limiter Limiter, inner *delaying) queues.RateLimitingClient {
	return queues.CallingRateLimiting(t.Actor, s.Queue(limiter, inner))
}

// when and its like call a limiter and write the call into the history.
func when(a *conform.Actor, l Limiter, item string) time.Duration {
	return conform.Do(a, func() time.Duration { return l.When(item) }, "When(%q)", item)
}

func forget(a *conform.Actor, l Limiter, item string) {
	a.Do(func() { l.Forget(item) }, "Forget(%q)", item)
}

func requeues(a *conform.Actor, l Limiter, item string) int {
	return conform.Do(a, func() int { return l.NumRequeues(item) }, "NumRequeues(%q)", item)
}

// waits requires how long an item waits that fails now. What says which failure that is.
func waits(t *conform.T, l Limiter, item string, want time.Duration, what string) {
	got := when(t.Actor, l, item)
	if got != want {
		when(t.Actor, l, item) // the history shows whether the next wait is wrong too
	}
	within(t, got, want, 0, what)
}

// waitsAbout is waits to the microsecond, which is what a bucket promises.
func waitsAbout(t *conform.T, l Limiter, item string, want time.Duration, what string) {
	within(t, when(t.Actor, l, item), want, time.Microsecond, what)
}

func within(t *conform.T, got, want, tolerance time.Duration, what string) {
	t.Require(got >= want-tolerance, "When returned %v, too short a wait: %s waits %v.", got, what, want)
	t.Require(got <= want+tolerance, "When returned %v, too long a wait: %s waits %v.", got, what, want)
}

// counts requires how many failures of an item are counted.
func counts(t *conform.T, l Limiter, item string, want int, why string) {
	got := requeues(t.Actor, l, item)
	t.Require(got == want, "NumRequeues(%q) is %d, and should be %d: %s.", item, got, want, why)
}

func name(i int) string { return "item-" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) }

// tally is a delaying queue that counts the calls of AddAfter, and delays nothing.
type tally struct {
	*queues.Plain
	after   int
	longest time.Duration
}

func (q *tally) AddAfter(_ string, after time.Duration) {
	q.after++
	q.longest = max(q.longest, after)
}

// neverGivesUp has one item fail very often, while others are queued.
func neverGivesUp(t *conform.T, s Subject, wait time.Duration, queued int) {
	const failures = 3000
	inner, limiter := &tally{Plain: queues.NewPlain(t)}, fake.Always[string](wait)
	q := s.Queue(limiter, inner)
	for i := range queued {
		inner.Add(strconv.Itoa(i))
	}
	t.Note("a limiter that always says %v; %s queued", wait, conform.Count(queued, "other item"))
	for range failures {
		q.AddRateLimited("a")
	}
	t.Note("AddRateLimited(\"a\") %d times", failures)
	t.Require(limiter.Asked() == failures, "AddRateLimited was called %d times and asked the limiter %d times: it asks each time.", failures, limiter.Asked())
	t.Require(inner.after == failures, "AddRateLimited was called %d times and called AddAfter %d times: it hands the item to AddAfter each time, however often it has failed.", failures, inner.after)
	forgot := len(limiter.Forgotten())
	t.Require(forgot == 0, "Only AddRateLimited was called, %d times, and it called Forget of the limiter %s: it asks the limiter, and forgets nothing.", failures, conform.Count(forgot, "time"))
	n := conform.Do(t.Actor, func() int { return q.NumRequeues("a") }, "NumRequeues(%q)", "a")
	t.Require(n == failures, "NumRequeues(\"a\") of the queue is %d, and the limiter's number is %d.", n, failures)
}

// afterShutDown has a worker fail once more after its queue was shut down.
func afterShutDown(t *conform.T, s Subject) {
	inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
	q := over(t, s, limiter, inner)
	q.AddRateLimited("a")
	q.ShutDown()
	q.AddRateLimited("a")
	t.Require(limiter.Asked() == 2, "AddRateLimited was called once before ShutDown and once after it, and asked the limiter %s in all: it asks each time. What a shutdown changes is the delaying queue's business.", conform.Count(limiter.Asked(), "time"))
	inner.used(t, nil, delayed{"a", time.Second}, delayed{"a", 2 * time.Second})
}

// whileHeld has a worker fail that still holds its item.
func whileHeld(t *conform.T, s Subject) {
	inner := newDelaying(t)
	q := over(t, s, fake.Always[string](time.Second).In(t), inner)
	q.Add("held")
	q.Expect(t, "held")
	q.AddRateLimited("held")
	inner.used(t, []string{"held"}, delayed{"held", time.Second})
	q.Done("held")
	inner.used(t, []string{"held"}, delayed{"held", time.Second})
	q.ShutDown()
}

// countless is a limiter that, like a bucket, knows no items: its number is always 0.
type countless struct{ *fake.Limiter[string] }

func (countless) NumRequeues(string) int { return 0 }

// withoutNumbers has an item fail whose number is always 0.
func withoutNumbers(t *conform.T, s Subject) {
	inner := newDelaying(t)
	q := over(t, s, countless{fake.Always[string](time.Minute).In(t)}, inner)
	t.Note("a limiter that, like a bucket, knows no items: its NumRequeues is always 0")
	q.AddRateLimited("a")
	inner.used(t, nil, delayed{"a", time.Minute})
	n := q.NumRequeues("a")
	t.Require(n == 0, "NumRequeues(\"a\") of the queue is %d, and the limiter's number is 0.", n)
}

// numbered is a limiter with a number of its own making.
type numbered struct {
	*fake.Limiter[string]
	number int
}

func (l numbered) NumRequeues(string) int { return l.number }

// anyNumber has limiters whose numbers are large, or negative.
func anyNumber(t *conform.T, s Subject) {
	for _, number := range []int{1 << 8, 1 << 16, 1 << 32, math.MaxInt, -3} {
		q := over(t, s, numbered{fake.Always[string](time.Second), number}, newDelaying(t))
		n := q.NumRequeues("a")
		t.Require(n == number, "NumRequeues(\"a\") of the queue is %d, and the limiter's number is %d.", n, number)
	}
}

// allAtOnce has several workers call all methods at once, for the race detector to see.
func allAtOnce(t *conform.T, s Subject) {
	const workers, rounds = 3, 3
	t.Note("%d workers call all methods of a queue, at once", workers)
	q := s.Queue(fake.Always[string](time.Second), newDelaying(t))
	for w := range workers {
		t.Go(name(w), func(a *conform.Actor) {
			q := queues.CallingRateLimiting(a, q)
			for round := range rounds {
				item := fmt.Sprintf("%s, round %d", name(w), round)
				q.Forget(item)
				q.NumRequeues(item)
				q.Len()
				q.ShuttingDown()
				q.Add(item)
				any, _ := q.Get() // there are as many adds as there are gets
				q.Done(any)
				q.AddAfter(item+", delayed", 0)
				q.AddRateLimited(item + ", limited")
				any, _ = q.Get()
				q.Done(any)
			}
		})
	}
	t.Join()
	q.ShutDown()
}

// workersFail has several workers fail at once: item "7" waits 7s, and so on.
func workersFail(t *conform.T, s Subject) {
	const workers, each = 4, 20
	inner := newDelaying(t)
	says := func(item string, _ int) time.Duration {
		runtime.Gosched() // another worker may come in between
		n, _ := strconv.Atoi(item)
		return time.Duration(n) * time.Second
	}
	q := s.Queue(fake.NewLimiter(says), inner)
	for w := range workers {
		t.Go(name(w), func(a *conform.Actor) {
			for i := range each {
				queues.CallingRateLimiting(a, q).AddRateLimited(strconv.Itoa(w*each + i))
			}
		})
	}
	t.Join()
	inner.mu.Lock()
	defer inner.mu.Unlock()
	t.Require(len(inner.delays) == workers*each, "%d workers called AddRateLimited %d times each, and AddAfter of the delaying queue was called %d times.", workers, each, len(inner.delays))
	for _, d := range inner.delays {
		want := says(d.Item, 0)
		t.Require(d.After == want, "%d workers failed at once. The limiter says %v for item %q, and AddAfter of the delaying queue was called with %v.", workers, want, d.Item, d.After)
	}
}
