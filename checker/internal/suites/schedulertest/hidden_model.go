package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// accountCases are about what a scheduler knows.
var accountCases = []conform.Case[Subject]{
	{
		Name:   "sums-are-exact",
		Long:   true,
		Points: 5,
		Func:   "Scheduler.PodHandler",
		Look:   []string{"Scheduler.PodHandler", "Scheduler.NodeHandler"},
		Rule:   "Whatever the handlers report, in any order of pods and nodes, each filter gets exactly the existing nodes and exactly what the pods on them request.",
		Why:    "The scheduler keeps the sums by adding and subtracting, for months. Nothing ever corrects an error.",
		Hint: []string{
			"Pods and nodes come from two informers. May a pod be known before its node? May a node go and come back?",
			"Keep for each UID the node and the requests that you have added, and subtract just these.",
			"A pod that has ended no longer counts, and one that is being deleted still does. The requests of a pod may change.",
		},
		Source: "kubernetes pkg/scheduler/backend/cache/cache.go: RemoveNode; kubernetes pkg/scheduler/backend/cache/cache_test.go: TestNodeOperators",
		Contract: []string{
			"A pod with a node counts on that node until it has ended or is gone; a pod that is being deleted still counts. It counts whether or not the node is known yet, and also if the node goes away and comes back.",
			"Requested is the sum of the requests of all pods that count on the node, bound or assumed, and their number.",
			"The latest call of the handlers is what counts",
			"Their UIDs distinguish pods.",
			"OnDelete says that the pod with the UID of obj is gone, however old obj is (finalStateUnknown).",
		},
		Mode:  conform.Virtual,
		Check: sumsAreExact,
	},
	{
		Name:   "no-node-overcommitted",
		Long:   true,
		Points: 6,
		Func:   "Scheduler.Run",
		Look:   []string{"Scheduler.PodHandler", "the steps of Scheduler.Run that assume a pod and give its room back"},
		Rule:   "With late informers, lost answers and failed bindings, no write overcommits a node, and in the end no pod waits beside a node that has room for it.",
		Why:    "These two are the scheduler's promise: never too much, and never nothing.",
		Hint: []string{
			"This case is the sum of the others: solve those first. The history shows the smallest failing sequence that was found.",
			"Too much on a node: is there a moment when a pod counts nowhere, though it may be bound?",
			"A pod that waits: for each way in which a pod can become unschedulable, what wakes it, and can that come too early?",
		},
		Source: "kubernetes#73078, #72122",
		Contract: []string{
			"At this moment no filter refuses the node as it is known then",
			"a pod stops counting on a node: it is gone, it has ended, its binding has failed, or it turns out to be on another node",
		},
		Mode:  conform.Virtual,
		Check: noNodeOvercommitted,
	},
}

// ledger is the naive model: it adds everything up anew whenever it is asked.
type ledger struct {
	pods  map[string]*kit.Pod
	nodes map[string]*kit.Node
	uids  int
}

func (l *ledger) sum(node string) kit.Resources {
	sum := kit.Resources{}
	for _, p := range l.pods {
		if p.Spec.NodeName == node && p.Status.Phase != kit.PodSucceeded && p.Status.Phase != kit.PodFailed {
			sum.CPU += p.Spec.CPU
			sum.Memory += p.Spec.Memory
			sum.Pods++
		}
	}
	return sum
}

// wrong says what a filter was shown that is not so; "" for nothing.
func (l *ledger) wrong(shown map[string]NodeInfo) string {
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		if l.nodes[name] == nil {
			return fmt.Sprintf("A filter was asked about node %s, and the NodeHandler has heard of no such node, or that it is gone.", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.nodes)) {
		got, asked := shown[name]
		switch want := l.sum(name); {
		case !asked:
			return fmt.Sprintf("The NodeHandler has heard of node %s, and no filter was asked about it.", name)
		case got.Requested != want:
			return fmt.Sprintf("For node %s the filters were shown Requested %s, and it should be %s. On it are: %s.", name, amounts(got.Requested), amounts(want), l.on(name))
		}
		if d := conform.Differ(l.nodes[name], got.Node); d != "" {
			return fmt.Sprintf("The filters were shown node %s otherwise than the NodeHandler has heard of it last: %s.", name, d)
		}
	}
	return ""
}

// on are the pods that the handler has reported on a node, with all that counts.
func (l *ledger) on(node string) string {
	var pods []string
	for _, name := range slices.Sorted(maps.Keys(l.pods)) {
		if p := l.pods[name]; p.Spec.NodeName == node {
			pods = append(pods, describe(p))
		}
	}
	return listed(pods)
}

// looker is a filter that refuses everything and notes what it was shown for the probe.
type looker struct {
	mu   sync.Mutex // guards seen
	seen map[string]NodeInfo
}

func (l *looker) filter(p *kit.Pod, n NodeInfo) error {
	if p.Name == "probe" {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen[n.Node.Name] = n
	}
	return errors.New("no")
}

func (l *looker) take() map[string]NodeInfo {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.seen
	l.seen = map[string]NodeInfo{}
	return seen
}

func sumsAreExact(t *conform.T, open func() Subject) {
	model.Check(t, 150, func(rt *rapid.T, t *conform.T) {
		look := &looker{seen: map[string]NodeInfo{}}
		w := newWorld(t, open(), filters(look.filter))
		w.run()
		l := &ledger{pods: map[string]*kit.Pod{}, nodes: map[string]*kit.Node{}}
		m := bookkeeping{rt: rt, w: w, l: l, a: t.Actor}
		for range rapid.IntRange(1, 25).Draw(rt, "events") {
			m.event()
			got := m.probe(look)
			if wrong := l.wrong(got); wrong != "" {
				t.Fatalf("%s%s", wrong, m.withoutPods(look, got))
			}
		}
		w.end()
	})
	twinsCount(t, open())
	nodeGoesWhileBound(t, open(), true)
	nodeGoesWhileBound(t, open(), false)
	goneInAnotherSize(t, open(), false)
	goneInAnotherSize(t, open(), true)
}

// twinsCount has two pods of one name, in two namespaces, on a node with room for two.
func twinsCount(t *conform.T, s Subject) {
	t.Note("next: two pods of the same name, in two namespaces, are on one node")
	w := running(t, s, []*kit.Node{newNode("n", 2)})
	twin := bound("a", "n")
	twin.Namespace, twin.UID = "elsewhere", "uid-of-another-namespace"
	w.addPods(bound("a", "n"))
	w.podFeed.say("OnAdd("+kit.Key(twin)+" on n)", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnAdd(twin, false) })
	t.Wait()
	w.addPods(newPod("b"))
	w.pass(20 * time.Second)
	w.runsOn("b", "", "Two pods have the name a, in two namespaces, and different UIDs. Both are on node n, which has room for two.")
	w.end()
}

// nodeGoesWhileBound has a node go away and come back, with one place, while a pod is being bound to it: all of that before the
// Update returns if early is true. The informer of pods is late.
func nodeGoesWhileBound(t *conform.T, s Subject, early bool) {
	t.Note("next: a pod is being bound to a node that goes away and comes back, before the Update returns: %t", early)
	g := newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{} })
	w.addPods(newPod("a"))
	<-g.reached
	w.addPods(newPod("b"))
	t.Wait()
	w.podFeed.hold()
	w.deleteNode("n")
	t.Wait()
	if !early {
		g.unlock()
		t.Wait()
	}
	w.addNode(newNode("n", 1))
	w.pass(20 * time.Second)
	g.unlock()
	w.pass(20 * time.Second)
	w.updates(1, "Pod a was assumed on node n, which has one place. The node went away and came back, and a counts there all the time, so there is no room for pod b.")
	w.podFeed.release()
	t.Wait()
	w.runsOn("a", "n", "The node went away and came back while the pod was being bound to it.")
	w.end()
}

// bookkeeping tells the handlers and the ledger the same.
type bookkeeping struct {
	rt *rapid.T
	w  *world
	l  *ledger
	a  *conform.Actor

	last string // the last call of a handler about anything but the probe
}

// probe lets a pod be tried, and returns what the filter was shown.
func (m *bookkeeping) probe(look *looker) map[string]NodeInfo {
	m.l.uids++
	p := newPod("probe")
	p.UID = "probe-" + strconv.Itoa(m.l.uids)
	m.says("PodHandler.OnAdd(probe)", func() { m.w.s.PodHandler().OnAdd(p, false) })
	m.w.t.Wait()
	m.says("PodHandler.OnDelete(probe)", func() { m.w.s.PodHandler().OnDelete(p, false) })
	return look.take()
}

// withoutPods takes the pods away from a node with a wrong sum, and says what is left of it:
// nothing if they never counted, and less than nothing if they were once counted and lost.
func (m *bookkeeping) withoutPods(look *looker, shown map[string]NodeInfo) string {
	last := m.last
	for _, node := range slices.Sorted(maps.Keys(m.l.nodes)) {
		got, asked := shown[node]
		if !asked || got.Requested == m.l.sum(node) {
			continue
		}
		m.a.Breaks("For node %s Requested was %s, and should have been %s.", node, amounts(got.Requested), amounts(m.l.sum(node)))
		for _, name := range slices.Sorted(maps.Keys(m.l.pods)) {
			if p := m.l.pods[name]; p.Spec.NodeName == node {
				m.says("PodHandler.OnDelete("+describe(p)+")", func() { m.w.s.PodHandler().OnDelete(p, false) })
			}
		}
		after := "no filter was asked about it"
		if info, asked := m.probe(look)[node]; asked {
			after = "Requested is " + amounts(info.Requested)
		}
		return fmt.Sprintf(" That was so after %s. When these pods are deleted then, %s.", last, after)
	}
	return ""
}

func (m *bookkeeping) event() {
	if rapid.IntRange(0, 2).Draw(m.rt, "kind") == 0 {
		m.nodeEvent("n" + strconv.Itoa(rapid.IntRange(0, 2).Draw(m.rt, "node")))
	} else {
		m.podEvent("p" + strconv.Itoa(rapid.IntRange(0, 4).Draw(m.rt, "pod")))
	}
}

func (m *bookkeeping) nodeEvent(name string) {
	old := m.l.nodes[name]
	h := m.w.s.NodeHandler()
	n := newNode(name, rapid.Int64Range(1, 5).Draw(m.rt, "room"))
	switch {
	case old == nil:
		first := m.inFirstList()
		m.says("NodeHandler.OnAdd("+showNode(n)+")", func() { h.OnAdd(n, first) })
		m.l.nodes[name] = n
	case rapid.Bool().Draw(m.rt, "gone"):
		unknown := rapid.Bool().Draw(m.rt, "unknown")
		m.says("NodeHandler.OnDelete("+name+")", func() { h.OnDelete(old, unknown) })
		delete(m.l.nodes, name)
	default:
		m.says("NodeHandler.OnUpdate("+showNode(n)+")", func() { h.OnUpdate(old, n) })
		m.l.nodes[name] = n
	}
}

func (m *bookkeeping) podEvent(name string) {
	old, known := m.l.pods[name]
	h := m.w.s.PodHandler()
	if known && rapid.IntRange(0, 3).Draw(m.rt, "gone") == 0 {
		unknown := rapid.Bool().Draw(m.rt, "unknown")
		m.says("PodHandler.OnDelete("+describe(old)+")", func() { h.OnDelete(old, unknown) })
		delete(m.l.pods, name)
		return
	}
	if !known {
		p := m.newPod(name)
		first := m.inFirstList()
		m.says("PodHandler.OnAdd("+describe(p)+")", func() { h.OnAdd(p, first) })
		m.l.pods[name] = p
		return
	}
	p := m.changed(old)
	m.says("PodHandler.OnUpdate("+describe(old)+" → "+describe(p)+")", func() { h.OnUpdate(old, p) })
	m.l.pods[name] = p
}

// inFirstList is whether OnAdd says that the object was in the first list of its informer.
func (m *bookkeeping) inFirstList() bool { return rapid.Bool().Draw(m.rt, "in the first list") }

func (m *bookkeeping) newPod(name string) *kit.Pod {
	m.l.uids++
	p := newPod(name)
	p.UID = "uid-" + strconv.Itoa(m.l.uids)
	p.Spec.CPU = rapid.Int64Range(0, 300).Draw(m.rt, "cpu")
	if rapid.IntRange(0, 2).Draw(m.rt, "asks for nothing") == 0 {
		p.Spec.CPU, p.Spec.Memory = 0, 0
	}
	p.Status.Phase = rapid.SampledFrom([]kit.PodPhase{kit.PodPending, kit.PodRunning, kit.PodUnknown}).Draw(m.rt, "phase")
	p.Spec.NodeName = rapid.SampledFrom([]string{"", "n0", "n1", "n2"}).Draw(m.rt, "on")
	if rapid.IntRange(0, 3).Draw(m.rt, "is being deleted already") == 0 {
		marked(p)
	}
	return p
}

// changed is what may become of a pod: pods do not change nodes, and what has ended stays so.
func (m *bookkeeping) changed(old *kit.Pod) *kit.Pod {
	p := old.DeepCopy()
	switch rapid.SampledFrom([]string{"another", "ends", "is being deleted", "asks", "is bound", "nothing"}).Draw(m.rt, "change") {
	case "another":
		return m.newPod(old.Name)
	case "ends":
		p.Status.Phase = kit.PodSucceeded
	case "is being deleted":
		marked(p)
	case "asks":
		p.Spec.CPU, p.Spec.Memory = rapid.Int64Range(0, 300).Draw(m.rt, "cpu"), 7
	case "is bound":
		if p.Spec.NodeName == "" && p.DeletionTimestamp == nil {
			p.Spec.NodeName = rapid.SampledFrom([]string{"n0", "n1"}).Draw(m.rt, "on")
		}
	}
	return p
}

// says calls a handler.
func (m *bookkeeping) says(text string, do func()) {
	if !strings.Contains(text, "probe") {
		m.last = text
	}
	call := m.a.Call("%s", text)
	do()
	call.Returned("")
}

// describe is a pod with all that counts.
func describe(p *kit.Pod) string {
	return fmt.Sprintf("%s{%s, CPU %d, memory %d}", show(p), p.UID, p.Spec.CPU, p.Spec.Memory)
}

func noNodeOvercommitted(t *conform.T, open func() Subject) {
	model.Check(t, 250, func(rt *rapid.T, t *conform.T) {
		w := newWorld(t, open(), workers(rapid.IntRange(1, 3).Draw(rt, "workers")))
		s := newStorm(rt, w)
		w.addNode(newNode("n0", 2))
		t.Wait()
		w.run()
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			s.step()
			w.lawful()
		}
		w.answer(nil)
		w.pass(2 * time.Minute)
		w.lawful()
		s.nobodyLeft(t)
		w.end()
	})
}
