package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// backoffs are the least times between failures of one pod.
var backoffs = []time.Duration{1, 2, 4, 8, 10, 10}

func backoffDoubles(t *conform.T, open func() Subject) {
	w := running(t, open(), []*kit.Node{newNode("n", 0)})
	w.addPods(newPod("refused"))
	for range 450 {
		w.wake()
		w.pass(100 * time.Millisecond)
	}
	rested(t, w.notes.times("refused"), "although a node changes all the time and no filter likes it")
	w.end()

	w = running(t, open(), []*kit.Node{newNode("n", 9)})
	w.answer(func(ctx context.Context, _ *kit.Pod) outcome {
		if w.updated() > 1000 { // more than twice as many as with rests: without them there would be no end
			<-ctx.Done()
		}
		return outcome{err: kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")}
	})
	w.addPods(newPod("unlucky"))
	names := []string{"unlucky"}
	for _, name := range []string{"two", "three", "four", "five"} { // each at another part of a second
		w.pass(430 * time.Millisecond)
		w.addPods(newPod(name))
		names = append(names, name)
	}
	w.pass(12 * time.Minute) // more than 64 failures
	for _, name := range names {
		rested(t, w.notes.times(name), "because its binding has failed")
	}
	w.answer(nil)
	w.pass(12 * time.Second)
	w.runsOn("unlucky", "n", "The API server is well again, and a pod in backoff was not bound within its ten seconds.")
	w.end()
	restsOtherwise(t, open)
}

// restsOtherwise has pods fail, and rest, in other ways.
func restsOtherwise(t *conform.T, open func() Subject) {
	remembersFailures(t, open())
	for _, slow := range slowCalls {
		restsAfterASlowCall(t, open(), slow)
	}
	failsInTwoWays(t, open())
	failsGoneAndBack(t, open())
	changesAndRests(t, open())
	activeThoughNobodyIsFree(t, open())
	shortBesideLong(t, open())
	restTogether(t, open())
	failTogether(t, open())
	overtakenAgainAndAgain(t, open(), "a node changed", func(w *world) { w.wake(); w.nodeFeed.drain() })
	overtakenAgainAndAgain(t, open(), "its own spec changed", func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.Image += "x" })
		w.podFeed.drain()
	})
	quietInTheRest(t, open())
	wokenAfterTheLongestRest(t, open())
	conflictsAgainAndAgain(t, open())
	restBeginsUnawares(t, open())
}

// conflictsAgainAndAgain has somebody else change a pod before each of its Updates is written.
func conflictsAgainAndAgain(t *conform.T, s Subject) {
	t.Note("next: each binding of a pod meets a conflict")
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) outcome {
		turn := strconv.Itoa(w.updated())
		w.changePod("a", func(p *kit.Pod) { p.Annotations, p.Spec.Image = map[string]string{"turn": turn}, "web:"+turn })
		return outcome{}
	})
	w.addPods(newPod("a"))
	w.pass(45 * time.Second)
	rested(t, w.notes.times("a"), "because somebody has changed it before each of its bindings was written")
	w.end()
}

// wokenAfterTheLongestRest has a pod fail six times, and an event come half a second after its backoff is over.
func wokenAfterTheLongestRest(t *conform.T, s Subject) {
	t.Note("next: an event comes 10.5s after the sixth failure of a pod")
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	w.addPods(newPod("patient"))
	for range 5 {
		w.pass(15 * time.Second)
		w.wake()
		t.Wait()
	}
	const why = "A pod has failed six times, and has a backoff of 10s. "
	w.told("patient", why, slices.Repeat([]string{"FailedScheduling"}, 6)...)
	w.pass(10500 * time.Millisecond)
	w.waits(Pending{Unschedulable: 1}, why+"That was 10.5s ago, and nothing has moved it.")
	w.wake()
	t.Wait()
	tried := len(w.notes.of("patient"))
	t.Require(tried == 7, "%sAn event came 10.5s after the last failure, when the backoff was over: it moves the pod to the active queue, to be tried at once. The pod was tried %s, and should have been tried 7 times.", why, times(tried))
	w.end()
}

// overtakenAgainAndAgain has an event during each attempt at a pod, so that it is never unschedulable.
func overtakenAgainAndAgain(t *conform.T, s Subject, what string, event func(w *world)) {
	t.Note("next: during each attempt at a pod %s", what)
	var w *world
	w = newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error {
		event(w)
		return errors.New("no")
	}))
	w.addNode(newNode("n", 9))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	w.pass(45 * time.Second)
	rested(t, w.notes.times("a"), "because "+what+" during each of its attempts, which all fail")
	w.end()
}

// shortBesideLong has a pod fail for the first time while another rests for eight seconds.
func shortBesideLong(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 0)}, filters(func(*kit.Pod, NodeInfo) error { return nil }))
	w.answer(func(context.Context, *kit.Pod) outcome {
		return outcome{err: kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")}
	})
	w.addPods(newPod("tired"))
	w.pass(11 * time.Second) // it has failed four times, the last time between 7s and 10s
	w.addPods(newPod("new"))
	w.pass(2100 * time.Millisecond)
	failed := w.notes.times("new")
	t.Require(len(failed) > 1, "Pod tired has failed four times and rests for 8s. Meanwhile pod new failed for the first time, and rests for 1s: "+
		"it was not tried again within 2.1s, though its rest ends before that of tired, which began earlier.")
	rests(t, failed[1]-failed[0], time.Second, "Pod new failed for the first time, while pod tired rested for 8s.")
	w.end()
}

// remembersFailures has a pod fail four times, each time woken by an event long after its
// backoff was over.
func remembersFailures(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	w.addPods(newPod("patient"))
	for range 3 {
		w.pass(15 * time.Second)
		w.wake()
		t.Wait()
	}
	w.wake()
	t.Wait()
	w.pass(12 * time.Second)
	failed := w.notes.times("patient")
	t.Require(len(failed) == 5, "A pod fails at once, after each of three events that come 15s apart, and once more, for another event came just after the last failure. It was tried at %v: that is %s, and should be 5 times.", failed, times(len(failed)))
	rests(t, failed[4]-failed[3], 8*time.Second, "A pod has failed four times, each time after an event.")
	for range 331 {
		if w.pass(time.Second); len(w.notes.times("patient")) > 5 {
			break
		}
	}
	failed = w.notes.times("patient")
	t.Require(len(failed) == 6, "A pod has failed five times, and then nothing has happened for five minutes and a half. It was tried %s, and should have been tried a sixth time.", times(len(failed)))
	took := failed[5] - failed[4]
	t.Require(5*time.Minute <= took && took <= 5*time.Minute+30*time.Second, "A pod has failed five times, and then nothing has happened. It was tried again after %v, and should have been after five minutes, at most 30 seconds later.", took)
	w.wake()
	t.Wait()
	w.pass(12 * time.Second)
	failed = w.notes.times("patient")
	const why = "A pod has failed six times, the last time because nothing had woken it for five minutes. Just after that an event came."
	t.Require(len(failed) == 7, "%s It was tried at %v: that is %s, and should be 7 times.", why, failed, times(len(failed)))
	rests(t, failed[6]-failed[5], 10*time.Second, why)
	w.end()
}

// changesAndRests has a pod fail four times, each time woken by a change of its own spec. Two more
// changes come when it has just failed: the first finds it unschedulable, the second in backoff.
func changesAndRests(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	change := func() {
		w.changePod("fickle", func(p *kit.Pod) { p.Spec.Image += "x" })
		t.Wait()
	}
	w.addPods(newPod("fickle"))
	for range 3 {
		w.pass(15 * time.Second)
		change()
	}
	change()
	change()
	w.pass(12 * time.Second)
	failed := w.notes.times("fickle")
	const why = "The spec of a pod changed three times, 15s apart, and each time it was tried and failed. Two more changes came just after its fourth failure, and a change of its own spec does not shorten the backoff."
	t.Require(len(failed) > 4, "%s It was tried at %v: that is %s, and should be 5 times.", why, failed, times(len(failed)))
	rests(t, failed[4]-failed[3], 8*time.Second, why)
	t.Require(len(failed) == 5, "%s It was tried at %v: that is %s, and should be 5 times.", why, failed, times(len(failed)))
	change()
	w.pass(12 * time.Second)
	failed = w.notes.times("fickle")
	const then = "The spec of a pod changed again and again, also while it rested. It has failed five times, and then its spec changed once more."
	t.Require(len(failed) == 6, "%s It was tried at %v: that is %s, and should be 6 times.", then, failed, times(len(failed)))
	rests(t, failed[5]-failed[4], 10*time.Second, then)
	w.end()
}

// activeThoughNobodyIsFree has a pod in backoff, and the only worker busy with another pod.
func activeThoughNobodyIsFree(t *conform.T, s Subject) {
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "slow" {
			g.pass()
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.addPods(newPod("rests"))
	t.Wait()
	w.waits(Pending{Backoff: 1}, "The binding of the only pod has failed.")
	w.addPods(newPod("slow"))
	<-g.reached
	w.pass(2100 * time.Millisecond)
	w.waits(Pending{Active: 1, InFlight: 1}, "Pod rests failed once, 2.1s ago. Its backoff of 1s is over, so it became active, at most one second later; the only worker is busy with pod slow.")
	w.changePod("rests", func(p *kit.Pod) { p.Spec.Image = "another" })
	t.Wait()
	g.unlock()
	w.pass(4 * time.Second)
	const why = "Pod rests failed once. Its spec was changed while it was active. Then it was tried, and failed for the second time: as long as the pod exists, the number of its failures is never reset."
	failed := w.notes.times("rests")
	t.Require(len(failed) > 2, "%s It was tried at %v: that is %s, and should be 3 times.", why, failed, times(len(failed)))
	rests(t, failed[2]-failed[1], 2*time.Second, why)
	w.end()
}

// rested requires that attempts failed with the right times between them.
func rested(t *conform.T, failed []time.Duration, why string) {
	t.Require(len(failed) > len(backoffs), "A pod is tried again %s, with rests of 1s, 2s, 4s, 8s and then 10s. In 45s it was tried %s, at %v, and should have been tried more than %d times.", why, times(len(failed)), failed, len(backoffs))
	for i := range len(failed) - 1 {
		rests(t, failed[i+1]-failed[i], backoffs[min(i, len(backoffs)-1)]*time.Second, fmt.Sprintf("A pod is tried again %s, and attempt %d has just failed.", why, i+1))
	}
}

// restTogether has four pods in the unschedulable queue that rest for 2s, 4s, 8s and 10s, and an
// event, which moves all of them to the backoff queue.
func restTogether(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	start := time.Now()
	for n := 5; n > 1; n-- { // the one that comes first fails most often, and is tried last
		p := newPod("fails" + strconv.Itoa(n))
		p.CreationTimestamp = start.Add(time.Duration(n) * time.Second)
		w.addPods(p)
		w.pass(15 * time.Second)
		w.wake()
		t.Wait()
	}
	w.waits(Pending{Unschedulable: 4}, "For four pods there is no node, and they are not all in the unschedulable queue.")
	w.wake()
	t.Wait()
	w.waits(Pending{Backoff: 4}, "Four pods have just failed, for the second time, the third, the fourth and the fifth. Then an event moved them to the backoff queue.")
	w.pass(12 * time.Second)
	for n := 2; n <= 5; n++ {
		failed := w.notes.times("fails" + strconv.Itoa(n))
		why := fmt.Sprintf("A pod has failed %s, and was in the backoff queue together with three others.", times(n))
		t.Require(len(failed) == n+1, "%s In the 12s after that it was tried %s, and should have been tried once.", why, times(len(failed)-n))
		rests(t, failed[n]-failed[n-1], backoffs[n-1]*time.Second, why)
	}
	w.end()
}

// failTogether has the bindings of two pods fail at the same time, again and again. One of them has
// failed often and rests for ten seconds, and the other is new and rests for one. If the longer rest
// is noticed first, the shorter one comes while the scheduler is busy with that.
func failTogether(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	var both atomic.Pointer[gate] // the new pod waits there for the tired one
	both.Store(newGate(t, "Update of the client"))
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if g := both.Load(); p.Name == "tired" {
			g.unlock()
		} else {
			g.pass()
		}
		return outcome{err: kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")}
	})
	w.addPods(newPod("tired"))
	w.pass(30 * time.Second)
	for i := range 600 {
		name := "new" + strconv.Itoa(i)
		both.Store(newGate(t, "Update of the client"))
		w.addPods(newPod(name))
		w.pass(13200 * time.Millisecond)
		const why = "The bindings of two pods failed at the same time. One of them had failed often and rests for 10s, and the other had failed for the first time and rests for 1s."
		failed := w.notes.times(name)
		t.Require(len(failed) > 1, "%s The other was not tried again within 2.1s.", why)
		rests(t, failed[1]-failed[0], time.Second, why)
		w.deletePod(name, false)
		t.Wait()
	}
	w.end()
}

// quietInTheRest has the status and the annotations of a pod change just after it has failed, and then an event come.
func quietInTheRest(t *conform.T, s Subject) {
	t.Note("next: the status and the annotations of an unschedulable pod change while its backoff is not over")
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	w.addPods(newPod("a"))
	t.Wait()
	w.changePod("a", func(p *kit.Pod) { p.Status.Reason, p.Annotations = "Unschedulable", map[string]string{"a": "b"} })
	w.resyncPod("a")
	t.Wait()
	w.wake()
	t.Wait()
	const why = "Pod a has failed once, and just after that its status and its annotations changed. Then an event came. "
	w.waits(Pending{Backoff: 1}, why+"It moves the pod to the backoff queue while its backoff is not over.")
	w.pass(3 * time.Second)
	at := w.notes.times("a")
	t.Require(len(at) == 2, "%sThree seconds later it had been tried %s, and should have been tried twice.", why, times(len(at)))
	rests(t, at[1]-at[0], time.Second, why)
	w.end()
}
