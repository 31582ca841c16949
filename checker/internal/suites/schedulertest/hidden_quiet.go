package schedulertest

import (
	"context"
	"errors"
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
