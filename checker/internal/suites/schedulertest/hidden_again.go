package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what a failed attempt leaves behind: how often a pod has failed, when it rests, and how it was seen last.

// slowCalls are the calls of an attempt that fails, which may take long: a backoff counts from the end of them all.
var slowCalls = []string{"Update of the client", "Get of the client", "the filter"}

// restsAfterASlowCall has attempts fail in which one call takes longer than any rest. An event comes during each, so
// that the pod is never unschedulable.
func restsAfterASlowCall(t *conform.T, s Subject, slow string) {
	t.Note("next: in each attempt %s takes 20s", slow)
	var w *world
	var mu sync.Mutex // guards calls
	var calls []slowCall
	takes := func(call string) {
		mu.Lock()
		failed := len(w.notes.times("a"))
		again := slices.ContainsFunc(calls, func(c slowCall) bool { return c.of == call && c.failed == failed })
		calls = append(calls, slowCall{call, t.Elapsed(), failed})
		mu.Unlock()
		if call == slow && !again { // a filter may be asked about a node twice in one attempt
			time.Sleep(20 * time.Second)
		}
	}
	w = newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error {
		if slow != "the filter" {
			return nil
		}
		w.wake()
		w.nodeFeed.drain()
		takes(slow)
		return errors.New("no")
	}))
	notWell := kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")
	w.answer(func(context.Context, *kit.Pod) outcome { takes("Update of the client"); return outcome{err: notWell} })
	w.getting(func(context.Context) error { takes("Get of the client"); return nil })
	w.addNode(newNode("n", 9))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	w.pass(80 * time.Second)
	mu.Lock()
	made := slices.Clone(calls)
	mu.Unlock()
	restedAfter(t, slow, made, w.notes.times("a"))
	w.pass(20 * time.Second)
	w.end()
}

// slowCall is a call of an attempt: when it began, and how many attempts had failed by then.
type slowCall struct {
	of     string
	at     time.Duration
	failed int
}

// restedAfter requires that three attempts have failed in 80s, and that the next began when the pod had rested. These are
// the calls of all attempts.
func restedAfter(t *conform.T, slow string, calls []slowCall, failed []time.Duration) {
	why := "In each attempt at a pod " + slow + " takes 20s, then the attempt fails, and the backoff counts from the end of the attempt."
	for i := range calls[:max(0, len(calls)-1)] {
		t.Require(calls[i].of != "Update of the client" || calls[i].of != calls[i+1].of, "An Update failed, and Update was called again, without a Get in between: the pod has to be read again with Get, and has to rest.")
	}
	for i, end := range failed[:min(len(failed), 3)] {
		next := slices.IndexFunc(calls, func(c slowCall) bool { return c.failed > i && c.of != "Get of the client" })
		t.Require(next >= 0, "%s Attempt %d failed after %v, and the pod was not tried again within 80s.", why, i+1, end)
		rests(t, calls[next].at-end, backoffs[i]*time.Second, fmt.Sprintf("%s Attempt %d has just failed.", why, i+1))
	}
	t.Require(len(failed) == 3, "%s With rests of 1s, 2s and 4s three attempts fail in 80s. The events FailedScheduling say that it was tried in vain %s, at %v.", why, times(len(failed)), failed)
}

// failsInTwoWays has a pod fail by turns: there is no node for it, or its binding fails.
func failsInTwoWays(t *conform.T, s Subject) {
	t.Note("next: a pod fails because there is no node, then because its binding fails, and so on")
	var refuse atomic.Bool
	refuse.Store(true)
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		if refuse.Load() {
			return errors.New("no")
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.addPods(newPod("a"))
	for n := 1; n < 6; n++ {
		const why = "The attempts at a pod fail by turns because no node is feasible, and because its binding fails, and each counts."
		t.Wait()
		failed := w.notes.times("a")
		t.Require(len(failed) == n, "%s It was tried at %v: that is %s, and should be %s.", why, failed, times(len(failed)), times(n))
		if refuse.Load() {
			w.wake() // it was unschedulable
		}
		refuse.Store(!refuse.Load())
		for range 111 {
			if w.pass(100 * time.Millisecond); len(w.notes.of("a")) > n {
				break
			}
		}
		failed = w.notes.times("a")
		t.Require(len(failed) > n, "%s After attempt %d it was not tried again within 11.1s.", why, n)
		rests(t, failed[n]-failed[n-1], backoffs[n-1]*time.Second, fmt.Sprintf("%s Attempt %d has just failed.", why, n))
	}
	w.end()
}

// failsGoneAndBack has a pod that is reported gone, and then there with the same UID, during its second attempt.
func failsGoneAndBack(t *conform.T, s Subject) {
	t.Note("next: during its second attempt a pod is reported gone, and then there again, with the same UID")
	g, again := newGate(t, "a filter"), atomic.Bool{}
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		if again.Load() {
			g.pass()
		}
		return errors.New("no")
	}))
	a := newPod("a")
	w.addPods(a)
	w.pass(15 * time.Second)
	again.Store(true)
	w.wake()
	<-g.reached
	goneAndThere(w, a, a)
	t.Wait()
	g.unlock()
	t.Wait()
	w.wake()
	w.pass(5 * time.Second)
	failed := w.notes.times("a")
	const why = "No node is feasible for a pod. During its second attempt the PodHandler was told that it is gone, and then that it is there, with the same UID: it is still the same pod, and has failed twice. Then an event came."
	t.Require(len(failed) == 3, "%s It was tried at %v: that is %s, and should be 3 times.", why, failed, times(len(failed)))
	rests(t, failed[2]-failed[1], 2*time.Second, why)
	w.end()
}

// goneAndThere has the PodHandler hear that a pod is gone, and then that it is there.
func goneAndThere(w *world, gone, there *kit.Pod) {
	w.saysGone(gone, true)
	w.saysThere(there, false)
}

// seenByGet has Get return a pod with a label of which its informer reports much later. Meanwhile the pod was tried as Get
// has returned it, and is unschedulable.
func seenByGet(t *conform.T, s Subject) {
	t.Note("next: the PodHandler hears of a change that Get has shown before")
	g, refuse := newGate(t, "Update of the client"), atomic.Bool{}
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		if refuse.Load() {
			return errors.New("no")
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	w.addPods(newPod("a"))
	<-g.reached
	w.podFeed.hold()
	relabelled(w)
	g.unlock()
	t.Wait()
	refuse.Store(true)
	w.pass(20 * time.Second)
	const why = "The binding of pod a met a conflict, and Get returned the pod with a new label. Then it was tried so, and no node was feasible. "
	w.waits(Pending{Unschedulable: 1}, why)
	w.podFeed.release()
	w.pass(12 * time.Second)
	tried := len(w.notes.of("a"))
	t.Require(tried == 2, "%sAfter that the PodHandler was told of the label. That is no change since the pod was last seen, and moves nothing. The pod was tried %s, and should have been tried twice.", why, times(tried))
	w.end()
}

// flushIsNoEvent has a pod wait for five minutes, and another in a filter when that time is over.
func flushIsNoEvent(t *conform.T, s Subject) {
	t.Note("next: a pod that nothing has moved is tried again while another is in a filter")
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, workers(2), filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "slow" {
			g.pass()
		}
		return errors.New("no")
	}))
	w.addPods(newPod("a"))
	w.pass(4*time.Minute + 50*time.Second)
	w.addPods(newPod("slow"))
	<-g.reached
	w.pass(41 * time.Second)
	w.told("a", "Nothing has moved pod a for five minutes and 30 seconds, so it was tried again.", "FailedScheduling", "FailedScheduling")
	g.unlock()
	t.Wait()
	w.waits(Pending{Unschedulable: 2}, "While pod slow was being tried, another was tried again because nothing had moved it for five minutes. That is no event, and moves no other pod. Then the attempt at slow found no node.")
	w.end()
}

// changesWheneverAsked has a node send a heartbeat each of the first times that the filter is asked about it.
func changesWheneverAsked(t *conform.T, s Subject) {
	const beaten = 12
	t.Note("next: a heartbeat of the node comes during each of the first %d calls of the filter", beaten)
	var w *world
	var calls atomic.Int64
	w = newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error {
		if calls.Add(1) <= beaten {
			w.changeNode("n", beats)
			w.nodeFeed.drain()
		}
		return nil
	}))
	w.addNode(newNode("n", 9))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	t.Wait()
	why := fmt.Sprintf("A heartbeat of the only node came during each of the first %d calls of the filter, which refuses nothing. Whenever the node has changed the filters are called again, and only if one refuses it now does the worker look for another. The filter was called %s.", beaten, times(int(calls.Load())))
	w.runsOn("a", "n", why)
	w.told("a", why, "Scheduled")
	w.end()
}
