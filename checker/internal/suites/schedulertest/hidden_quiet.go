package schedulertest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what happens while a pod is being tried and moves it nowhere.

// quietly is what happens in the middle of an attempt and moves no pod, or another one alone.
type quietly struct {
	what   string
	does   func(w *world)
	parked bool // pod parked is there, and waits
}

var quiet = []quietly{
	{"a resync of it came", func(w *world) { w.resyncPod("a") }, false},
	{"its own status changed", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Status.Reason = "Unschedulable" }) }, false},
	{"its own annotations changed", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Annotations = map[string]string{"a": "b"} }) }, false},
	{"a node's heartbeat came", func(w *world) { w.changeNode("n", beats) }, false},
	{"a node's annotations changed", func(w *world) {
		w.changeNode("n", func(n *kit.Node) { n.Annotations = map[string]string{"a": "b"} })
	}, false},
	{"a node was deleted", func(w *world) { w.deleteNode("spare") }, false},
	{"a new pod came that has a node", func(w *world) { w.addPods(bound("placed", "n")) }, false},
	{"another pod got a node, and the PodHandler was told before Update returned", func(w *world) { w.addPods(newPod("b")) }, false},
	{"a pod on a node was marked for deletion, and still runs", func(w *world) { w.changePod("old", marked) }, false},
	{"the status of a pod on a node changed, and a resync of it came", func(w *world) {
		w.changePod("old", func(p *kit.Pod) { p.Status.Phase = kit.PodRunning })
		w.resyncPod("old")
	}, false},
	{"an old notification, without a node, came about a pod that is on one", func(w *world) {
		before := w.stored("old").DeepCopy()
		before.Spec.NodeName = ""
		w.again(before)
	}, false},
	{"a pod came that had ended on a node, and so never counted, and it was deleted", func(w *world) {
		w.addPods(podWith(bound("job", "n"), fails))
		w.resyncPod("job")
		w.deletePod("job", false)
	}, false},
	{"another pod, which is unschedulable, changed its spec", func(w *world) {
		w.changePod("parked", func(p *kit.Pod) { p.Spec.Image = "another" })
	}, true},
	{"the status of another pod changed, which is unschedulable, and a resync of it came", func(w *world) {
		w.changePod("parked", func(p *kit.Pod) { p.Status.Reason = "Unschedulable" })
		w.resyncPod("parked")
	}, true},
	{"another pod, which rests, changed its spec", func(w *world) {
		for range 2 { // the first is tried at once, and the second finds it resting
			w.changePod("parked", func(p *kit.Pod) { p.Spec.Image += "x" })
			w.t.Wait()
		}
		w.changePod("parked", func(p *kit.Pod) { p.Spec.Image = "another" })
	}, true},
	{"another pod, which was active because no worker was free, changed its spec, and was deleted later", func(w *world) {
		w.addPods(newPod("slow")) // for the other worker
		w.t.Wait()
		w.addPods(newPod("next"))
		w.t.Wait()
		w.changePod("next", func(p *kit.Pod) { p.Spec.Image = "another" })
		w.t.Wait()
		w.deletePod("next", false)
		w.deletePod("slow", false)
	}, false},
	{"another pod, which is unschedulable, was deleted", func(w *world) { w.deletePod("parked", false) }, true},
	{"another pod, which is unschedulable, was marked for deletion", func(w *world) { w.changePod("parked", marked) }, true},
	{"another pod, which is unschedulable, has failed", func(w *world) { w.changePod("parked", fails) }, true},
}

// podWith returns a pod that is changed.
func podWith(p *kit.Pod, change func(p *kit.Pod)) *kit.Pod {
	change(p)
	return p
}

// happens has pod a parked all the same.
func (c quietly) happens(t *conform.T, s Subject) {
	t.Note("next: while a pod is being tried, %s", c.what)
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("spare", 9)}, workers(2), filters(func(p *kit.Pod, _ NodeInfo) error {
		switch p.Name {
		case "a", "slow":
			g.pass()
			return errors.New("no")
		case "parked":
			return errors.New("no")
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{after: func() { time.Sleep(time.Second) }} })
	w.addPods(bound("old", "n"))
	if c.parked {
		w.addPods(newPod("parked"))
	}
	w.pass(time.Minute)
	w.addPods(newPod("a"))
	<-g.reached
	w.pass(time.Second)
	c.does(w)
	w.pass(5 * time.Second)
	want := Pending{Unschedulable: w.pending().Unschedulable + 1}
	g.unlock()
	t.Wait()
	w.waits(want, "While pod a was being tried, "+c.what+", which does not move it. Then its attempt found no node, so it is unschedulable.")
	w.pass(time.Minute)
	w.told("a", "While pod a was being tried, "+c.what+", which does not move it, and nothing has happened since.", "FailedScheduling")
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

// changedTwice has a pod change while a filter looks at the only node, and again, so that it may not run there, while the filters
// are called again.
func changedTwice(t *conform.T, s Subject) {
	var w *world
	var calls atomic.Int64
	w = newWorld(t, s, filters(s.NodeSelector, func(*kit.Pod, NodeInfo) error {
		switch calls.Add(1) {
		case 1:
			w.changePod("a", func(p *kit.Pod) { p.Labels = map[string]string{"new": "label"} })
		case 2:
			w.changePod("a", func(p *kit.Pod) { p.Spec.NodeSelector = map[string]string{"name": "m"} })
		}
		w.podFeed.drain()
		return nil
	}))
	w.addNode(labelled(newNode("n", 9)))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	w.pass(20 * time.Second)
	const why = "The labels of pod a were changed while a filter looked at node n, so that the filters were called again. While they were, its selector was changed so that it may not run on n, as the PodHandler was told. "
	w.runsOn("a", "", why+"For the pod as it is known then a filter refuses the node.")
	w.updates(0, why+"For the pod as it is known then a filter refuses the node.")
	w.end()
}

// anotherOnTheSameNode has a pod on a node deleted and a smaller one of its name come there, in one update.
func anotherOnTheSameNode(t *conform.T, s Subject) {
	t.Note("next: an update brings another pod, which is on the node of the one before and requests less")
	w := running(t, s, []*kit.Node{newNode("n", 4)})
	large, b := bound("a", "n"), newPod("b")
	large.Spec.CPU, b.Spec.CPU = 300, 200
	w.addPods(large)
	t.Wait()
	w.addPods(b)
	w.pass(30 * time.Second)
	w.waits(Pending{Unschedulable: 1}, "Pod b requests 200 CPU, of which the only node has 400, and pod a there requests 300.")
	w.recreatePod("a", bound("a", "n"))
	t.Wait()
	w.runsOn("b", "n", "A pod with a CPU request of 300 was deleted, and another of the same name came on the same node, with a request of 100, in one update. The old pod is gone: it stops counting on the node, which is an event, and pod b, which waits for that room, did not get it at once.")
	w.end()
}

// whileActive has somebody change a pod before a worker takes it.
func (c edit) whileActive(t *conform.T, s Subject) {
	t.Note("next: %s of an active pod are changed", c.what)
	w := newWorld(t, s)
	w.addNode(newNode("n", 9))
	w.addPods(newPod("a"))
	t.Wait()
	w.changePod("a", c.does)
	t.Wait()
	w.run()
	t.Wait()
	why := "A pod was changed, namely " + c.what + ", while it was active, and the PodHandler was told. It is bound as it was last seen."
	w.runsOn("a", "n", why)
	w.updates(1, why)
	w.end()
}

// shownWhileWaiting has the PodHandler hear that somebody else has bound a pod that waits, and then of its state before.
func shownWhileWaiting(t *conform.T, open func() Subject) {
	for _, in := range []Pending{{Active: 1}, {Backoff: 1}, {Unschedulable: 1}} {
		olderWhileWaiting(t, open(), in)
	}
}

// olderWhileWaiting has the pod in this place when somebody else binds it.
func olderWhileWaiting(t *conform.T, s Subject, in Pending) {
	t.Note("next: a pod waits: %s; somebody else binds it to m, and then the PodHandler hears of a state without a node", queues(in))
	w := newWorld(t, s)
	w.addNode(newNode("n", 0))
	w.addPods(newPod("a"))
	t.Wait()
	if in.Active == 0 {
		w.run()
		t.Wait()
	}
	if in.Backoff > 0 {
		w.wake()
		t.Wait()
	}
	why := "Pod a waited: " + queues(in) + ". "
	w.waits(in, why)
	before := w.stored("a")
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" })
	w.again(before)
	t.Wait()
	w.changeNode("n", func(n *kit.Node) { n.Status.Allocatable = newNode("n", 9).Status.Allocatable })
	if in.Active > 0 {
		w.run()
	}
	w.pass(20 * time.Second)
	why += "Then the PodHandler was told that somebody else had bound it to m, and after that of a state without a node, which is old and starts no attempt. "
	w.updates(0, why)
	w.waits(Pending{}, why)
	w.end()
}

// elsewhereAndWritten has the PodHandler hear that a pod is on m while its Update, which is to bring it to n, is under way. That
// Update returns no error.
func elsewhereAndWritten(t *conform.T, s Subject) {
	t.Note("next: while a pod is being bound to n, the PodHandler hears that it is on m, and then Update returns no error")
	look, g := &looker{seen: map[string]NodeInfo{}}, newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("m", 9)}, filters(ofNodes(look, func() error { return nil })))
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{taken: true} })
	w.addPods(newPod("a"))
	<-g.reached
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" })
	t.Wait()
	g.unlock()
	t.Wait()
	w.countsOn(look, "m", "While pod a was being bound to n, the PodHandler was told that it is on m. Then Update returned no error. The report of the handler stands, whatever Update returns. ")
	w.end()
}
