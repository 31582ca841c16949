package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the PodHandler reports while a pod is being bound, and stays true afterwards.

// reportsStand are these reports, and how the binding ends.
func reportsStand(t *conform.T, open func() Subject) {
	boundThoughMarked(t, open(), true)
	boundThoughMarked(t, open(), false)
	for _, c := range reads {
		c.happens(t, open())
	}
	for _, err := range []error{nil, errors.New("the connection was reset")} {
		backOnItsNode(t, open(), err)
	}
	elsewhereAndWritten(t, open())
}

// boundThoughMarked has a pod marked for deletion while its Update is under way, which succeeds. What the PodHandler
// hears shows the pod on its node if placed is true, and otherwise without a node.
func boundThoughMarked(t *conform.T, s Subject, placed bool) {
	t.Note("next: a pod is marked for deletion while its Update is under way, which succeeds; the PodHandler hears of the mark and of its node: %t", placed)
	binding, g := newGate(t, "Update of the client"), newGate(t, "Update of the client, which has written the pod,")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name != "a" {
			return outcome{}
		}
		binding.pass()
		w.podFeed.hold()
		return outcome{after: g.pass}
	})
	a := newPod("a")
	w.addPods(a)
	<-binding.reached
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	shown := "without a node"
	if !placed {
		leaving := a.DeepCopy()
		marked(leaving)
		w.again(leaving)
		t.Wait()
	}
	binding.unlock()
	<-g.reached
	if placed {
		shown = "on node n"
		w.changePod("a", marked)
		w.podFeed.release()
		t.Wait()
	}
	g.unlock()
	t.Wait()
	w.wake()
	w.pass(20 * time.Second)
	w.runsOn("b", "", "Pod a was marked for deletion while it was being bound to the only place, as the PodHandler was told, which was shown the pod "+shown+". Then Update succeeded. A pod that is being deleted still counts on its node until it has ended or is gone, and its room was given to b.")
	w.waits(Pending{Unschedulable: 1}, "Pod a was bound to the only place, and is being deleted there. Pod b waits.")
	w.told("a", "Pod a was marked for deletion while it was being bound, and Update returned no error: it was bound.", "Scheduled")
	w.endsWithoutANode(w.stored("a"))
	t.Wait()
	w.runsOn("b", "n", "Pod a was bound while it was marked for deletion. Then the PodHandler was told of a state in which it has ended and has no node. That counts all the same, and b did not get the room at once.")
	w.end()
}

// read is what Get says of pod a, which is being bound, after the PodHandler has heard that it is on node n. The PodHandler
// hears nothing of that yet.
type read struct {
	what string
	does func(w *world)
	free bool // then the room becomes free when the PodHandler hears of it
}

var reads = []read{
	{"the error NotFound, of a server that is behind", func(w *world) {
		w.getting(func(context.Context) error { return kit.NewNotFound("pods", "default/a") })
	}, false},
	{"the error NotFound, because a is gone by now", func(w *world) { w.deletePod("a", false) }, true},
	{"that a has ended by now", func(w *world) { w.changePod("a", fails) }, true},
	{"a without a node and being deleted, of a server that is behind", func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = ""; marked(p) })
	}, false},
	{"another pod of this name, which is on another node", func(w *world) { w.recreatePod("a", bound("a", "elsewhere")) }, true},
}

// happens has the pod count where the handler has reported it until the handler says otherwise.
func (c read) happens(t *conform.T, s Subject) {
	t.Note("next: the PodHandler has reported a binding, then Update returns an error, and Get %s", c.what)
	g := newGate(t, "Update of the client")
	w := lateWorld(t, s, g, true, errors.New("the connection was reset"))
	w.podFeed.hold()
	c.does(w)
	g.unlock()
	t.Wait()
	w.wake()
	w.pass(20 * time.Second)
	why := "While pod a was being bound to the only place, the PodHandler was told that it is there. Then Update returned an error, and Get " + c.what + ". "
	w.runsOn("b", "", why+"The report of the handler stands, whatever Update and Get return, until a later one, and none has come. So a counts on its node, and the room was given to b.")
	w.waits(Pending{Unschedulable: 1}, why+"The attempt is over, and b waits.")
	w.podFeed.release()
	t.Wait()
	if c.free {
		w.runsOn("b", "n", why+"After that the PodHandler was told of it, so that a counts on its node no longer. That is an event, and b did not get the room at once.")
	}
	w.end()
}

// backOnItsNode has a pod reported gone while it is being bound, and then reported on its node, with the same UID. Then its
// Update returns err; Get fails.
func backOnItsNode(t *conform.T, s Subject, err error) {
	t.Note("next: while a pod is being bound, the PodHandler hears that it is gone, and then that it is on its node; Update returns the error %v", err)
	g := newGate(t, "Update of the client, which has written the pod,")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name != "a" {
			return outcome{}
		}
		w.podFeed.hold()
		return outcome{lost: err != nil, err: err, after: g.pass}
	})
	w.getting(func(context.Context) error { return errors.New("no route to the server") })
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.podFeed.drop()
	placed := w.stored("a")
	goneAndThere(w, a, placed)
	w.podFeed.release()
	t.Wait()
	g.unlock()
	t.Wait()
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	result := "no error"
	if err != nil {
		result = "an error, and so did Get"
	}
	why := fmt.Sprintf("While pod a was being bound to the only place, the PodHandler was told that it is gone, and then that it is there, on that node and with the same UID. After that Update returned %s. ", result)
	w.runsOn("b", "", why+"The latest call of a handler counts: a is on its node, and the room was given to b, which came then.")
	w.waits(Pending{Unschedulable: 1}, why+"Pod b waits for that room.")
	w.end()
}

// goneInAnotherSize has a pod grow on its node and then go: by OnDelete, or by an update that brings another pod. The state
// of which that call says that it was the last is the one before it grew.
func goneInAnotherSize(t *conform.T, s Subject, update bool) {
	t.Note("next: a pod has grown, and is gone; the last state that the call knows is the one before; an update brings another pod: %t", update)
	w := running(t, s, []*kit.Node{newNode("n", 4)})
	small := bound("a", "n")
	w.addPods(small)
	t.Wait()
	w.changePod("a", func(p *kit.Pod) { p.Spec.CPU, p.Spec.Memory = 400, 400 })
	t.Wait()
	if update {
		next := bound("a", "elsewhere")
		w.podFeed.hold()
		w.recreatePod("a", next)
		w.relistPod(small, next)
	} else {
		w.vanishPod(small)
	}
	t.Wait()
	large := newPod("large")
	large.Spec.CPU, large.Spec.Memory = 400, 400
	w.addPods(large)
	t.Wait()
	w.runsOn("large", "n", "Pod a was on node n, with a CPU request of 100 and then of 400, which is all that the node has. Then the PodHandler was told that it is gone, with the older state as the last that was known. "+
		"However old that is, what a requested last is free again, and pod large, which came then and requests all of it, was not scheduled there.")
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
