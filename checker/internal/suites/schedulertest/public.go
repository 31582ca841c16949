package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "gives-a-pod-a-node",
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"Scheduler.PodHandler", "the attempt of a worker of Scheduler.Run"},
		Rule:   "A pod that waits for a node gets one that no filter refuses. The scheduler leaves pods alone that have a node, have ended or are being deleted, and never writes to an object from a handler.",
		Why:    "A new pod has an empty spec.nodeName, and no kubelet looks at it. The scheduler writes the name of a node there, and nothing else of the pod.",
		Hint: []string{
			"Which pods are yours? Look at the node name, the phase and the deletionTimestamp.",
			"PodHandler puts a pod into the active queue, a worker takes it, asks the filters about each node, and calls Update.",
			"The pod that a handler was given belongs to the informer's cache. DeepCopy it, set Spec.NodeName in the copy, and give that to Update.",
		},
		Source: "kubernetes pkg/scheduler/schedule_one.go: ScheduleOne; kubernetes pkg/scheduler/framework/plugins/defaultbinder/default_binder.go: DefaultBinder.Bind",
		Contract: []string{
			"A pod without a node is pending, unless it is being deleted (DeletionTimestamp) or has ended",
			"the Scheduler never writes to it",
			"The pod is bound: Update has returned no error. The recorder gets the event Scheduled, of type Normal.",
			"Recorder gets an event at the end of each attempt, where one is named below. It may be nil.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  givesAPodANode,
	},
	{
		Name:   "resources-fit",
		Points: 2,
		Func:   "NodeResourcesFit",
		Rule:   "A pod fits if the node covers its requests and those of all pods there. A resource for which it does not ask does not matter. Every pod needs a place.",
		Why:    "Requests are promises: the kubelet and the kernel have to keep the sum of them. The number of pods is a resource like the others.",
		Hint: []string{
			"Free is what is allocatable minus what is requested. Do you refuse a pod that fits exactly?",
			"A request of zero is no request, whatever is left of the resource. The pod itself always takes one of Pods.",
		},
		Source:   "kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go: fitsRequest",
		Contract: []string{"NodeResourcesFit refuses a node whose allocatable resources do not cover what is requested there together with the requests of pod. Each pod needs one of the node's Pods. For a CPU or memory request of zero that resource does not matter"},
		Public:   true,
		Check:    resourcesFit,
	},
	{
		Name:   "who-may-run-where",
		Points: 3,
		Func:   "TaintToleration",
		Look:   []string{"TaintToleration", "NodeSelector", "NodeUnschedulable"},
		Rule:   "The filters refuse a node that lacks a label of the selector, has a taint that keeps the pod away, is cordoned or is not ready.",
		Why:    "Selectors let a pod choose nodes, taints let a node choose pods, and cordoning lets a person choose for both.",
		Hint: []string{
			"Which effects of a taint keep a new pod away? There are three effects, and one of them only asks politely.",
			"A label with the value \"\" is there; a label that is not there is not.",
		},
		Source: "kubernetes pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go: Filter; kubernetes pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go: Filter; kubernetes pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go: Filter",
		Contract: []string{
			"NodeSelector refuses a node that lacks any of the labels in Spec.NodeSelector, or has it with another value",
			"TaintToleration refuses a node with a taint of effect NoSchedule or NoExecute whose key is not among the Tolerations of pod.",
			"NodeUnschedulable refuses a node that is cordoned",
			"NodeReady refuses a node that is not ready",
		},
		Public: true,
		Check:  whoMayRunWhere,
	},
	{
		Name:   "score-spreads",
		Points: 3,
		Func:   "LeastAllocated",
		Look:   []string{"LeastAllocated", "PreferUntainted", "the default weights in New"},
		Rule:   "With the default scores pods spread evenly over equal nodes, and stay away from a node that would rather not have them.",
		Why:    "A node that goes down takes its pods with it. Ten replicas on one node are as good as one.",
		Hint: []string{
			"Compute the score with the pod on the node, not without it, and in whole numbers.",
			"Three percentages, each rounded down, and their mean, rounded down.",
			"Many pods come at once. When you score the second, the first has to count already.",
		},
		Source: "kubernetes pkg/scheduler/framework/plugins/noderesources/least_allocated.go: leastResourceScorer; kubernetes pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go: Score",
		Contract: []string{
			"For CPU, memory and pods it takes the percentage of the allocatable amount that would be free with pod on the node, rounded down; 0 if that is negative, or if nothing is allocatable. The score is the mean of the three, rounded down.",
			"PreferUntainted returns 0 for a node with a taint of effect PreferNoSchedule whose key is not among the Tolerations of pod, and 100 for any other.",
			"nil means LeastAllocated with the weight 1 and PreferUntainted with the weight 3",
		},
		Public: true,
		Check:  scoreSpreads,
	},
	{
		Name:   "assumed-counts-at-once",
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"the step of Scheduler.Run that assumes a pod on its node"},
		Rule:   "A pod counts on its node from the moment of the decision, while the write is still under way and no informer has reported it.",
		Why:    "The informer reports a binding milliseconds later, and in that time a scheduler makes a hundred decisions. Without assuming, all of them choose the same node.",
		Hint: []string{
			"Between the decision and the informer's event, what knows that the room is taken?",
			"Add the pod to the sums of the node in your own cache before you start the binding.",
		},
		Source:   "kubernetes pkg/scheduler/schedule_one.go: assume; kubernetes pkg/scheduler/backend/cache/cache.go: AssumePod",
		Contract: []string{"from this moment the pod counts on the node, long before any informer reports it"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			g := newGate(t, "Update of the client")
			w := running(t, open(), []*kit.Node{newNode("n", 1)})
			w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
			w.addPods(newPod("a"))
			t.Wait()
			w.waits(Pending{InFlight: 1}, "A pod that is being bound is not counted as in flight.")
			w.addPods(newPod("b"))
			w.pass(20 * time.Second)
			w.waits(Pending{InFlight: 1, Unschedulable: 1}, "While the only place of a node is promised to one pod, another has to be unschedulable.")
			w.updates(1, "Node n has room for one, and pod a is being bound to it. Pod b came later.")
			g.unlock()
			w.pass(20 * time.Second)
			w.runsOn("a", "n", "The pod whose binding took long was not bound.")
			w.runsOn("b", "", "Two pods were bound to a node with room for one.")
			w.end()
		},
	},
	{
		Name:   "binds-asynchronously",
		Points: 3,
		Func:   "Scheduler.Run",
		Look:   []string{"the step of Scheduler.Run that begins a binding"},
		Rule:   "A slow binding keeps no worker from the next pod, and no other binding waiting.",
		Why:    "The decision takes microseconds and the write milliseconds, or seconds when the API server is busy. A scheduler that waits for each write does a hundred pods a second at best.",
		Hint: []string{
			"Which goroutine calls Update? If it is the worker, all other pods wait for the API server.",
			"Start a goroutine for each binding. Run has to wait for all of them at the end.",
		},
		Source:   "kubernetes pkg/scheduler/schedule_one.go: bindingCycle (in a goroutine)",
		Contract: []string{"Another goroutine does that, one for each binding: a slow Update or Get keeps neither a worker nor another binding waiting."},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			g := newGate(t, "Update of the client")
			const slow = 260 // all at once
			w := running(t, open(), []*kit.Node{newNode("n", 2*slow)})
			w.answer(func(_ context.Context, p *kit.Pod) outcome {
				if strings.HasPrefix(p.Name, "slow") {
					g.pass()
				}
				return outcome{}
			})
			for i := range slow {
				w.addPods(newPod("slow" + strconv.Itoa(i)))
			}
			t.Wait()
			w.updates(slow, fmt.Sprintf("%d pods came, and each Update takes its time. No binding waits for another.", slow))
			w.addPods(newPod("b"), newPod("c"))
			t.Wait()
			for _, name := range []string{"b", "c"} {
				w.runsOn(name, "n", "A pod was not bound while the binding of another was slow.")
			}
			g.unlock()
			t.Wait()
			w.runsOn("slow0", "n", "A pod with a slow binding was not bound.")
			w.end()
			slowAtSecondTry(t, open())
		},
	},
	{
		Name:   "unschedulable-waits",
		Points: 4,
		Func:   "Scheduler.NodeHandler",
		Look:   []string{"Scheduler.NodeHandler", "what Scheduler.Run does with a pod for which there is no node"},
		Rule:   "A pod for which there is no node is not tried again and again: it waits until a node comes. The event says why it waits.",
		Why:    "In a full cluster thousands of pods wait. To try them in a loop would leave no time for the one that fits.",
		Hint: []string{
			"Where does a pod go when no node is feasible? Not back into the active queue, and not away.",
			"Keep it in a third queue. When a node is added, move all of that queue.",
			"The message of FailedScheduling contains the errors that the filters have returned.",
		},
		Source: "kubernetes pkg/scheduler/backend/queue/scheduling_queue.go: MoveAllToActiveOrBackoffQueue; kubernetes#72122",
		Contract: []string{
			"waits for an event. If none moves it for five minutes, the pod is tried again anyway",
			"No node is feasible: the pod goes to the unschedulable queue, or to the backoff queue if something happened meanwhile that moves pods (see below). Either way the recorder gets FailedScheduling, of type Warning, and its message contains the text of each different error with which the filters refuse the nodes",
			"Filter returns nil if pod may run on node, and otherwise an error with the reason",
			"The pod is bound: Update has returned no error. The recorder gets the event Scheduled, of type Normal.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  unschedulableWaits,
	},
}

// slowAtSecondTry has two pods that were tried once in vain, one because its binding failed and the other because there was
// no node for it. Then the Updates of both take their time.
func slowAtSecondTry(t *conform.T, s Subject) {
	t.Note("next: two pods are bound slowly that have failed before")
	g, failed := newGate(t, "Update of the client"), atomic.Bool{}
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		if p.Name == "unlucky" && !failed.Swap(true) {
			return outcome{err: errors.New("no route to the server")}
		}
		if p.Name != "next" {
			g.pass()
		}
		return outcome{}
	})
	picky := newPod("picky")
	picky.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	w.addPods(newPod("unlucky"), picky)
	t.Wait()
	w.addNode(with(newNode("m", 9), func(n *kit.Node) { n.Labels = picky.Spec.NodeSelector }))
	w.pass(5 * time.Second)
	const why = "The first binding of pod unlucky failed, and for pod picky there was no node at first. After that both were tried again, and each Update takes its time. "
	w.updates(3, why+"Neither keeps the only worker from the other pod.")
	w.addPods(newPod("next"))
	t.Wait()
	t.Require(w.nodeOf("next") != "", "%sThen pod next came, and was not bound meanwhile.", why)
	g.unlock()
	t.Wait()
	w.end()
}

func givesAPodANode(t *conform.T, open func() Subject) {
	s := open()
	w := running(t, s, []*kit.Node{
		with(newNode("cordoned", 9), cordoned),
		with(newNode("broken", 9), notReady),
		with(newNode("tainted", 9), func(n *kit.Node) {
			n.Spec.Taints = []kit.Taint{{Key: "gpu", Effect: kit.TaintNoSchedule}, {Key: "alpha", Effect: kit.TaintNoExecute}}
		}),
		with(newNode("good", 1), func(n *kit.Node) { n.Labels = map[string]string{"disk": "ssd"} }),
		with(newNode("slow", 9), func(n *kit.Node) { n.Labels = map[string]string{"disk": "hdd"} }),
		with(newNode("full", 1), func(n *kit.Node) { n.Labels = map[string]string{"disk": "ssd"} }),
	})
	failed, succeeded, going, placed := newPod("failed"), newPod("succeeded"), newPod("going"), bound("placed", "full")
	failed.Status.Phase, succeeded.Status.Phase = kit.PodFailed, kit.PodSucceeded
	marked(going)
	w.addPods(placed, failed, succeeded, going)
	w.changeNode("tainted", cordoned)
	t.Wait()
	a := furnished(newPod("a"))
	a.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	w.addPods(a)
	before := a.DeepCopy()
	t.Wait()
	const why = "There was one node on which the pod may run, and it is not there."
	if w.nodeOf("a") == "" {
		w.pass(time.Second)
		t.Require(w.nodeOf("a") == "", "Pod a came, and a worker was idle: an active pod is to be tried at once. It got its node only later, within a second, as if idle workers looked for pods now and then.")
	}
	w.runsOn("a", "good", why)
	t.Same(before, a, "The scheduler has written to the object of pod a, which the handler was given and which belongs to the informer")
	w.updates(1, "Of five pods only a waits for a node: placed has one, failed and succeeded have ended, and going is being deleted.")
	w.told("a", "After a binding there has to be one event, Scheduled.", "Scheduled")
	said := w.notes.of("a")[0]
	t.Same(kit.ReferenceTo(kit.Pods, before), said.about, "The event Scheduled is not about pod a")
	t.Require(said.eventType == kit.EventNormal, "The event Scheduled is of type %s, and should be Normal.", said.eventType)
	odd := newPod("odd")
	odd.Status.Phase, odd.Spec.NodeSelector = kit.PodUnknown, map[string]string{"disk": "hdd"}
	w.addPods(odd)
	t.Wait()
	w.runsOn("odd", "slow", "A pod has no node, is not being deleted and has not ended: its phase is Unknown, and neither Succeeded nor Failed. So it waits for a node.")
	w.waits(Pending{}, "All pods have a node or need none, and yet some are pending.")
	w.end()
	withoutRecorder(t, s)
}

// furnished is a pod in which more stands than a scheduler needs.
func furnished(p *kit.Pod) *kit.Pod {
	p.GenerateName, p.CreationTimestamp = "web-", time.Now()
	p.Labels, p.Annotations = map[string]string{"app": "web"}, map[string]string{"note": "mine"}
	p.OwnerReferences = []kit.OwnerReference{{Kind: "ReplicaSet", Name: "web", UID: "uid-of-web", Controller: true}}
	p.Finalizers = []string{"example.com/z", "example.com/a"}
	p.Spec.Tolerations = []string{"z", "a"}
	p.Status.Reason, p.Status.Restart = "Created", 1
	return p
}

// withoutRecorder has a pod that is bound, one for which there is no node, and one whose binding
// fails, and nobody to tell.
func withoutRecorder(t *conform.T, s Subject) {
	t.Note("next: the Recorder is nil")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, func(o *Options) { o.Recorder = nil })
	large := newPod("large")
	large.Spec.CPU = 10_000
	w.addPods(newPod("a"), large)
	w.pass(30 * time.Second)
	w.runsOn("a", "n", "The Recorder is nil, and a pod was not bound.")
	w.waits(Pending{Unschedulable: 1}, "The Recorder is nil. For pod large there is no node. Another pod was assumed and bound, which moves none.")
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.addPods(newPod("unlucky"))
	t.Wait()
	w.waits(Pending{Backoff: 1, Unschedulable: 1}, "The Recorder is nil. For pod large there is no node, and the binding of another has failed. Its failure is an event, so large was tried once more. That a pod is assumed moves none.")
	w.end()
}

// with is n, changed.
func with(n *kit.Node, changes ...func(n *kit.Node)) *kit.Node {
	for _, change := range changes {
		change(n)
	}
	return n
}

func resourcesFit(t *conform.T, open func() Subject) {
	fits := open().NodeResourcesFit
	for _, c := range []struct {
		name      string
		cpu, mem  int64
		requested kit.Resources
		want      bool
	}{
		{"exactly what is left", 400, 500, kit.Resources{CPU: 600, Memory: 500, Pods: 9}, true},
		{"a thousandth of a core too much", 401, 1, kit.Resources{CPU: 600, Memory: 500, Pods: 9}, false},
		{"a byte too much", 1, 501, kit.Resources{CPU: 600, Memory: 500, Pods: 9}, false},
		{"one pod too many", 1, 1, kit.Resources{CPU: 600, Memory: 500, Pods: 10}, false},
		{"nothing asked, only a place", 0, 0, kit.Resources{CPU: 1000, Memory: 1000, Pods: 9}, true},
		{"nothing asked of what is overcommitted", 0, 10, kit.Resources{CPU: 1200, Memory: 500, Pods: 9}, true},
		{"nothing asked of memory, which is overcommitted", 10, 0, kit.Resources{CPU: 500, Memory: 1200, Pods: 9}, true},
		{"a thousandth of a core, and none is left", 1, 0, kit.Resources{CPU: 1000, Pods: 1}, false},
		{"a byte, and none is left", 0, 1, kit.Resources{Memory: 1000, Pods: 1}, false},
		{"nothing asked, and no place", 0, 0, kit.Resources{Pods: 10}, false},
	} {
		n, p := newNode("n", 10), newPod("a")
		p.Spec.CPU, p.Spec.Memory = c.cpu, c.mem
		call := t.Call("NodeResourcesFit(cpu %d, memory %d; of 1000, 1000 and 10 pods %+v are requested)", c.cpu, c.mem, c.requested)
		err := fits(p, NodeInfo{n, c.requested})
		call.Returned("%v", err)
		t.Require((err == nil) == c.want, "A node has %s, of which %s are requested. A pod asks for CPU %d and memory %d: %s. NodeResourcesFit %s.",
			amounts(n.Status.Allocatable), amounts(c.requested), c.cpu, c.mem, c.name, verdict(err))
	}
}

// verdict is what a filter said and should not have said.
func verdict(err error) string {
	if err == nil {
		return "returned nil, and should have refused the node"
	}
	return fmt.Sprintf("refused the node (%v), and should have returned nil", err)
}

// placement is a call of a filter: what is special about the node and the pod, and whether
// the pod may run there.
type placement struct {
	filter string
	does   Filter
	about  string
	node   func(n *kit.Node)
	pod    func(p *kit.Pod)
	want   bool
}

func cordoned(n *kit.Node) { n.Spec.Unschedulable = true }

// beats is a heartbeat of a node, which helps nobody.
func beats(n *kit.Node) { n.Status.Heartbeat = time.Now() }

func notReady(n *kit.Node) { n.Status.Ready = false }

// tainted gives a node taints of these effects, with the keys k0, k1 and so on.
func tainted(effects ...kit.TaintEffect) func(n *kit.Node) {
	return func(n *kit.Node) {
		for i, effect := range effects {
			n.Spec.Taints = append(n.Spec.Taints, kit.Taint{Key: "k" + strconv.Itoa(i), Effect: effect})
		}
	}
}

// placements are calls of NodeSelector, TaintToleration, NodeUnschedulable and NodeReady.
func placements(s Subject) []placement {
	label := func(key, value string) func(n *kit.Node) {
		return func(n *kit.Node) { n.Labels = map[string]string{key: value, "x": "y"} }
	}
	selects := func(pairs ...string) func(p *kit.Pod) {
		return func(p *kit.Pod) {
			p.Spec.NodeSelector = map[string]string{}
			for i := 0; i < len(pairs); i += 2 {
				p.Spec.NodeSelector[pairs[i]] = pairs[i+1]
			}
		}
	}
	tolerates := func(keys ...string) func(p *kit.Pod) { return func(p *kit.Pod) { p.Spec.Tolerations = keys } }
	return []placement{
		{"NodeSelector", s.NodeSelector, "a pod without a selector", label("disk", "hdd"), nil, true},
		{"NodeSelector", s.NodeSelector, "the label that is asked for", label("disk", "ssd"), selects("disk", "ssd"), true},
		{"NodeSelector", s.NodeSelector, "another value", label("disk", "hdd"), selects("disk", "ssd"), false},
		{"NodeSelector", s.NodeSelector, "no such label", nil, selects("disk", ""), false},
		{"NodeSelector", s.NodeSelector, "a label with the value \"\"", label("disk", ""), selects("disk", ""), true},
		{"NodeSelector", s.NodeSelector, "a label with another value than \"\", which is asked for", label("disk", "hdd"), selects("disk", ""), false},
		{"NodeSelector", s.NodeSelector, "two labels that are asked for, of which the node has one", label("disk", "ssd"), selects("disk", "ssd", "gpu", "yes"), false},
		{"NodeSelector", s.NodeSelector, "two labels that are asked for, of which one has another value", label("disk", "hdd"), selects("disk", "ssd", "x", "y"), false},
		{"NodeSelector", s.NodeSelector, "two labels that are asked for, both of which the node has", label("disk", "ssd"), selects("disk", "ssd", "x", "y"), true},
		{"TaintToleration", s.TaintToleration, "no taint", nil, nil, true},
		{"TaintToleration", s.TaintToleration, "NoSchedule", tainted(kit.TaintNoSchedule), nil, false},
		{"TaintToleration", s.TaintToleration, "NoExecute", tainted(kit.TaintNoExecute), tolerates("other"), false},
		{"TaintToleration", s.TaintToleration, "PreferNoSchedule", tainted(kit.TaintPreferNoSchedule), nil, true},
		{"TaintToleration", s.TaintToleration, "a taint that is tolerated", tainted(kit.TaintNoExecute), tolerates("other", "k0"), true},
		{"TaintToleration", s.TaintToleration, "a toleration with the key \"\", which is not that of the taint", tainted(kit.TaintNoSchedule), tolerates(""), false},
		{"TaintToleration", s.TaintToleration, "two taints, of which one is tolerated", tainted(kit.TaintNoSchedule, kit.TaintNoSchedule), tolerates("k0"), false},
		{"TaintToleration", s.TaintToleration, "PreferNoSchedule, and then NoSchedule", tainted(kit.TaintPreferNoSchedule, kit.TaintNoSchedule), nil, false},
		{"NodeUnschedulable", s.NodeUnschedulable, "a node like any other", nil, nil, true},
		{"NodeUnschedulable", s.NodeUnschedulable, "a cordoned node", cordoned, nil, false},
		{"NodeUnschedulable", s.NodeUnschedulable, "a cordoned node, and a pod that tolerates taints", cordoned, tolerates("node.kubernetes.io/unschedulable"), false},
		{"NodeReady", s.NodeReady, "a node that is ready", nil, nil, true},
		{"NodeReady", s.NodeReady, "a node that is not ready", notReady, nil, false},
		{"NodeReady", s.NodeReady, "a node that is not ready, and a pod that tolerates taints", notReady, tolerates(kit.TaintUnreachable, "node.kubernetes.io/not-ready"), false},
	}
}

func whoMayRunWhere(t *conform.T, open func() Subject) {
	for _, c := range placements(open()) {
		n, p := newNode("n", 10), newPod("a")
		if c.node != nil {
			c.node(n)
		}
		if c.pod != nil {
			c.pod(p)
		}
		call := t.Call("%s(%s)", c.filter, c.about)
		err := c.does(p, NodeInfo{Node: n})
		call.Returned("%v", err)
		t.Require((err == nil) == c.want, "%s was asked about %s. It %s.", c.filter, c.about, verdict(err))
	}
}

func scoreSpreads(t *conform.T, open func() Subject) {
	s := open()
	for _, c := range []struct {
		cpu, mem  int64
		requested kit.Resources
		want      int64
	}{
		{100, 100, kit.Resources{}, 90},
		{100, 100, kit.Resources{CPU: 400, Memory: 100, Pods: 2}, 66}, // 50, 80, 70
		{105, 0, kit.Resources{CPU: 0, Memory: 333, Pods: 0}, 81},     // 89.5, 66.7, 90
		{600, 100, kit.Resources{CPU: 500, Memory: 0, Pods: 9}, 30},   // less than none, 90, 0
		{100, 100, kit.Resources{Pods: 8}, 63},                        // 90, 90, 10
	} {
		p := newPod("a")
		p.Spec.CPU, p.Spec.Memory = c.cpu, c.mem
		call := t.Call("LeastAllocated(cpu %d, memory %d; of 1000, 1000 and 10 pods %+v are requested)", c.cpu, c.mem, c.requested)
		got := s.LeastAllocated(p, NodeInfo{newNode("n", 10), c.requested})
		call.Returned("%d", got)
		t.Require(got == c.want, "A node has CPU 1000, memory 1000 and 10 pods, of which %s are requested, and a pod asks for CPU %d and memory %d. LeastAllocated returned %d, and should have returned %d: with the pod %d%%, %d%% and %d%% are free.",
			amounts(c.requested), c.cpu, c.mem, got, c.want, max(0, (1000-c.requested.CPU-c.cpu)/10), max(0, (1000-c.requested.Memory-c.mem)/10), max(0, (10-c.requested.Pods-1)*10))
	}
	littleToGive(t, s)
	minds(t, s)
	spreads(t, s)
}

// littleToGive has nodes that have nothing of a resource, or next to nothing, and a pod that asks
// for neither CPU nor memory.
func littleToGive(t *conform.T, s Subject) {
	for _, c := range []struct {
		has  kit.Resources
		want int64
	}{
		{kit.Resources{Pods: 10}, 30},                    // 0, 0, 90
		{kit.Resources{}, 0},                             // 0, 0, 0
		{kit.Resources{CPU: 1, Memory: 1, Pods: 10}, 96}, // 100, 100, 90
	} {
		p, n := newPod("a"), newNode("n", 10)
		p.Spec.CPU, p.Spec.Memory, n.Status.Allocatable = 0, 0, c.has
		call := t.Call("LeastAllocated(cpu 0, memory 0; of %s nothing is requested)", amounts(c.has))
		got := s.LeastAllocated(p, NodeInfo{Node: n})
		call.Returned("%d", got)
		t.Require(got == c.want, "A node has %s, of which nothing is requested, and a pod asks for neither CPU nor memory. LeastAllocated returned %d, and should have returned %d.", amounts(c.has), got, c.want)
	}
}

// minds calls PreferUntainted with a taint that the pod tolerates, and with taints that it does not.
func minds(t *conform.T, s Subject) {
	for _, c := range []struct {
		effect kit.TaintEffect
		keys   []string
		want   int64
	}{
		{kit.TaintPreferNoSchedule, []string{"batch"}, 100},
		{kit.TaintPreferNoSchedule, []string{"other"}, 0},
		{kit.TaintPreferNoSchedule, []string{"batch", "other"}, 0},
		{kit.TaintPreferNoSchedule, []string{"other", "batch"}, 0},
		{kit.TaintNoSchedule, []string{"other"}, 100},
		{kit.TaintNoExecute, []string{"other"}, 100},
	} {
		p, n := newPod("a"), newNode("n", 10)
		p.Spec.Tolerations = []string{"batch"}
		for _, key := range c.keys {
			n.Spec.Taints = append(n.Spec.Taints, kit.Taint{Key: key, Effect: c.effect})
		}
		call := t.Call("PreferUntainted(a pod that tolerates batch, %s)", showNode(n))
		got := s.PreferUntainted(p, NodeInfo{Node: n})
		call.Returned("%d", got)
		t.Require(got == c.want, "A node has taints of the effect %s and these keys: %s. A pod tolerates taints of the key batch. PreferUntainted returned %d, and should have returned %d.", c.effect, listed(c.keys), got, c.want)
	}
}

func spreads(t *conform.T, s Subject) {
	t.Virtual(func(t *conform.T) {
		shy := with(newNode("shy", 50), func(n *kit.Node) {
			n.Spec.Taints = []kit.Taint{{Key: "batch", Effect: kit.TaintPreferNoSchedule}}
		})
		w := running(t, s, []*kit.Node{shy, newNode("x", 20), newNode("y", 20), newNode("z", 20)})
		count := map[string]int{}
		for i := range 24 {
			w.addPods(newPod("p" + strconv.Itoa(i)))
		}
		t.Wait()
		for i := range 24 {
			count[w.nodeOf("p"+strconv.Itoa(i))]++
		}
		t.Require(count["x"] == 8 && count["y"] == 8 && count["z"] == 8, "24 equal pods came at once. Nodes x, y and z are equal and have room for 20 each, and shy, with room for 50, has a taint PreferNoSchedule. On x are %d, on y %d, on z %d and on shy %d; it should be 8, 8, 8 and none.", count["x"], count["y"], count["z"], count["shy"])
		tolerant := newPod("tolerant")
		tolerant.Spec.Tolerations = []string{"batch"}
		w.addPods(tolerant)
		t.Wait()
		w.runsOn("tolerant", "shy", "A pod that does not mind the taint of the emptiest node is not there.")
		w.end()
	})
}

func unschedulableWaits(t *conform.T, open func() Subject) {
	const door, roof = "the door is too narrow", "the roof is 10% too low"
	narrow := func(_ *kit.Pod, n NodeInfo) error {
		if n.Node.Name == "narrow" {
			return errors.New(door)
		}
		return nil
	}
	s := open()
	w := running(t, s, []*kit.Node{newNode("narrow", 9), newNode("low", 9)}, filters(narrow, func(p *kit.Pod, n NodeInfo) error {
		if n.Node.Name == "low" {
			return complaints{roof}
		}
		return s.NodeResourcesFit(p, n)
	}))
	w.addPods(newPod("a"), newPod("b"))
	w.pass(time.Minute)
	w.waits(Pending{Unschedulable: 2}, "Two pods for which there is no node are not both in the unschedulable queue.")
	for _, name := range []string{"a", "b"} {
		w.told(name, "A pod for which there is no node was not tried just once in a minute without news.", "FailedScheduling")
		n := w.notes.of(name)[0]
		t.Require(n.eventType == kit.EventWarning, "The event FailedScheduling is of type %s, and should be Warning.", n.eventType)
		t.Require(has(n.message, door, roof), "The message of the event FailedScheduling is %q. It should contain the text of each different error of the filters: %q and %q.", n.message, door, roof)
	}
	w.addNode(newNode("good", 9))
	t.Wait()
	for _, name := range []string{"a", "b"} {
		w.runsOn(name, "good", "A node came, and a pod that waited for one did not get it at once.")
		w.told(name, "There was no node for the pod at first, and then it was bound.", "FailedScheduling", "Scheduled")
	}
	w.waits(Pending{}, "Both pods have a node, and yet some are pending.")
	w.end()
	everyReason(t, open())
	emptyReason(t, open())
}

// complaints are an error that holds several, and cannot be compared (upstream has such: utilerrors.Aggregate).
type complaints []string

// Error is all of them.
func (c complaints) Error() string { return strings.Join(c, ", ") }

// emptyReason has a filter whose error has no text.
func emptyReason(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error { return errors.New("") }))
	w.addPods(newPod("a"))
	t.Wait()
	w.waits(Pending{Unschedulable: 1}, "A filter returned an error with the text \"\" for the only node. It is not nil, so the filter refuses the node.")
	w.end()
}

// everyReason has forty nodes, each of which is refused for a reason of its own. Every second reason is another one and more.
func everyReason(t *conform.T, s Subject) {
	const nodes = 40
	reasons := map[string]string{}
	for i := range nodes {
		reason := "this pod cannot get along with gpu " + strconv.Itoa(10+i/2)
		if i%2 == 1 {
			reason += ", nor with its driver"
		}
		reasons["n"+strconv.Itoa(10+i)] = reason
	}
	w := newWorld(t, s, filters(func(_ *kit.Pod, n NodeInfo) error { return errors.New(reasons[n.Node.Name]) }))
	for i := range nodes {
		w.addNode(newNode("n"+strconv.Itoa(10+i), 9))
	}
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	t.Wait()
	w.told("a", "There is no node for the pod.", "FailedScheduling")
	var missing []string
	for _, reason := range slices.Sorted(maps.Values(reasons)) {
		if !has(w.notes.of("a")[0].message, reason) {
			missing = append(missing, strconv.Quote(reason))
		}
	}
	t.Require(len(missing) == 0, "A filter refused each of 40 nodes for a reason of its own. The message of the event FailedScheduling contains the text of each different error, and these are missing: %s.", listed(missing))
	w.end()
}
