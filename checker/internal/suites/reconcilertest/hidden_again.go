package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// terminals are requests, and what endsForGood returns for them.
var terminals = []struct{ name, kind string }{
	{"bare", "not wrapped"},
	{"wrapped", "wrapped in another error"},
	{"joined", "joined with another error"},
	{"conflict", "which wraps a conflict"},
	{"empty", "which wraps nil"},
}

// endsForGood returns a terminal error, as kit.IsTerminal finds it.
func endsForGood(name string) (kit.Result, error) {
	switch name {
	case "wrapped":
		return kit.Result{RequeueAfter: time.Second}, fmt.Errorf("no such image: %w", kit.TerminalError(errBoom))
	case "joined":
		return kit.Result{Requeue: true}, errors.Join(errors.New("no such image"), kit.TerminalError(errBoom))
	case "conflict":
		return kit.Result{}, kit.TerminalError(kit.NewConflict("pods", "shop/a-1"))
	case "empty":
		return kit.Result{}, kit.TerminalError(nil)
	}
	return kit.Result{}, kit.TerminalError(errBoom)
}

// staysEnded has requests fail once and then for good, in each way that kit.IsTerminal knows.
func staysEnded(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, doubling(time.Second))
	j := newJob(t, func(_ context.Context, name string, nth int) (kit.Result, error) {
		if nth == 1 {
			return kit.Result{}, errBoom
		}
		return endsForGood(name)
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	for _, c := range terminals {
		name, kind := c.name, c.kind
		began := t.Elapsed()
		j.expect(name, began, began+time.Second)
		q.put(name)
		time.Sleep(24 * time.Hour)
		j.asExpected(t, name, "The request failed, came again 1s later, and had a terminal error, "+kind+": it is not added again.")
		failures := q.NumRequeues(named(name))
		t.Require(failures == 1, "The request failed once and then had a terminal error, %s, and the rate limiter of %s counts %d failures. A terminal error adds none and forgets none.", kind, kindOfQueue(priorities), failures)
		j.expect(name, began, began+time.Second, t.Elapsed())
		q.put(name)
		t.Wait()
		j.asExpected(t, name, "The request had a terminal error, "+kind+", and somebody added it again.")
	}
	run.end()
}

// requeues has a request return Requeue, once with a Priority, which is no reason to forget.
func requeues(t *conform.T, s Subject, priorities bool) {
	seven := 7
	q := newQueue(t, doubling(time.Second))
	j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
		switch nth {
		case 2:
			return kit.Result{Requeue: true, Priority: &seven}, nil
		case 4:
			return kit.Result{Requeue: true, RequeueAfter: 20 * time.Second}, nil
		}
		return kit.Result{Requeue: nth < 6}, nil
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	j.expect("a", seconds(0, 1, 3, 7, 27, 28)...)
	q.put("a")
	time.Sleep(6 * time.Second)
	failures := q.NumRequeues(named("a"))
	t.Require(failures == 3, "The request shop/a was in %s, and returned Requeue three times, the second time with a Priority, and the rate limiter counts %d of its failures. Requeue is AddRateLimited, and no Forget.", kindOfQueue(priorities), failures)
	time.Sleep(4 * time.Second)
	failures = q.NumRequeues(named("a"))
	t.Require(failures == 0 || len(j.times("a")) != 4, "The request shop/a was in %s, and returned Requeue three times, and then RequeueAfter: 20s with Requeue, and the rate limiter still counts %d of its failures. RequeueAfter takes precedence: Forget, and AddAfter.", kindOfQueue(priorities), failures)
	time.Sleep(time.Hour)
	j.asExpected(t, "a", fmt.Sprintf("The request shop/a was in %s, and returned Requeue three times, the second time with a Priority, then RequeueAfter: 20s with Requeue, and Requeue once more: it comes again 1s, 2s, 4s, 20s and 1s later.", kindOfQueue(priorities)))
	run.end()
}

// endsInEachWay is the work of shop/a in doneOnce.
func endsInEachWay(_ context.Context, _ string, nth int) (kit.Result, error) {
	seven := 7
	switch nth {
	case 1:
		return kit.Result{}, errBoom
	case 2:
		return kit.Result{Requeue: true}, nil
	case 3:
		return kit.Result{RequeueAfter: time.Second}, nil
	case 4:
		return kit.Result{Requeue: true, Priority: &seven}, nil
	case 5:
		return kit.Result{RequeueAfter: time.Second, Priority: &seven}, nil
	case 6:
		return kit.Result{}, kit.TerminalError(errBoom)
	case 7:
		panic("at line 17")
	case 8:
		return kit.Result{Priority: &seven}, nil
	}
	return kit.Result{}, nil
}

// doneOnce has reconciles of one request end in each way there is.
func doneOnce(t *conform.T, s Subject, priorities bool) {
	q, late := newQueue(t, doubling(time.Second)), []string{}
	j := newJob(t, endsInEachWay)
	run := control(t, s, Options{Reconciler: j, Queue: q.holding(&late, priorities)}).run(t)
	defer run.cancel()
	for range 3 {
		t.Note("adds shop/a to the queue, with priority -7")
		q.Put(-7, named("a"))
		time.Sleep(time.Hour)
	}
	strays := q.strayWords()
	t.Require(len(strays) == 0, "After Done for a request, and before the next Get, %s was called with %s. Done is the last call about it, and each request gets one. Calls of that kind: %d.", kindOfQueue(priorities), first(strays), len(strays))
	run.end()
	t.Require(len(late) == 0, "After Done for a request, the worker that had it called %s of %s. Done is the last call about it. Calls of that kind: %d.", first(late), kindOfQueue(priorities), len(late))
	t.Require(j.total() == 9, "The request shop/a was reconciled %s, and 9 were due: it failed, returned Requeue, RequeueAfter, and both again with a Priority, had a terminal error, was added again, panicked, succeeded, was added again and succeeded.", conform.Count(j.total(), "time"))
}

// first is the first of some words, or "" if there are none.
func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// outcomes is why a request comes again: the first time, and then what comesAgain has returned.
var outcomes = []string{"it was added", "an error", "RequeueAfter", "Requeue", "RequeueAfter with Priority 3", "an error made from a panic", "Requeue with Priority 0", "a Priority alone"}

// comesAgain is the work of shop/a and shop/b in comesAgainAsItWas.
func comesAgain(_ context.Context, name string, nth int) (kit.Result, error) {
	three, zero := 3, 0
	switch {
	case name == "b" && nth <= 3:
		return kit.Result{}, errBoom
	case name == "b" && nth == 4:
		return kit.Result{RequeueAfter: time.Hour}, nil
	case name == "b":
		return kit.Result{}, nil
	}
	switch nth {
	case 2:
		return kit.Result{RequeueAfter: time.Second}, nil
	case 3:
		return kit.Result{Requeue: true}, nil
	case 4:
		return kit.Result{RequeueAfter: time.Second, Priority: &three}, nil
	case 5:
		panic("at line 17")
	case 6:
		return kit.Result{Requeue: true, Priority: &zero}, nil
	case 7:
		return kit.Result{Priority: &three}, nil
	}
	return kit.Result{}, errBoom // at the first try
}

// comesAgainAsItWas has one worker with two requests in turn, of different priorities.
func comesAgainAsItWas(t *conform.T, s Subject) {
	q := newQueue(t, func(int) time.Duration { return time.Hour })
	j := newJob(t, comesAgain)
	run := control(t, s, Options{Reconciler: j, Queue: q}).run(t)
	defer run.cancel()
	j.expect("a", seconds(0, 3600, 3601, 7201, 7202, 10802, 14402)...)
	j.expect("b", seconds(1.5, 3601.5, 7201.5, 10801.5, 14401.5)...)
	t.Note("adds shop/a to the queue, with priority -7")
	q.Put(-7, named("a"))
	time.Sleep(time.Second + time.Second/2)
	q.put("b")
	time.Sleep(24 * time.Hour)
	keepsPriority(t, q.handedOut("a"))
	level := q.handedOut("b")
	t.Require(slices.Equal(level, []int{0, 0, 0, 0, 0}), "The request shop/b was added with priority 0, failed three times, and then returned RequeueAfter without a Priority, while shop/a had others. It was handed out with the priorities %v. 0 was due each of five times: it keeps its own.", level)
	j.asExpected(t, "a", "In a queue with priorities the rate limiter says an hour: shop/a comes an hour after an error, a panic and each Requeue, and a second after each RequeueAfter. The last time it returned a Priority and nothing else, and does not come again.")
	j.asExpected(t, "b", "In a queue with priorities the rate limiter says an hour: shop/b comes an hour after each of three errors, and an hour after RequeueAfter: 1h.")
	failures := q.limits.NumRequeues(named("a"))
	t.Require(failures == 0, "The request shop/a returned a Priority and nothing else, which is no failure and no Requeue, and the rate limiter still counts %d of its failures: nobody called Forget.", failures)
	run.end()
}

// keepsItsOwn has two workers with a request each, of different priorities. One takes its request while the
// other is still busy.
func keepsItsOwn(t *conform.T, s Subject) {
	q := newQueue(t, func(int) time.Duration { return time.Hour })
	j := newJob(t, func(_ context.Context, name string, nth int) (kit.Result, error) {
		if nth > 1 {
			return kit.Result{}, nil
		}
		if name == "slow" {
			time.Sleep(2 * time.Second)
		}
		return kit.Result{}, errBoom
	})
	run := control(t, s, Options{Reconciler: j, Queue: q, MaxConcurrentReconciles: 2}).run(t)
	defer run.cancel()
	t.Note("adds shop/slow to the queue, with priority -7")
	q.Put(-7, named("slow"))
	time.Sleep(time.Second)
	t.Note("adds shop/quick to the queue, with priority 4")
	q.Put(4, named("quick"))
	time.Sleep(2 * time.Hour)
	run.end()
	for name, priority := range map[string]int{"slow": -7, "quick": 4} {
		got := q.handedOut(name)
		t.Require(slices.Equal(got, []int{priority, priority}), "Two workers had a request each, at one moment: shop/slow with priority -7, and shop/quick with 4. Both failed once. The request shop/%s was handed out with the priorities %v, and [%d %d] was due: each keeps its own.", name, got, priority, priority)
	}
}

// keepsPriority holds the priorities with which a request was handed out against those that were
// due, all of them before it judges: which outcomes lose the priority is the point.
func keepsPriority(t *conform.T, got []int) {
	t.Require(len(got) == 7, "The request shop/a was taken out of the queue %s, and 7 were due. The last outcome was: %s.", conform.Count(len(got), "time"), outcomes[min(len(got), 7)])
	var wrong, right []string
	for n, want := range []int{-7, -7, -7, -7, 3, 3, 0} {
		if got[n] == want {
			right = append(right, fmt.Sprintf("%d after %s", got[n], outcomes[n]))
		} else {
			wrong = append(wrong, fmt.Sprintf("%d after %s, where %d was due", got[n], outcomes[n], want))
		}
	}
	t.Require(len(wrong) == 0, "The request shop/a was added with priority -7. It was handed out with priority %s. Right were: %s.", strings.Join(wrong, "; "), conform.Listed(right))
}
