package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func failedBindingGivesBack(t *conform.T, open func() Subject) {
	notWell := kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")
	for _, c := range []struct{ update, get error }{
		{notWell, nil},
		{notWell, errors.New("no route to the server")},
		{kit.NewNotFound("pods", "default/a"), nil}, // of a server that is behind
		{kit.NewNotFound("pods", "default/a"), errors.New("no route to the server")},
		{kit.NewStatusError(kit.ReasonInvalid, "an admission plugin does not like it"), nil},
	} {
		t.Note("next: the Update of a pod returns the error %v, and then Get the error %v", c.update, c.get)
		givesBack(t, open(), c.update, c.get)
	}
	slowGet(t, open())
}

// slowGet has the bindings of two pods fail, and the Get of one of them hang.
func slowGet(t *conform.T, s Subject) {
	t.Note("next: two bindings fail, and the Get of one pod takes its time")
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	g, asked := newGate(t, "Get of the client"), atomic.Int64{}
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.getting(func(context.Context) error {
		if asked.Add(1) == 1 {
			g.pass()
		}
		return nil
	})
	w.addPods(newPod("a"))
	<-g.reached
	w.addPods(newPod("b"))
	t.Wait()
	w.waits(Pending{InFlight: 1, Backoff: 1}, "The Updates of pods a and b have failed. The Get of a has not answered yet, and that of b has: another binding does not wait for a slow Get.")
	g.unlock()
	t.Wait()
	w.waits(Pending{Backoff: 2}, "The Updates of pods a and b have failed, and both pods were read again.")
	w.end()
}

// givesBack has the Update of pod a fail, and Get too if unread is not nil.
func givesBack(t *conform.T, s Subject, unwritten, unread error) {
	g, asked := newGate(t, "Update of the client"), atomic.Int64{}
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.getting(func(context.Context) error { asked.Add(1); return unread })
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
			return outcome{err: unwritten}
		}
		return outcome{}
	})
	w.addPods(newPod("a"))
	<-g.reached
	w.addPods(newPod("b"))
	w.pass(5 * time.Second)
	w.waits(Pending{InFlight: 1, Unschedulable: 1}, "One pod is being bound to the only place, and another waits: that is not what Pending says.")
	g.unlock()
	t.Wait()
	t.Require(asked.Load() > 0, "The Update of pod a has returned %s. That does not mean that nothing was written: the pod is read again with Get, which was never called.", conform.Said(unwritten))
	w.runsOn("b", "n", "The binding of a pod has failed, and the pod that waited for its room did not get it at once.")
	w.waits(Pending{Backoff: 1}, "A pod whose binding has failed is not in the backoff queue.")
	w.told("a", "A failed binding did not cause exactly one event.", "FailedScheduling")
	said := w.notes.of("a")[0]
	t.Require(said.eventType == kit.EventWarning, "The event FailedScheduling about a failed binding is of type %s, and should be Warning.", said.eventType)
	w.pass(30 * time.Second)
	w.waits(Pending{Unschedulable: 1}, "A pod whose binding has failed and for which there is no room any more is not unschedulable.")
	w.answer(nil)
	w.deletePod("b", false)
	t.Wait()
	w.runsOn("a", "n", "A pod whose binding failed once was not bound when there was room.")
	w.end()
}

// rival is what somebody else does to a pod while it is being bound to the node n.
type rival struct {
	what string
	does func(w *world)
	node string // where the pod counts then
}

var rivals = []rival{
	{"another scheduler has bound it to m", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" }) }, "m"},
	{"another scheduler has bound it to n", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "n" }) }, "n"},
	{"another scheduler has bound it to n, and it has succeeded there", func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName, p.Status.Phase = "n", kit.PodSucceeded })
	}, ""},
	{"another scheduler has bound it to m, and it is being deleted there", func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m"; marked(p) })
	}, "m"},
	{"it was marked for deletion, as the PodHandler was told, and then another scheduler has bound it to m", func(w *world) {
		w.podFeed.release()
		w.changePod("a", marked)
		w.t.Wait()
		w.podFeed.hold()
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" })
	}, "m"},
	{"it was deleted", func(w *world) { w.deletePod("a", false) }, ""},
	{"it was deleted, and the error of Get, for which kit.IsNotFound is true, wraps the one of the API server", func(w *world) {
		w.deletePod("a", false)
		w.getting(func(context.Context) error {
			return fmt.Errorf("a client of pods: %w", kit.NewNotFound("pods", "default/a"))
		})
	}, ""},
	{"it is being deleted", func(w *world) { w.changePod("a", marked) }, ""},
	{"it has failed", func(w *world) { w.changePod("a", fails) }, ""},
	{"it was deleted, and another pod of this name has come", func(w *world) { w.recreatePod("a", newPod("a")) }, ""},
}

// conflictNeverOverwrites lets somebody else be quicker, and the informer of pods late. The
// nodes n and m have one place each. b waits for n, and c for m, which is cordoned first.
func conflictNeverOverwrites(t *conform.T, open func() Subject) {
	for _, c := range rivals {
		t.Note("next: while a pod is being bound, %s", c.what)
		c.isFirst(t, open())
	}
	rivalAsksForMore(t, open())
	rivalIsReported(t, open())
	rivalIsAnother(t, open())
	rivalOnAnUnknownNode(t, open())
}

// rivalOnAnUnknownNode has somebody else bind pod a, while it is being bound to n, to a node of which the NodeHandler
// hears later. The informer of pods is late.
func rivalOnAnUnknownNode(t *conform.T, s Subject) {
	t.Note("next: while a pod is being bound, somebody else binds it to a node that is not known yet")
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{labelled(newNode("n", 9))})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(newPod("a"), only("c", "later"))
	<-g.reached
	w.pass(20 * time.Second)
	w.podFeed.hold()
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "later" })
	g.unlock()
	t.Wait()
	w.addNode(labelled(newNode("later", 1)))
	w.pass(20 * time.Second)
	w.runsOn("c", "", "While pod a was being bound to n, somebody else bound it to the node later, as Get returned it. It counts there, whether or not the node is known yet. Then that node came, with room for one, and pod c may run there alone.")
	w.podFeed.release()
	t.Wait()
	w.end()
}

// rivalIsAnother has pod a deleted while it is being bound to n, and another of its name come and get the node
// m. The informer of pods is late, so that for the scheduler nothing counts on m.
func rivalIsAnother(t *conform.T, s Subject) {
	t.Note("next: while a pod is being bound, it is deleted, and another pod of this name comes and is bound to m")
	g, onM := newGate(t, "Update of the client"), atomic.Int64{}
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("m", 9)}, filters(func(p *kit.Pod, n NodeInfo) error {
		if p.Name == "probe" && n.Node.Name == "m" {
			onM.Store(n.Requested.Pods)
		}
		if p.Name == "probe" || n.Node.Name == "m" {
			return errors.New("not this one")
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	w.addPods(newPod("a"))
	<-g.reached
	w.addPods(newPod("probe"))
	w.pass(20 * time.Second)
	w.podFeed.hold()
	w.recreatePod("a", bound("a", "m"))
	g.unlock()
	w.pass(20 * time.Second)
	t.Require(onM.Load() == 0, "While pod a was being bound to n, it was deleted, and another pod of this name came and was bound to m; the PodHandler was not told yet. Get has returned that one, with another UID, so pod a counts nowhere. "+
		"For node m the filters were shown Requested with a number of pods of %d, and it should be 0.", onM.Load())
	w.podFeed.release()
	t.Wait()
	w.waits(Pending{Unschedulable: 1}, "For one pod there is no node, and no other waits for one.")
	w.end()
}

// rivalIsReported has somebody else bind pod a to m while it is being bound to n, and the informer of
// pods report it before the Update of the scheduler has failed.
func rivalIsReported(t *conform.T, s Subject) {
	t.Note("next: while a pod is being bound, another scheduler binds it, and the PodHandler is told before the Update has failed")
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{labelled(newNode("n", 1)), labelled(newNode("m", 1))})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(only("a", "n"))
	<-g.reached
	w.addPods(only("b", "n"))
	w.pass(20 * time.Second)
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" })
	t.Wait()
	w.runsOn("b", "n", "While pod a was being bound to n, another scheduler has bound it to m, and the PodHandler was told, so that it counts on n no longer. That is an event, and b, which waits for that room, did not get it at once.")
	g.unlock()
	w.pass(20 * time.Second)
	w.runsOn("a", "m", "Another scheduler has bound pod a to m.")
	w.waits(Pending{}, "Pods a and b each have a node, and yet some are pending.")
	w.end()
}

// rivalAsksForMore has somebody else bind pod a to m, and change what it requests, while it is being
// bound to n. The informer of pods is late.
func rivalAsksForMore(t *conform.T, s Subject) {
	t.Note("next: while a pod is being bound, somebody else binds it and doubles its CPU request")
	g := newGate(t, "Update of the client")
	m := labelled(newNode("m", 2))
	m.Spec.Unschedulable = true
	w := running(t, s, []*kit.Node{labelled(newNode("n", 2)), m})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(only("a", "n"), only("c", "m"))
	<-g.reached
	w.pass(20 * time.Second)
	w.podFeed.hold()
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName, p.Spec.CPU = "m", 200 })
	g.unlock()
	t.Wait()
	w.changeNode("m", func(n *kit.Node) { n.Spec.Unschedulable = false })
	w.pass(20 * time.Second)
	w.runsOn("c", "", "While pod a was being bound to n, somebody else bound it to m and doubled its CPU request, as Get returned it. It counts on m with what it requests now, and leaves no CPU for c, which may only run on m.")
	w.podFeed.release()
	t.Wait()
	w.end()
}

// isFirst lets the rival act before the Update of the scheduler.
func (c rival) isFirst(t *conform.T, s Subject) {
	g := newGate(t, "Update of the client")
	m := newNode("m", 1)
	m.Spec.Unschedulable = true
	w := running(t, s, []*kit.Node{labelled(newNode("n", 1)), labelled(m)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(only("a", "n"))
	<-g.reached
	w.addPods(only("b", "n"), only("c", "m"))
	w.pass(20 * time.Second)
	w.podFeed.hold()
	c.does(w)
	g.unlock()
	t.Wait()
	if c.node != "n" {
		w.runsOn("b", "n", fmt.Sprintf("While pod a was being bound to n, %s, so that it counts on n no longer. That is an event, and b, which waits for that room, did not get it at once.", c.what))
	}
	p := w.pending()
	t.Require(p.Backoff+p.InFlight == 0, "While pod a was being bound, %s, so that the attempt is over, and nothing rests. Pending says: %s.", c.what, queues(p))
	w.changeNode("m", func(n *kit.Node) { n.Spec.Unschedulable = false })
	w.pass(20 * time.Second)
	t.Require(w.updatesOf("a") == 1, "While pod a was being bound, %s, so it is given up. Update was called for it %s, and should have been called once.", c.what, times(w.updatesOf("a")))
	w.told("a", fmt.Sprintf("While pod a was being bound, %s, so that the attempt is over without an event.", c.what))
	for pod, node := range map[string]string{"b": "n", "c": "m"} {
		if c.node == node {
			node = ""
		}
		counts := "so that it counts nowhere now"
		if c.node != "" {
			counts = "so that it counts on " + c.node + " now, and nowhere else"
		}
		w.runsOn(pod, node, fmt.Sprintf("While pod a was being bound to n, %s, %s. Nodes n and m have room for one; b may only run on n, and c only on m.", c.what, counts))
	}
	w.lawful()
	w.podFeed.release()
	w.pass(20 * time.Second)
	w.end()
}

// labelled gives a node its name as a label.
func labelled(n *kit.Node) *kit.Node {
	n.Labels = map[string]string{"name": n.Name}
	return n
}

// only is a pod that may run on one node alone.
func only(name, node string) *kit.Pod {
	p := newPod(name)
	p.Spec.NodeSelector = map[string]string{"name": node}
	return p
}

// edit is what somebody else writes into a pod.
type edit struct {
	what string
	does func(p *kit.Pod)
}

var edits = []edit{
	{"its labels and its status", func(p *kit.Pod) { p.Labels, p.Status.Phase = map[string]string{"new": "label"}, kit.PodUnknown }},
	{"its annotations", func(p *kit.Pod) { p.Annotations = map[string]string{"newer": "note"} }},
	{"its status", func(p *kit.Pod) { p.Status.Reason = "Unschedulable" }},
}

// triesAgain has somebody change a pod while it is being bound. The informer is late; it has reported another change
// before if behind is true. The first Update returns err, or meets a conflict if that is nil.
func (c edit) triesAgain(t *conform.T, s Subject, behind bool, err error) {
	t.Note("next: %s of a pod are changed while it is being bound; Update returns %v; the informer has reported an earlier change: %t", c.what, err, behind)
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	g, asked := newGate(t, "Update of the client"), atomic.Int64{}
	w.answer(func(context.Context, *kit.Pod) outcome {
		g.pass()
		if asked.Add(1) == 1 {
			return outcome{err: err}
		}
		return outcome{}
	})
	w.addPods(newPod("a"))
	<-g.reached
	if behind {
		w.changePod("a", func(p *kit.Pod) { p.Annotations = map[string]string{"new": "note"} })
		t.Wait()
	}
	w.podFeed.hold()
	w.changePod("a", c.does)
	g.unlock()
	t.Wait()
	w.waits(Pending{Backoff: 1}, "The Update of a pod has failed, and meanwhile somebody else has changed "+c.what+". The pod still waits, and is not in the backoff queue.")
	w.told("a", "The failed binding did not cause exactly one event.", "FailedScheduling")
	w.pass(2 * time.Second)
	w.runsOn("a", "n", "Somebody else has changed a pod while it was being bound, namely "+c.what+". Its Update failed, and Get has returned the pod as it was then. It was not bound as it was read, after one second of backoff, while its informer was late.")
	w.told("a", "The first binding of a pod has failed, and the second has not.", "FailedScheduling", "Scheduled")
	edited := newPod("a")
	c.does(edited)
	t.Require(w.stored("a").Labels["new"] == edited.Labels["new"], "Somebody else had put a label on pod a, and the second Update of the scheduler took it away: it was not made of the pod that Get has returned.")
	w.podFeed.release()
	w.pass(time.Minute)
	w.updates(2, "A binding failed, Get returned the latest state of the pod, and the next binding succeeded, before the informer of pods caught up with what had happened.")
	w.waits(Pending{}, "The only pod is bound, and there is one pending.")
	w.end()
}

// goneAsItWas has a pod deleted that was changed while it was being bound, and then read by the scheduler. The informer has heard
// neither of the change nor of the deletion, and in the end reports it gone in the state before.
func goneAsItWas(t *conform.T, s Subject) {
	t.Note("next: a pod is reported gone in a state that is older than the one which Get has returned")
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.podFeed.hold()
	w.changePod("a", func(p *kit.Pod) { p.Annotations = map[string]string{"new": "note"} })
	g.unlock()
	t.Wait()
	w.waits(Pending{Backoff: 1}, "A pod whose binding has met a conflict, and that still waits, is not in the backoff queue.")
	w.vanishPod(a)
	t.Wait()
	const why = "The binding of pod a met a conflict, and Get returned a newer state than its informer knew. Then the PodHandler was told of its deletion, with the older state as the last that was known. "
	w.waits(Pending{}, why+"OnDelete says that the pod with this UID is gone, however old that state is, and yet the pod waits.")
	w.pass(20 * time.Second)
	w.updates(1, why+"So there is nothing to bind.")
	w.end()
}

// inBackoff has somebody change a pod that is in backoff after a failed binding, and the
// informer report it in time.
func (c edit) inBackoff(t *conform.T, s Subject) {
	t.Note("next: %s of a pod in backoff are changed", c.what)
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.addPods(newPod("a"))
	t.Wait()
	w.waits(Pending{Backoff: 1}, "A pod whose binding has failed, and that still waits, is not in the backoff queue.")
	w.answer(nil)
	w.changePod("a", c.does)
	w.pass(2 * time.Second)
	w.runsOn("a", "n", "A pod was changed, namely "+c.what+", while it was in backoff after a failed binding, and the PodHandler was told. It is bound as it was last seen, after 1s.")
	w.updates(2, "The first Update failed. Then the pod was changed while it was in backoff, and the PodHandler was told, so that the second Update has the version that was last seen, and succeeds.")
	w.end()
}

func answerLost(t *conform.T, open func() Subject) {
	// A client may have a timeout of its own: that the call was cancelled does not say that Run ends.
	for _, lost := range []error{errors.New("the connection was reset"), context.Canceled, context.DeadlineExceeded} {
		t.Note("next: the Update of pod a is written, and returns the error %v, while the ctx of Run has not ended", lost)
		answerIsLost(t, open(), lost)
	}
}

func answerIsLost(t *conform.T, s Subject, lost error) {
	g, reading := newGate(t, "Update of the client"), newGate(t, "Get of the client")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
			return outcome{lost: true, err: lost}
		}
		return outcome{}
	})
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.podFeed.hold()
	w.podFeed.delayed(func() time.Duration { return time.Second }) // between two pieces of news
	w.again(a)
	w.getting(func(context.Context) error { reading.pass(); return nil })
	g.unlock()
	t.Wait()
	w.runsOn("a", "n", "The pod was not bound.")
	w.wake()
	w.pass(20 * time.Second)
	w.runsOn("b", "", "While the pod was read again, its room was given to another.")
	before := w.notes.reasons("b")
	reading.unlock()
	w.pass(20 * time.Second)
	w.told("b", "An answer was lost, and Get has returned pod a on the node on which it counts. So it has stopped counting nowhere, and nothing has happened that moves pod b, which is unschedulable.", before...)
	w.waits(Pending{Unschedulable: 1}, "A pod was bound, but the answer was lost. Only the other pod, for which there is no room, is pending now.")
	w.wake()
	w.pass(20 * time.Second)
	w.runsOn("b", "", "An answer was lost, and the room of the pod that is bound was given to another.")
	w.podFeed.release()
	w.pass(1500 * time.Millisecond)
	w.waits(Pending{Unschedulable: 1}, "Get has returned pod a with a node. Then the PodHandler was told of it as it was before, without a node: that is old, and starts no attempt.")
	w.pass(20 * time.Second)
	t.Require(w.updatesOf("a") == 1, "Pod a was bound, though the answer was an error. Update was called for it %s, and should have been called once.", times(w.updatesOf("a")))
	w.deletePod("a", false)
	w.pass(20 * time.Second)
	w.runsOn("b", "n", "A pod that was bound, though the answer was an error, is gone, and its room is not free.")
	w.end()
}

// lates are how a binding ends late.
var lates = []struct {
	what    string
	written bool // before the handlers hear of it
	err     error
}{
	{"it was written, and the answer is late", true, nil},
	{"it was not written yet", false, nil},
	{"it was written, and the answer is a late error", true, errors.New("the connection was reset")},
}

func lateAnswer(t *conform.T, open func() Subject) {
	for _, c := range lates {
		t.Note("next: a pod is deleted while its binding is under way: %s", c.what)
		g := newGate(t, "Update of the client")
		w := lateWorld(t, open(), g, c.written, c.err)
		w.deletePod("a", !c.written)
		t.Wait()
		w.runsOn("b", "n", "A pod is gone, and its room is not free because the answer to its binding has not come.")
		g.unlock()
		w.pass(20 * time.Second)
		if c.written && c.err == nil {
			w.told("a", "A pod was deleted after its binding was written, and then Update returned no error: it was bound.", "Scheduled")
		}
		w.addPods(newPod("c"), newPod("d"))
		w.pass(20 * time.Second)
		w.waits(Pending{Unschedulable: 2}, "One pod runs on a node with room for one, and two more have to wait.")
		w.deletePod("b", false)
		w.pass(20 * time.Second)
		t.Require(len(w.on("n")) == 1, "Node n has room for one and is empty, and two pods wait for it. 20s later these are on it: %s. It should be one of them. Before, a pod was deleted while its binding was under way: %s.", listed(w.on("n")), c.what)
		w.end()
	}
	handlersWereFirst(t, open(), false)
	handlersWereFirst(t, open(), true)
	markedMeanwhile(t, open(), nil)
	markedMeanwhile(t, open(), errors.New("no route to the server"))
	reportsStand(t, open)
	nothingIsReported(t, open())
	for _, getFails := range []bool{true, false} {
		givenUpMeanwhile(t, open(), getFails, "was marked for deletion", changes(marked))
		givenUpMeanwhile(t, open(), getFails, "has failed", changes(fails))
		givenUpMeanwhile(t, open(), getFails, "was deleted", func(w *world, pod string) { w.deletePod(pod, false) })
	}
	for _, c := range endings {
		c.happens(t, open(), false)
		c.happens(t, open(), true)
	}
	backMeanwhile(t, open(), false)
	backMeanwhile(t, open(), true)
	changedMeanwhile(t, open())
	for _, c := range resizes {
		c.happens(t, open())
	}
	reportedBeforeUpdate(t, open)
}

// givenUpMeanwhile has a pod that is no longer pending, by what this does, while its binding fails. The API server cannot be asked
// afterwards if getFails is true, and otherwise answers with the state before the change.
func givenUpMeanwhile(t *conform.T, s Subject, getFails bool, what string, does func(w *world, pod string)) {
	t.Note("next: a pod %s while its binding fails; Get fails, too: %t", what, getFails)
	g, then := newGate(t, "a call of the client"), "Get has returned it as it was before"
	notWell := kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	if getFails {
		then = "Get has failed, too"
		w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{err: notWell} })
		w.getting(func(context.Context) error { return notWell })
	} else {
		w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: notWell} })
		w.reading(g.pass)
	}
	w.addPods(newPod("a"))
	<-g.reached
	does(w, "a")
	t.Wait()
	g.unlock()
	t.Wait()
	why := "The only pod " + what + " while its binding was under way, as the PodHandler was told. Its Update has failed, and " + then + ". "
	w.waits(Pending{}, why+"The attempt is over, and there is a pod pending.")
	w.pass(time.Minute)
	w.updates(1, why)
	w.waits(Pending{}, why+"There is a pod pending.")
	w.answer(nil)
	w.addPods(newPod("b"))
	t.Wait()
	w.runsOn("b", "n", why+"It counts nowhere, so the node has room for the pod that came next.")
	w.end()
}

// resize is a call of the client for pod a that answers late. Before that the PodHandler hears that the
// pod runs on node n, and that it requests more.
type resize struct {
	what   string
	update outcome
	inGet  bool // Get is late, and not Update
}

var resizes = []resize{
	{"Update has written it and has not answered", outcome{}, false},
	{"Update has failed, and Get has read the pod without a node and has not answered", outcome{err: errors.New("no route to the server")}, true},
	{"Update was written and has returned an error, and Get has read the pod as that Update wrote it and has not answered",
		outcome{lost: true, err: errors.New("the connection was reset")}, true},
}

// happens has the pod count as the PodHandler has heard. Node n has two places.
func (c resize) happens(t *conform.T, s Subject) {
	t.Note("next: pod a is being bound to n; %s", c.what)
	g := newGate(t, "a call of the client, which has done its work,")
	w := running(t, s, []*kit.Node{newNode("n", 2)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name != "a" {
			return outcome{}
		}
		w.podFeed.hold() // or the handler may hear of the write before Update has returned, and Get is not needed
		result := c.update
		if !c.inGet {
			result.after = g.pass
		}
		return result
	})
	if c.inGet {
		w.reading(g.pass)
	}
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName, p.Spec.CPU = "n", 200 })
	w.podFeed.release()
	t.Wait()
	g.unlock()
	t.Wait()
	w.again(a) // old: it starts no attempt
	w.pass(20 * time.Second)
	why := "Pod a was being bound to n: " + c.what + ". Then the PodHandler was told that the pod is on n and that its CPU request was doubled, and after that the call answered. What the handler has reported stands. Later it was told of a state without a node, which is old. "
	w.waits(Pending{}, why+"The pod has its node.")
	if c.update.err == nil {
		w.told("a", why+"Update has returned no error: the pod was bound.", "Scheduled")
	}
	w.addPods(newPod("b"))
	t.Wait()
	w.runsOn("b", "", why+"Pod a takes all CPU of the only node, and then pod b came.")
	t.Require(w.updatesOf("a") == 1, "%sUpdate was called for the pod %s, and should have been called once.", why, times(w.updatesOf("a")))
	w.end()
}

// ending is how pod a, which was bound, stops counting before the answer to its binding comes, and what the PodHandler hears
// of that. It has heard nothing since the pod was created.
type ending struct {
	what string
	does func(w *world, created *kit.Pod)
}

var endings = []ending{
	{"it has failed, and the PodHandler heard first that it is on node n and then that it has ended", func(w *world, _ *kit.Pod) {
		w.podFeed.release()
		w.changePod("a", fails)
	}},
	{"it has failed, and the PodHandler heard only that it has ended on node n", func(w *world, created *kit.Pod) {
		w.changePod("a", fails)
		w.relistPod(created, w.stored("a"))
	}},
	{"it has failed, and the PodHandler heard of a state in which it has ended and has no node", func(w *world, created *kit.Pod) {
		w.endsWithoutANode(created)
	}},
	{"it was deleted, and the PodHandler heard of that", func(w *world, created *kit.Pod) { w.vanishPod(created) }},
}

// happens has the pod end there before the answer of Update comes. If inGet is true, that one is lost, and it is the answer of
// Get that is late: Get has read the pod on its node before.
func (c ending) happens(t *conform.T, s Subject, inGet bool) {
	t.Note("next: pod a is bound, and before the answer comes, %s; Update has returned an error, and Get is late: %t", c.what, inGet)
	binding, g := newGate(t, "Update of the client"), newGate(t, "a call of the client, which has done its work,")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		switch {
		case p.Name != "a":
			return outcome{}
		case inGet:
			binding.pass()
			return outcome{lost: true, err: errors.New("the connection was reset")}
		}
		binding.pass()
		return outcome{after: g.pass}
	})
	a, answer := newPod("a"), "Update has returned no error"
	if inGet {
		answer = "Update has returned an error, and Get the pod as it was before"
		w.reading(g.pass)
	}
	w.addPods(a)
	<-binding.reached
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.podFeed.hold()
	binding.unlock()
	<-g.reached
	t.Wait()
	c.does(w, a)
	t.Wait()
	why := "Pod a was bound to the only place. Before the answer came, " + c.what + ". "
	w.runsOn("b", "n", why+"So it stopped counting there, and b, which waits for that room, did not get it at once.")
	g.unlock()
	t.Wait()
	w.deletePod("b", false)
	w.addPods(newPod("c"))
	t.Wait()
	w.runsOn("c", "n", why+"Then it came: "+answer+". What a handler has reported stands. Pod b was deleted then, and c did not get the room: a or b still counts.")
	w.end()
}

// backMeanwhile has the PodHandler hear that a pod is gone while its Update is under way, which fails then, and that it is there
// again with the same UID: while Update or, if inGet is true, Get is called.
func backMeanwhile(t *conform.T, s Subject, inGet bool) {
	t.Note("next: while the Update of a pod is under way, the PodHandler hears that it is gone, and then that it is there; the latter while Get is called: %t", inGet)
	var w *world
	var gone, back sync.Once
	var over atomic.Bool
	a := newPod("a")
	comes := func() {
		back.Do(func() {
			w.saysThere(a, false)
			w.podFeed.drain()
		})
	}
	w = running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) (result outcome) {
		gone.Do(func() {
			w.saysGone(a, true)
			w.podFeed.drain()
			if !inGet {
				comes()
			}
			result.err = errors.New("no route to the server")
		})
		return result
	})
	w.getting(func(context.Context) error {
		if w.s.Pending().InFlight == 0 {
			over.Store(true)
		}
		comes()
		return nil
	})
	w.addPods(a)
	t.Wait()
	comes() // Get need not have been called
	w.pass(20 * time.Second)
	const why = "While the Update of pod a was under way, which failed then, the PodHandler heard that the pod is gone. "
	t.Require(!over.Load(), "%sA pod that is being bound is in flight until its attempt is over, even if it is gone by then. Get was called for it, and Pending said meanwhile that no pod was in flight.", why)
	w.runsOn("a", "n", why+"After that it heard that the pod is there, with the same UID. The latest call counts: it is pending, and was not bound within 20s.")
	w.waits(Pending{}, why+"After that it heard that the pod is there, and then the pod was bound.")
	w.end()
}

// changedMeanwhile has a pod that somebody changes while the filters look at it.
func changedMeanwhile(t *conform.T, s Subject) {
	g := newGate(t, "a filter")
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { g.pass(); return nil }))
	w.addNode(newNode("n", 1))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	<-g.reached
	w.changePod("a", func(p *kit.Pod) { p.Annotations = map[string]string{"new": "note"} })
	t.Wait()
	g.unlock()
	t.Wait()
	w.runsOn("a", "n", "A pod was changed while it was being tried, the handler has said so, and it was not bound as it was last seen.")
	w.updates(1, "Pod a was changed while it was being tried, as the PodHandler was told, so it is bound as it was last seen.")
	w.end()
}

// markedMeanwhile has a pod marked for deletion while its Update is under way: nobody knows whether it was written. Get
// returns the error unread.
func markedMeanwhile(t *conform.T, s Subject, unread error) {
	t.Note("next: a pod is marked for deletion while its binding is under way; Get returns the error %v", unread)
	g, read := newGate(t, "Update of the client"), "Get has returned it without a node"
	w := lateWorld(t, s, g, false, nil)
	if unread != nil {
		read = "Get has failed, too"
		w.getting(func(context.Context) error { return unread })
	}
	w.changePod("a", marked)
	w.wake()
	w.pass(20 * time.Second)
	const why = "Pod a was marked for deletion while it was being bound to the only place, as the PodHandler was told. "
	w.waits(Pending{InFlight: 1, Unschedulable: 1}, why+"Its Update has not returned and may have been written, so a counts on the node, and b waits.")
	g.unlock()
	t.Wait()
	w.runsOn("b", "n", why+"Its Update has failed, and "+read+": it counts nowhere. That is an event, and b did not get the room at once.")
	w.waits(Pending{}, why+"Its attempt is over, and b has a node.")
	w.end()
}

// nothingIsReported has an informer of pods that is silent for ten minutes after a pod was bound. Then the pod is gone, and all
// that the informer has seen of it is a state without a node.
func nothingIsReported(t *conform.T, s Subject) {
	t.Note("next: a pod is bound, and no informer reports it for ten minutes")
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.addPods(newPod("b"))
	t.Wait()
	w.podFeed.hold()
	g.unlock()
	t.Wait()
	for range 10 {
		w.pass(time.Minute)
		w.wake()
	}
	w.pass(20 * time.Second)
	w.updates(1, "A pod was bound to the only place ten minutes ago, and the informer of pods has been silent since. The pod counts there until it has ended or is gone.")
	w.vanishPod(a)
	t.Wait()
	w.runsOn("b", "n", "Pod a was bound to the only place, and no informer has reported it there. Then the PodHandler was told of its deletion, with the last state that was known, which has no node. "+
		"OnDelete says that the pod with this UID is gone, so it counts on its node no longer, and b, which waits for that room, did not get it at once.")
	w.end()
}

// handlersWereFirst lets the informer report a binding, and then Update and Get both fail. If leaving is true, it has
// also reported that the pod is being deleted there.
func handlersWereFirst(t *conform.T, s Subject, leaving bool) {
	t.Note("next: the informer has reported a binding before Update and Get both fail; the pod is being deleted there: %t", leaving)
	g := newGate(t, "Update of the client")
	w := lateWorld(t, s, g, true, errors.New("the connection was reset"))
	if leaving {
		w.changePod("a", marked)
		t.Wait()
	}
	w.getting(func(context.Context) error { return errors.New("no route to the server") })
	before := w.notes.reasons("b")
	g.unlock()
	w.pass(20 * time.Second)
	w.told("b", "The informer had reported where pod a runs when its binding failed late. The pod counts where it did, and nothing has happened that moves pod b, which is unschedulable.", before...)
	w.wake()
	w.pass(20 * time.Second)
	w.runsOn("b", "", "The informer had reported where a pod runs, and when its binding failed late, its room was given to another.")
	w.waits(Pending{Unschedulable: 1}, "The informer had reported where a pod runs, and when its binding failed late, it was put back.")
	w.end()
}

// lateWorld has one place, a which is being bound to it until the gate opens, and b which waits.
func lateWorld(t *conform.T, s Subject, g *gate, written bool, err error) *world {
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		switch {
		case p.Name != "a":
		case written:
			return outcome{after: g.pass, lost: true, err: err}
		default:
			g.pass()
		}
		return outcome{}
	})
	w.addPods(newPod("a"))
	<-g.reached
	t.Wait()
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.waits(Pending{InFlight: 1, Unschedulable: 1}, "One pod is being bound to the only place, and another waits: that is not what Pending says.")
	return w
}

func oldNews(t *conform.T, open func() Subject) {
	looking, binding, tries := newGate(t, "a filter"), newGate(t, "Update of the client"), atomic.Int64{}
	w := running(t, open(), []*kit.Node{newNode("n", 9)}, workers(2), filters(func(*kit.Pod, NodeInfo) error {
		tries.Add(1)
		looking.pass()
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { binding.pass(); return outcome{} })
	a := newPod("a")
	w.addPods(a)
	<-looking.reached
	w.resyncPod("a")
	t.Wait()
	t.Require(tries.Load() == 1, "While pod a was being tried, the PodHandler was told of it once more. The filter was called for it %s by now: there are two attempts for one pod at the same time.", times(int(tries.Load())))
	w.waits(Pending{InFlight: 1}, "A second notification came about a pod that is being tried, and it is counted more than once.")
	looking.unlock()
	<-binding.reached
	w.resyncPod("a")
	w.pass(20 * time.Second)
	w.waits(Pending{InFlight: 1}, "A second notification came about a pod that is being bound, and it is counted more than once.")
	w.podFeed.hold()
	w.podFeed.delayed(func() time.Duration { return time.Second }) // between two pieces of news
	w.resyncPod("a")
	binding.unlock()
	w.pass(20 * time.Second)
	w.waits(Pending{}, "A pod is bound, and yet it is pending.")
	w.podFeed.release()
	w.pass(20 * time.Second)
	w.updates(1, "Pod a was bound, and after that the PodHandler was told of a state in which it had no node.")
	w.waits(Pending{}, "An old notification came about a bound pod, and it is pending again.")
	w.told("a", "A pod that was bound once has another event than Scheduled, or more than one.", "Scheduled")
	w.end()
	goneAndBack(t, open())
	shownAgain(t, open())
	shownMarked(t, open())
	shownWhileTried(t, open)
	shownWhileWaiting(t, open)
}

// shownMarked has a pod bound, and its informer report an older state alone, in which it is being deleted and has no node.
func shownMarked(t *conform.T, s Subject) {
	t.Note("next: a pod is bound, and the PodHandler hears of an older state, in which it is being deleted")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(context.Context, *kit.Pod) outcome { w.podFeed.hold(); return outcome{} })
	a := newPod("a")
	w.addPods(a)
	t.Wait()
	const why = "Pod a was bound to the only place, and the PodHandler had not heard of that. "
	w.runsOn("a", "n", why)
	leaving := a.DeepCopy()
	marked(leaving)
	w.podFeed.drop()
	w.again(leaving)
	w.podFeed.release()
	t.Wait()
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.runsOn("b", "", why+"Then it heard of a state in which a is being deleted and has no node. That is old and changes nothing: a counts on n, and no room is left for pod b, which came then.")
	w.waits(Pending{Unschedulable: 1}, why+"Then it heard of an older state. Pod b waits for its room.")
	w.endsWithoutANode(leaving)
	t.Wait()
	w.runsOn("b", "n", why+"Later it heard of a state in which a has no node, too, and has ended. That counts all the same: a pod with a node counts there until it has ended. Pod b, which waits for that room, did not get it at once.")
	w.end()
}

// shownAgain has an informer list from an API server that is behind, and knows of two pods on nodes only that they had none.
// It has reported their nodes before.
func shownAgain(t *conform.T, s Subject) {
	t.Note("next: the PodHandler was told where two pods run, and is then told of an older state, without a node")
	w := running(t, s, []*kit.Node{with(newNode("n", 2), func(n *kit.Node) { n.Status.Allocatable.Pods = 9 })})
	a := newPod("a")
	w.addPods(a)
	t.Wait()
	w.runsOn("a", "n", "There is CPU and memory for two pods.")
	w.addPods(bound("placed", "n"))
	t.Wait()
	before := w.stored("placed").DeepCopy()
	before.Spec.NodeName = ""
	for _, old := range []*kit.Pod{a, before} {
		old = old.DeepCopy()
		old.Spec.CPU, old.Spec.Memory = 1, 1
		w.again(old)
	}
	w.pass(20 * time.Second)
	const why = "The PodHandler was told that two pods are on node n, one of them by this scheduler. Then it was told of an older state of both, without a node, in which they request next to nothing. "
	w.updates(1, why+"That starts no attempt.")
	w.waits(Pending{}, why+"That starts no attempt.")
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.runsOn("b", "", why+"Both count on n with what they request, as it was before: the node has CPU and memory for two.")
	for _, old := range []*kit.Pod{a.DeepCopy(), before.DeepCopy()} {
		marked(old)
		w.again(old)
	}
	t.Wait()
	w.wake()
	w.pass(20 * time.Second)
	w.runsOn("b", "", why+"In another old state they were being deleted, without a node. An old notification changes nothing: both count on n, which has CPU and memory for two.")
	for _, name := range []string{"a", "placed"} {
		w.endsWithoutANode(w.stored(name))
		t.Wait()
	}
	w.addPods(newPod("c"))
	t.Wait()
	for _, name := range []string{"b", "c"} {
		w.runsOn(name, "n", why+"At last both were shown as ended, without a node. That counts all the same: there is room for pods b and c, and one of them did not get it at once.")
	}
	w.end()
}

// goneAndBack has an informer list from an API server that is behind, and knows nothing of a pod
// that is being tried, and then from one that is not.
func goneAndBack(t *conform.T, s Subject) {
	t.Note("next: the PodHandler is told that a pod which is being tried is gone, and then that it is there, with the same UID")
	looking, tries := newGate(t, "a filter"), atomic.Int64{}
	w := running(t, s, []*kit.Node{newNode("n", 9)}, workers(2), filters(func(*kit.Pod, NodeInfo) error {
		tries.Add(1)
		looking.pass()
		return nil
	}))
	a := newPod("a")
	w.addPods(a)
	<-looking.reached
	goneAndThere(w, a, a)
	t.Wait()
	t.Require(tries.Load() == 1, "While pod a was being tried, the PodHandler was told that it is gone, and then that it is there again, with the same UID. The filter was called for it %s by now: there are two attempts for one pod at the same time.", times(int(tries.Load())))
	looking.unlock()
	w.pass(20 * time.Second)
	w.runsOn("a", "n", "The PodHandler was told that pod a is gone, and then that it is there again, while it was being tried. The latest call counts: it is pending, and was not bound.")
	w.end()
}

// ways are how a pod may stop being pending without the scheduler.
var ways = []struct {
	what string
	does func(w *world)
}{
	{"it was deleted", func(w *world) { w.deletePod("a", false) }},
	{"it is being deleted", func(w *world) { w.changePod("a", marked) }},
	{"somebody else has bound it", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "n" }) }},
	{"it has failed", func(w *world) { w.changePod("a", fails) }},
}

func goneInFlight(t *conform.T, open func() Subject) {
	for _, c := range ways {
		for _, fits := range []error{nil, errors.New("no")} {
			for _, overtaken := range []bool{false, true} {
				t.Note("next: while a pod is being tried, %s; the filter says %v; a node changes meanwhile: %t", c.what, fits, overtaken)
				goneWhileTried(t, open(), c.what, c.does, fits, overtaken)
			}
		}
		goneWhileWaiting(t, open(), c.what, c.does, false)
		goneWhileWaiting(t, open(), c.what, c.does, true)
	}
	goneWhileScored(t, open())
	reportedWhileTried(t, open)
}

// goneWhileScored has a pod deleted while the first of several feasible nodes is scored for it.
func goneWhileScored(t *conform.T, s Subject) {
	t.Note("next: a pod is deleted while a node is scored for it")
	var w *world
	var once sync.Once
	var after atomic.Int64 // calls of a filter or a score after the attempt
	look := func() {
		if w.s.Pending().InFlight == 0 {
			after.Add(1)
		}
	}
	w = newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { look(); return nil }), func(o *Options) {
		o.Scores = []Score{{1, func(*kit.Pod, NodeInfo) int64 {
			look()
			once.Do(func() { w.deletePod("a", false); w.podFeed.drain() })
			return 7
		}}}
	})
	for _, name := range []string{"n", "m", "o"} {
		w.addNode(newNode(name, 9))
	}
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	t.Wait()
	const why = "While a node was scored for pod a, the pod was deleted, as the PodHandler heard. "
	t.Require(after.Load() == 0, "%sA pod that was taken by a worker is in flight until its attempt is over, even if it is gone by then. Then Pending said that none was in flight, and the worker went on: a filter or a score was called %s after that.", why, times(int(after.Load())))
	w.waits(Pending{}, why+"Its attempt is over.")
	w.updates(0, why)
	w.end()
}

// goneWhileTried has the pod in a filter. If overtaken is true, there is also an event, which would move it.
func goneWhileTried(t *conform.T, s Subject, what string, does func(w *world), fits error, overtaken bool) {
	g, again := newGate(t, "a filter"), atomic.Bool{}
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		g.pass()
		if again.Load() {
			return nil
		}
		return fits
	}))
	w.addPods(newPod("a"))
	<-g.reached
	does(w)
	if overtaken {
		w.wake()
	}
	t.Wait()
	w.waits(Pending{InFlight: 1}, "While pod a was being tried, "+what+". A filter has not returned yet: the attempt is not over.")
	g.unlock()
	t.Wait()
	w.waits(Pending{}, "While pod a was being tried, "+what+". The filter has returned, and the attempt is over.")
	w.pass(20 * time.Second)
	w.told("a", "While pod a was being tried, "+what+", so that it was no longer pending when it was to be assumed, or when no node was feasible. The attempt is over, without an event.")
	w.updates(0, "While pod a was being tried, "+what+", so that there is nothing to bind.")
	w.waits(Pending{}, "There is no pod that waits, and yet one is pending: an attempt has not ended, or a pod that is gone was put back.")
	again.Store(true)
	next(t, w, what)
}

// goneWhileWaiting has the pod unschedulable, or in backoff.
func goneWhileWaiting(t *conform.T, s Subject, what string, does func(w *world), backoff bool) {
	t.Note("next: while a pod waits, %s; it is in backoff: %t", what, backoff)
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	w.addPods(newPod("a"))
	w.pass(20 * time.Second)
	for i := 0; backoff && i < 2; i++ { // it is tried once more, and has to rest
		w.wake()
		t.Wait()
	}
	does(w)
	t.Wait()
	w.waits(Pending{}, "A pod that waited no longer waits, and yet it is pending.")
	w.changeNode("n", func(n *kit.Node) { n.Status.Allocatable = newNode("n", 9).Status.Allocatable })
	w.pass(3 * time.Second)
	w.updates(0, "While pod a waited, "+what+", so that there is nothing to bind.")
	next(t, w, what)
}

// next is another pod of the name a.
func next(t *conform.T, w *world, what string) {
	if w.stored("a") != nil {
		w.deletePod("a", false)
		t.Wait()
	}
	w.addPods(newPod("a"))
	w.pass(20 * time.Second)
	w.runsOn("a", "n", "A pod was given up because "+what+", and another of the same name was not scheduled.")
	w.waits(Pending{}, "All pods have a node, and yet one is pending.")
	w.end()
}

// anotherHasNotFailed has a pod fail six times, and another of its name come when the first is in this queue: in one update, or after
// a deletion.
func anotherHasNotFailed(t *conform.T, s Subject, in Pending, update bool) {
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	change := func() { w.changePod("b", func(p *kit.Pod) { p.Spec.Image += "x" }) }
	w.addPods(bound("a", "n"))
	t.Wait()
	w.addPods(newPod("b"))
	for range 5 {
		w.pass(11 * time.Second)
		change()
	}
	t.Wait()
	if in.Backoff > 0 {
		change()
		t.Wait()
	}
	w.waits(in, "A pod has just failed for the sixth time. A change of its own spec after that moves it to the backoff queue.")
	if update {
		w.recreatePod("b", newPod("b"))
	} else {
		w.deletePod("b", false)
		w.addPods(newPod("b"))
	}
	t.Wait()
	w.deletePod("a", false)
	w.pass(2 * time.Second)
	w.runsOn("b", "n", fmt.Sprintf("A pod that had failed six times was deleted, and another of the same name came; both in one update: %t. The new one has to rest for the failures of the old one.", update))
	w.end()
}

// anotherWhileBound has a pod that is being bound deleted, and another of its name come and get another
// node, in one update.
func anotherWhileBound(t *conform.T, s Subject) {
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "a" {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(newPod("a"))
	<-g.reached
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.recreatePod("a", bound("a", "elsewhere"))
	t.Wait()
	w.runsOn("b", "n", "A pod was being bound. Then it was deleted and another of the same name came, with another node, in one update: the room of the first is free, and the pod that waits for it did not get it at once.")
	g.unlock()
	w.pass(20 * time.Second)
	w.waits(Pending{}, "A pod was deleted while it was being bound, and all others have a node.")
	w.end()
}

// anotherWaitsWhileBound has a pod that is being bound deleted, and another of its name come that waits for a
// node, in one update.
func anotherWaitsWhileBound(t *conform.T, s Subject) {
	t.Note("next: a pod is being bound when an update brings another of its name, which has no node")
	g, calls := newGate(t, "Update of the client"), atomic.Int64{}
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) outcome {
		if calls.Add(1) == 1 {
			g.pass()
		}
		return outcome{}
	})
	w.addPods(newPod("a"))
	<-g.reached
	w.recreatePod("a", newPod("a"))
	t.Wait()
	const why = "A pod was being bound. Then it was deleted and another of the same name came, without a node, in one update. The new one has nothing to do with the first. "
	w.runsOn("a", "n", why+"It was not scheduled at once, while the Update of the first had not returned.")
	g.unlock()
	w.pass(20 * time.Second)
	w.waits(Pending{}, why+"The first is gone, the new one has its node, and the Update of the first has returned.")
	w.end()
}

// anotherIsUnschedulable has a pod that is being bound deleted, and another of its name come, in one update, for which there is
// no node.
func anotherIsUnschedulable(t *conform.T, s Subject) {
	t.Note("next: a pod is being bound when an update brings another of its name, for which there is no node")
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	w.addPods(newPod("a"))
	<-g.reached
	w.recreatePod("a", only("a", "nowhere"))
	t.Wait()
	const why = "A pod was being bound. Then it was deleted and another of the same name came, in one update, for which there is no node. "
	w.waits(Pending{InFlight: 1, Unschedulable: 1}, why+"The Update of the first has not returned.")
	g.unlock()
	w.pass(20 * time.Second)
	w.waits(Pending{Unschedulable: 1}, why+"The Update of the first has returned, and its attempt is over. The new one waits.")
	w.end()
}

// sameNameElsewhere has two pods of one name in two namespaces, for which there is no node. The cluster knows
// only one of them.
func sameNameElsewhere(t *conform.T, s Subject) {
	t.Note("next: two pods have the same name, in two namespaces")
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	twin := newPod("a")
	twin.Namespace, twin.UID = "elsewhere", "uid-of-another-namespace"
	w.addPods(newPod("a"))
	w.podFeed.say("OnAdd("+kit.Key(twin)+")", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnAdd(twin, false) })
	w.pass(time.Second)
	const why = "Two pods have the name a, in two namespaces, and different UIDs, so that they have nothing to do with each other. For neither is there a node. "
	w.waits(Pending{Unschedulable: 2}, why+"Both wait.")
	w.podFeed.say("OnDelete("+kit.Key(twin)+")", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnDelete(twin, false) })
	w.pass(time.Second)
	w.waits(Pending{Unschedulable: 1}, why+"Then one of them was deleted, and the other waits.")
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
