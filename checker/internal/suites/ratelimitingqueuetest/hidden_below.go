package ratelimitingqueuetest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// busy is a delaying queue whose AddAfter does something else first.
type busy struct {
	*delaying
	first func(item string)
}

func (q *busy) AddAfter(item string, after time.Duration) {
	q.first(item)
	q.delaying.AddAfter(item, after)
}

// slowBelow has a limiter and a delaying queue that take their time.
func slowBelow(t *conform.T, s Subject) {
	began := t.Elapsed()
	inner := &busy{newDelaying(t), func(string) { time.Sleep(time.Minute) }}
	limiter := fake.NewLimiter(func(string, int) time.Duration { time.Sleep(10 * time.Second); return time.Hour }).In(t)
	q := queues.CallingRateLimiting(t.Actor, s.Queue(limiter, inner))
	t.Note("a limiter that takes 10s to say 1h, over a delaying queue whose AddAfter takes 1m")
	q.AddRateLimited("a")
	took := t.Elapsed() - began
	t.Require(took == 70*time.Second, "The limiter took 10s and AddAfter 1m, and AddRateLimited returned after %v: it returns when AddAfter has returned.", took)
	inner.used(t, nil, delayed{"a", time.Hour})
	q.ShutDown()
}

// belowCallsBack has a limiter and a delaying queue that call the queue above them.
func belowCallsBack(t *conform.T, s Subject) {
	var q Queue
	limiter := callsBack(time.Hour, func() Limiter { return asked{q} })
	inner := &busy{delaying: newDelaying(t)}
	q = s.Queue(limiter, inner)
	inner.first = func(item string) {
		if item == "other" {
			return
		}
		q.NumRequeues(item)
		q.Forget(item)
		told := slices.Contains(limiter.Forgotten(), item)
		t.Assert(told, "Forget was called while AddAfter of %q was under way, and has returned without telling the limiter.", item)
		q.AddRateLimited("other")
	}
	t.Note("a limiter that calls methods of the queue, for the item \"other\", before it answers; and a delaying queue whose AddAfter calls some first, too")
	client := queues.CallingRateLimiting(t.Actor, q)
	client.AddRateLimited("a")
	t.Require(slices.Contains(inner.delays, delayed{"a", time.Hour}), "The limiter and AddAfter called methods of the queue for another item, and AddAfter was called with %s, and not with \"a\" and 1h.", list(inner.delays))
	client.NumRequeues("a")
	client.Forget("a")
	client.ShutDown()
}

// prioritized is a delaying queue that could do more than delay.
type prioritized struct {
	*delaying
	more []string // the calls of what a delaying queue has not
}

var _ kit.PriorityQueue[string] = (*prioritized)(nil)

func (q *prioritized) did(call string) {
	q.actor.Note("%s arrives", call)
	q.more = append(q.more, call)
}

func (q *prioritized) AddRateLimited(string)              { q.did("AddRateLimited") }
func (q *prioritized) Forget(string)                      { q.did("Forget") }
func (q *prioritized) AddWithOpts(kit.AddOpts, ...string) { q.did("AddWithOpts") }
func (q *prioritized) NumRequeues(string) int             { q.did("NumRequeues"); return 0 }
func (q *prioritized) GetWithPriority() (string, int, bool) {
	q.did("GetWithPriority")
	return "", 0, true
}

// overMore puts the queue on one that could do more, and calls all three methods.
func overMore(t *conform.T, s Subject) {
	inner := &prioritized{delaying: newDelaying(t)}
	q := queues.CallingRateLimiting(t.Actor, s.Queue(fake.Always[string](time.Second).In(t), inner))
	t.Note("over a delaying queue that is a priority queue, too")
	q.AddRateLimited("a")
	n := q.NumRequeues("a")
	q.Forget("a")
	t.Require(len(inner.more) == 0, "The queue below is a priority queue as well, and %s of it was called: AddRateLimited hands items to AddAfter, and Forget and NumRequeues are between this queue and its limiter.", strings.Join(inner.more, ", "))
	inner.used(t, nil, delayed{"a", time.Second})
	t.Require(n == 1, "NumRequeues is %d, and the limiter's number is 1.", n)
	q.ShutDown()
}

// underItsOwnLimiter has more items fail at once than a bucket would let pass, and the limiter is the subject's.
func underItsOwnLimiter(t *conform.T, s Subject) {
	const items = 300
	inner := &tally{Plain: queues.NewPlain(t)}
	q := s.Queue(s.Exponential(time.Millisecond, time.Hour), inner)
	for i := range items {
		q.AddRateLimited(strconv.Itoa(i))
	}
	t.Note("AddRateLimited of %d items, under an exponential limiter from 1ms to 1h", items)
	t.Require(inner.after == items, "AddRateLimited was called for %d items, and AddAfter of the delaying queue %d times.", items, inner.after)
	t.Require(inner.longest == time.Millisecond, "%d items failed once each, and their limiter says 1ms for each. AddAfter of the delaying queue was called with up to %v: it is called with exactly the limiter's time.", items, inner.longest)
}

// anyDuration calls AddAfter of the queue with all kinds of times.
func anyDuration(t *conform.T, s Subject) {
	inner := newDelaying(t)
	q := over(t, s, fake.Always[string](time.Hour).In(t), inner)
	var want []delayed
	for i, after := range []time.Duration{0, -time.Second, 1, 1234567, 2000 * time.Second, 10_000*time.Hour + 1, math.MaxInt64} {
		item := fmt.Sprintf("item %d", i)
		q.AddAfter(item, after)
		want = append(want, delayed{item, after})
	}
	inner.used(t, nil, want...)
}
