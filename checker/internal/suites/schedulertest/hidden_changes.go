package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what changes while a pod is being tried.

// asked is a filter that refuses nothing and notes of which nodes it was asked, in which order.
type asked struct {
	mu    sync.Mutex // guards nodes
	nodes []string
}

func (a *asked) filter(_ *kit.Pod, n NodeInfo) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.nodes = append(a.nodes, n.Node.Name)
	return nil
}

// all returns the nodes so far.
func (a *asked) all() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.nodes...)
}

// first is the node of the first call, "" before that.
func (a *asked) first() string {
	if nodes := a.all(); len(nodes) > 0 {
		return nodes[0]
	}
	return ""
}

// nodeIsCordoned has somebody cordon a node while the filters look at it. It is the one with the
// higher score.
func nodeIsCordoned(t *conform.T, s Subject) {
	g, asked, turns := newGate(t, "a filter"), &asked{}, &turns{}
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("m", 9)}, filters(turns.filter, func(p *kit.Pod, n NodeInfo) error {
		defer g.pass()
		return asked.filter(p, n) // before anybody waits: filters may be called side by side
	}, s.NodeUnschedulable), func(o *Options) {
		o.Scores = []Score{{1, func(_ *kit.Pod, n NodeInfo) int64 {
			if n.Node.Name == asked.first() {
				return 100
			}
			return 0
		}}}
	})
	a := newPod("a")
	a.CreationTimestamp = time.Now() // so pod b, which comes later, goes before it
	w.addPods(a)
	<-g.reached
	best, other := asked.first(), "n"
	if best == "n" {
		other = "m"
	}
	w.changeNode(best, cordoned)
	w.addPods(newPod("b"))
	t.Wait()
	g.unlock()
	t.Wait()
	w.runsOn("a", other, "Node "+best+", which has the higher score, was cordoned while the filters looked at it, and the NodeHandler was told. As the node is known then, a filter refuses it: the worker should have looked for another node in the same attempt.")
	w.told("a", "The best node was cordoned during the attempt, and there was another one.", "Scheduled")
	got := turns.take()
	t.Require(slices.Equal(got, []string{"a", "b"}), "The best node was cordoned while the only worker tried pod a, and pod b came, which goes before a if both are active. The worker looks for another node in the same attempt, and takes b when that is over. The filters were called for these pods: %s. It should be a and then b.", listed(got))
	w.end()
}

// podIsChanged has somebody change the selector of a pod while the filters look at the only node.
func podIsChanged(t *conform.T, s Subject) {
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{labelled(newNode("n", 9))}, filters(func(*kit.Pod, NodeInfo) error {
		g.pass()
		return nil
	}, s.NodeSelector))
	w.addPods(newPod("a"))
	<-g.reached
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeSelector = map[string]string{"name": "m"} })
	t.Wait()
	g.unlock()
	w.pass(20 * time.Second)
	w.runsOn("a", "", "The selector of pod a was changed while the filters looked at node n, and the PodHandler was told. For the pod as it is known then a filter refuses the node.")
	w.addNode(labelled(newNode("m", 9)))
	w.pass(11 * time.Second)
	w.runsOn("a", "m", "The selector of pod a was changed during its first attempt. Then a node came that it selects.")
	w.end()
}

// podGrows has somebody triple the CPU request of a pod while the filters look at the only node, which has
// just that much.
func podGrows(t *conform.T, s Subject) {
	looking, binding := newGate(t, "a filter"), newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 3)}, filters(func(*kit.Pod, NodeInfo) error {
		looking.pass()
		return nil
	}, s.NodeResourcesFit))
	w.answer(func(context.Context, *kit.Pod) outcome { binding.pass(); return outcome{} })
	w.addPods(newPod("a"))
	<-looking.reached
	w.changePod("a", func(p *kit.Pod) { p.Spec.CPU = 300 })
	t.Wait()
	looking.unlock()
	<-binding.reached
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	const why = "The CPU request of pod a was tripled while the filters looked at node n, as the PodHandler was told, and then it was assumed there. Requested is the sum of what is requested now, and with pod a no CPU is left for pod b, which came then. "
	w.waits(Pending{InFlight: 1, Unschedulable: 1}, why+"Pod a is being bound.")
	binding.unlock()
	t.Wait()
	w.runsOn("a", "n", why)
	w.runsOn("b", "", why)
	w.end()
}

// enoughAreCordoned has 300 nodes, of which 144 feasible ones are enough, and somebody who cordons
// all that the filters have seen before the worker has scored them.
func enoughAreCordoned(t *conform.T, s Subject) {
	g, asked := newGate(t, "a score"), &asked{}
	w := newWorld(t, s, filters(s.NodeUnschedulable, asked.filter), func(o *Options) {
		o.Scores = []Score{{1, func(*kit.Pod, NodeInfo) int64 { g.pass(); return 7 }}}
	})
	for i := range 300 {
		w.addNode(newNode("n"+strconv.Itoa(i), 9))
	}
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	<-g.reached
	cordoned := map[string]bool{}
	for _, name := range asked.all() {
		cordoned[name] = true
		w.changeNode(name, func(n *kit.Node) { n.Spec.Unschedulable = true })
	}
	t.Wait()
	g.unlock()
	t.Wait()
	const why = "Of 300 nodes all were feasible, and 144 are enough. The %d that the filters had seen were cordoned before the worker chose one of them, and the others are still feasible."
	w.told("a", fmt.Sprintf(why, len(cordoned)), "Scheduled")
	node := w.nodeOf("a")
	t.Require(node != "" && !cordoned[node], why+" Pod a is on %s, and should be on one of the others, to which the worker comes in the same attempt.", len(cordoned), where(node))
	w.end()
}

// reasonsOfAllLooks has 300 nodes, of which 20 refuse, each for a reason of its own. All others are cordoned when the worker
// has found enough of them and scores them, so that in the end no node is feasible.
func reasonsOfAllLooks(t *conform.T, s Subject) {
	g := newGate(t, "a score")
	reason := func(name string) string { return "node " + name + " has a hole of its own" }
	w := newWorld(t, s, filters(func(_ *kit.Pod, n NodeInfo) error {
		if n.Node.Labels["hole"] != "" {
			return errors.New(reason(n.Node.Name))
		}
		return nil
	}, s.NodeUnschedulable), func(o *Options) {
		o.Scores = []Score{{1, func(*kit.Pod, NodeInfo) int64 { g.pass(); return 7 }}}
	})
	var sound, holes []string
	for i := range 300 {
		n := newNode("n"+strconv.Itoa(i), 9)
		if i%15 == 0 {
			n.Labels = map[string]string{"hole": "yes"}
			holes = append(holes, n.Name)
		} else {
			sound = append(sound, n.Name)
		}
		w.addNode(n)
	}
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	<-g.reached
	for _, name := range sound {
		w.changeNode(name, cordoned)
	}
	t.Wait()
	g.unlock()
	t.Wait()
	const why = "Of 300 nodes 20 refuse pod a, each for a reason of its own. The others were cordoned when the worker had found enough of them, and before it chose one. "
	w.told("a", why+"So no node is feasible.", "FailedScheduling")
	for _, name := range holes {
		t.Require(has(w.notes.of("a")[0].message, reason(name)), "%sThe message of the event FailedScheduling does not contain %q. It should contain the text of each different error of the filters.", why, reason(name))
	}
	w.end()
}

// second is what changes while a filter looks at the only node, so that it would refuse the node
// at a second look.
type second struct {
	what    string
	refuses func(p *kit.Pod, n NodeInfo) bool
	does    func(w *world)
	old     bool // a pod runs on the node before
	quiet   bool // it moves no pod
}

var seconds = []second{
	{"pod a got a label, and a filter refuses pods with it", func(p *kit.Pod, _ NodeInfo) bool { return p.Labels["away"] != "" },
		func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Labels = map[string]string{"away": "yes"} }) }, false, false},
	{"node n got an annotation, and a filter refuses nodes with it", func(_ *kit.Pod, n NodeInfo) bool { return n.Node.Annotations["closed"] != "" },
		func(w *world) {
			w.changeNode("n", func(n *kit.Node) { n.Annotations = map[string]string{"closed": "yes"} })
		}, false, true},
	{"node n was deleted and came back cordoned, and a filter refuses cordoned nodes", func(_ *kit.Pod, n NodeInfo) bool { return n.Node.Spec.Unschedulable },
		func(w *world) {
			w.deleteNode("n")
			w.addNode(with(newNode("n", 9), cordoned))
		}, false, false},
	{"the only pod on node n was deleted, and a filter refuses empty nodes", func(_ *kit.Pod, n NodeInfo) bool { return n.Requested.Pods == 0 },
		func(w *world) { w.deletePod("old", false) }, true, false},
	{"the only pod on node n was deleted and another came there, which requests more, and a filter refuses nodes of which so much is requested",
		func(_ *kit.Pod, n NodeInfo) bool { return n.Requested.CPU > 800 },
		func(w *world) {
			large := bound("large", "n")
			large.Spec.CPU = 850
			w.deletePod("old", false)
			w.addPods(large)
		}, true, false},
}

// happens has the pod bound nowhere.
func (c second) happens(t *conform.T, s Subject) {
	t.Note("next: while a filter looks at node n for pod a, %s", c.what)
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(p *kit.Pod, n NodeInfo) error {
		defer g.pass()
		if c.refuses(p, n) {
			return errors.New("not this one")
		}
		return nil
	}))
	if c.old {
		w.addPods(bound("old", "n"))
		t.Wait()
	}
	w.addPods(newPod("a"))
	<-g.reached
	c.does(w)
	t.Wait()
	g.unlock()
	t.Wait()
	if c.quiet {
		w.waits(Pending{Unschedulable: 1}, "While a filter looked at the only node for pod a, "+c.what+", which moves no pod. Then the filter refused the node.")
	} else {
		w.waits(Pending{Backoff: 1}, "While a filter looked at the only node for pod a, "+c.what+". That moves pods, so it counts for a pod in flight, also if the worker has looked at the nodes once more after it. Then the filter refused the node.")
	}
	w.pass(5 * time.Second)
	why := "A filter had looked at node n for pod a, and before it returned nil, " + c.what + ". The handlers were told. A filter refuses the node as it and the pod are known when the pod is to be assumed, and there is no other node."
	w.runsOn("a", "", why)
	w.updates(0, why)
	failed := w.notes.of("a")
	t.Require(len(failed) > 0 && has(failed[0].message, "not this one"), "%s The event FailedScheduling has to contain the text of that filter's error, %q. These are the events about pod a: %v.", why, "not this one", failed)
	w.end()
}

// othersMeanwhile has something become of another pod while one is being tried.
func othersMeanwhile(t *conform.T, open func() Subject) {
	bindingFailsMeanwhile(t, open())
	boundElsewhereMeanwhile(t, open())
	changeIsItsOwn(t, open())
}

// besideABinding has a pod in its Update, which will end with err, and pod a in a filter, which refuses the only node.
func besideABinding(t *conform.T, s Subject, bound string, err error) (w *world, looking, binding *gate) {
	looking, binding = newGate(t, "a filter"), newGate(t, "Update of the client")
	w = running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "a" {
			looking.pass()
			return errors.New("it had looked before that happened")
		}
		return nil
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { binding.pass(); return outcome{err: err} })
	w.addPods(newPod(bound))
	<-binding.reached
	w.addPods(newPod("a"))
	<-looking.reached
	return w, looking, binding
}

// bindingFailsMeanwhile has the binding of a pod fail while another is being tried.
func bindingFailsMeanwhile(t *conform.T, s Subject) {
	t.Note("next: the binding of a pod fails while another is being tried")
	w, looking, binding := besideABinding(t, s, "unlucky", errors.New("no route to the server"))
	binding.unlock()
	t.Wait()
	w.waits(Pending{Backoff: 1, InFlight: 1}, "The binding of pod unlucky has failed, and pod a is being tried.")
	w.deletePod("unlucky", false) // it counts nowhere, so this is no event
	t.Wait()
	looking.unlock()
	t.Wait()
	const why = "While pod a was being tried, the binding of another failed, so that it stopped counting on its node, and that is an event. Then the attempt at pod a found no node."
	w.waits(Pending{Backoff: 1}, why)
	w.pass(3 * time.Second)
	w.waits(Pending{Unschedulable: 1}, why+" After its backoff it was tried once more, nothing happened meanwhile, and there was no node.")
	w.end()
}

// boundElsewhereMeanwhile has somebody else bind a pod to another node than the one on which it is assumed, while a
// second pod is being tried.
func boundElsewhereMeanwhile(t *conform.T, s Subject) {
	t.Note("next: while a pod is being tried, another, which is being bound, turns out to be on another node")
	w, looking, binding := besideABinding(t, s, "moved", nil)
	w.changePod("moved", func(p *kit.Pod) { p.Spec.NodeName = "elsewhere" })
	t.Wait()
	looking.unlock()
	t.Wait()
	w.waits(Pending{Backoff: 1, InFlight: 1}, "While pod a was being tried, the PodHandler was told that pod moved, which is being bound to n, is on another node. So it stopped counting on n, and that is an event. Then the attempt at pod a found no node.")
	binding.unlock()
	w.pass(3 * time.Second)
	w.waits(Pending{Unschedulable: 1}, "Pod moved is on another node, and for pod a there is none.")
	w.end()
}

// recording is what happens while the Recorder is called because an attempt at pod a has failed.
type recording struct {
	what string
	fits error // what the filter says, and what Update
	does func(w *world)
	want Pending
}

var recordings = []recording{
	{"a node was added", errors.New("no"), func(w *world) { w.addNode(newNode("m", 9)); w.nodeFeed.drain() }, Pending{Backoff: 1}},
	{"its labels changed", errors.New("no"), func(w *world) { relabelled(w); w.podFeed.drain() }, Pending{Backoff: 1}},
	{"it was deleted", errors.New("no"), func(w *world) { w.deletePod("a", false); w.podFeed.drain() }, Pending{}},
	{"it has failed", errors.New("no"), func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed })
		w.podFeed.drain()
	}, Pending{}},
	{"somebody else bound it", errors.New("no"), func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "elsewhere" })
		w.podFeed.drain()
	}, Pending{}},
	{"it was deleted", nil, func(w *world) { w.deletePod("a", false); w.podFeed.drain() }, Pending{}},
	{"somebody else bound it", nil, func(w *world) {
		w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "elsewhere" })
		w.podFeed.drain()
	}, Pending{}},
}

// happens has the event count, whether or not the pod is in its queue already.
func (c recording) happens(t *conform.T, s Subject) {
	t.Note("next: while the Recorder is called for a failed attempt at a pod, %s; the filter says %v", c.what, c.fits)
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { return c.fits }))
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	var once sync.Once
	w.notes.also = func() { once.Do(func() { c.does(w) }) }
	w.addNode(newNode("n", 9))
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	t.Wait()
	why := "An attempt at pod a has failed, and while the Recorder was called to say so, " + c.what + ", as a handler was told."
	w.waits(c.want, why)
	w.pass(3 * time.Second)
	want := min(c.want.Backoff, 1) + 1
	tried := len(w.notes.of("a"))
	t.Require(tried == want, "%s Three seconds later it had been tried %s, and should have been tried %s.", why, times(tried), times(want))
	w.end()
}

// changeIsItsOwn has the labels of one of two pods change while both are being tried. For this one it
// counts in this attempt alone, and for the other not at all.
func changeIsItsOwn(t *conform.T, s Subject) {
	t.Note("next: of two pods that are being tried, one changes")
	g := newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, workers(2), filters(func(*kit.Pod, NodeInfo) error {
		g.pass()
		return errors.New("no")
	}))
	w.addPods(newPod("a"), newPod("b"))
	t.Wait()
	w.waits(Pending{InFlight: 2}, "Two workers are to try two pods at the same time.")
	relabelled(w)
	t.Wait()
	g.unlock()
	t.Wait()
	const why = "While pods a and b were being tried, the labels of pod a changed, and nothing else happened. "
	w.waits(Pending{Backoff: 1, Unschedulable: 1}, why+"Neither attempt found a node. The change moves pod a alone.")
	w.told("a", why+"Its attempt found no node.", "FailedScheduling")
	w.pass(time.Minute)
	w.told("a", why+"After its backoff it was tried once more, and nothing happened during this attempt.", "FailedScheduling", "FailedScheduling")
	w.told("b", why+"The change moves pod a alone.", "FailedScheduling")
	w.waits(Pending{Unschedulable: 2}, why+"That was a minute ago.")
	w.end()
}
