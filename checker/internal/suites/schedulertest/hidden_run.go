package schedulertest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// runCases are about many at once, about choosing, and about the end.
var runCases = []conform.Case[Subject]{
	{
		Name:   "two-workers-one-place",
		Points: 4,
		Func:   "Options.Workers",
		Look:   []string{"the step of Scheduler.Run that assumes a pod on its node"},
		Rule:   "If two workers choose the same node at the same time, and it has room for one pod, one of them gets the room and the other looks again. So does a worker whose node has gone away, or whose node or pod has changed so that a filter refuses. What happened before that other look still counts for the pod.",
		Why:    "Upstream decides about one pod after the other. A scheduler that decides about several at once needs what the API server has: optimistic concurrency, with a look at the version before the write.",
		Hint: []string{
			"What the filters have seen may be old when you assume the pod. How do you notice?",
			"Assume under the lock only if the node is still as the filters have seen it. Otherwise ask them again.",
			"Do not call them under the lock. Compare, unlock, ask, and compare again.",
			"A node changes by more than its pods: somebody may cordon it. And the pod may change as well.",
		},
		Source: "Schwarzkopf et al., Omega (EuroSys 2013): shared state and optimistic concurrency; kubernetes pkg/scheduler/scheduler.go: Scheduler.Run",
		Contract: []string{
			"At this moment no filter refuses the node as it is known then: if the node or the pod has changed since the filters saw them, the filters are called again, and if one refuses the node now, or it is gone, the worker looks for another node in the same attempt.",
			"Requested is the sum of the requests of all pods that count on the node, bound or assumed, and their number.",
			"Names distinguish nodes: one that is deleted and comes back is the same node, changed.",
			"its message contains the text of each different error with which the filters refuse the nodes, in the state in which the worker has seen them last.",
			"An event that would move a pod also counts if it comes while the pod is in flight. If its attempt finds no node, the pod goes to the backoff queue instead of the unschedulable one",
		},
		Check: twoWorkersOnePlace,
	},
	{
		Name:   "crowd",
		Points: 3,
		Func:   "Scheduler.Run",
		Look:   conform.Anywhere,
		Rule:   "With four workers, handlers that are called meanwhile and many pods, each place is given once and nothing races.",
		Why:    "The scheduler's four workers, a goroutine for each binding, and two informers share its state.",
		Hint: []string{
			"Which lock guards the queues, and which the sums? Do you read anything without it?",
			"Do not write to a NodeInfo that a filter reads. Make a new one instead.",
		},
		Source: "The Go Memory Model; kubernetes pkg/scheduler/backend/cache/snapshot.go: Snapshot",
		Contract: []string{
			"At this moment no filter refuses the node as it is known then",
			"It may be called before Run, during it and afterwards, and at the same time as the NodeHandler.",
		},
		Mode:  conform.Copies,
		Check: crowd,
	},
	{
		Name:   "so-many-workers",
		Points: 2,
		Func:   "Options.Workers",
		Look:   []string{"Scheduler.Run", "New", "Scheduler.Pending"},
		Rule:   "Exactly as many pods are tried at the same time as there are workers, by default one. Meanwhile Pending counts each pod once.",
		Why:    "A filter may call another service. With one worker all pods wait for that; with ten thousand, the service breaks down.",
		Hint: []string{
			"Start Workers goroutines in Run, each of which takes a pod, tries it and takes the next.",
			"Do you hold a lock while you call the filters? Then there is only one worker, whatever the options say.",
		},
		Source: "the contract of Options.Workers",
		Contract: []string{
			"Workers is how many pods are filtered and scored at the same time, each by a goroutine of its own. Binding does not count. 0 means 1, as upstream.",
			"Pending counts the pods that wait for a node, by the place where they are. Each is in one place.",
			"These events move every unschedulable pod, to the backoff queue while its backoff is not over, and to the active one afterwards",
		},
		Check: soManyWorkers,
	},
	{
		Name:   "no-lock-held-outside",
		Points: 3,
		Func:   "Scheduler.Pending",
		Look:   []string{"the calls of filters, scores, client and recorder in Scheduler.Run"},
		Rule:   "Filters, scores, the client and the recorder may call the handlers and Pending: no lock is held while they are called.",
		Why:    "Deadlocks begin with somebody else's code under your lock. An informer that waits for a slow filter delays all news.",
		Hint: []string{
			"Look at every call of something in Options. Which lock is held there?",
			"Take what you need under the lock, unlock, and then call.",
		},
		Source: "the contract of Scheduler; kubernetes pkg/scheduler/backend/cache/snapshot.go: Snapshot",
		Contract: []string{
			"No lock that a handler or Pending needs is held while a filter, a score, the client or the recorder is called",
			"if the node or the pod has changed since the filters saw them, the filters are called again",
		},
		Check: noLockHeldOutside,
	},
	{
		Name:   "highest-sum-wins",
		Points: 2,
		Func:   "Options.Scores",
		Look:   []string{"the step of Scheduler.Run that scores the feasible nodes"},
		Rule:   "The node with the highest sum of score times weight gets the pod.",
		Why:    "Each plugin sees one aspect. The weights say which aspect matters more.",
		Hint:   []string{"Multiply before you add, and compare sums. A score of zero is a score."},
		Source: "kubernetes pkg/scheduler/framework/runtime/framework.go: RunScorePlugins",
		Contract: []string{
			"The node with the highest sum of score times weight wins; among equals any may win.",
			"Filters say on which nodes a pod may run. nil means the five of this package; an empty list refuses no node.",
		},
		Mode:  conform.Virtual,
		Check: highestSumWins,
	},
	{
		Name:   "enough-is-enough",
		Points: 3,
		Func:   "NumFeasibleNodesToFind",
		Look:   []string{"NumFeasibleNodesToFind", "the search for feasible nodes in Scheduler.Run"},
		Rule:   "In a large cluster the scheduler scores only a part of the feasible nodes, each attempt begins where the last has stopped, and a single node that fits is found wherever it is.",
		Why:    "With five thousand nodes, the best of five hundred is good enough, and ten times as fast. But if every search began at the same node, the first would be full and the others empty.",
		Hint: []string{
			"Count the feasible nodes, not those that you have looked at: refused nodes do not count.",
			"Remember how far the last attempt came, and begin the next one there.",
			"In whole numbers: 50 − nodes/125 percent, at least 5, and never fewer than 100 nodes.",
		},
		Source: "kubernetes pkg/scheduler/schedule_one.go: numFeasibleNodesToFind (and nextStartNodeIndex)",
		Contract: []string{
			"When NumFeasibleNodesToFind(n) of them are found, n being the number of known nodes, the worker looks at no more nodes. The next attempt begins where this one has stopped, so that all nodes have their turn.",
			"NumFeasibleNodesToFind returns how many feasible nodes are enough in a cluster of the given size",
			"A pod never becomes unschedulable before the worker has looked at every node that was known when the attempt began.",
			"its message contains the text of each different error with which the filters refuse the nodes, in the state in which the worker has seen them last",
		},
		Check: enoughIsEnough,
	},
	{
		Name:   "run-ends",
		Points: 3,
		Func:   "Scheduler.Run",
		Rule:   "Run returns when the attempts and bindings under way have ended, takes no pod after its ctx is done, and runs once.",
		Why:    "When a leader loses its lease, the next one starts. A binding after that comes from a second scheduler.",
		Hint: []string{
			"What waits for the bindings? Wait for the workers first: only they start bindings.",
			"How do you wake a worker that waits for a pod? context.AfterFunc can do it.",
		},
		Source: "kubernetes cmd/kube-scheduler/app/server.go: newEndpointsHandler; Go sync/waitgroup.go: WaitGroup.Add",
		Contract: []string{
			"It returns nil when all attempts, bindings included, have ended and no goroutine is left; no pod is taken after the end of ctx, but attempts under way may go on, and bind their pods.",
			"Every other call, at the same time or later, returns ErrStarted at once.",
			"taken by a worker, until the attempt is over, even if the pod is gone by then; those that are being bound are among them",
			"Its calls get the ctx of Run, or one derived from it that ends with it.",
			"It may be called before Run, during it and afterwards",
			"A pod without a node is pending, unless it is being deleted (DeletionTimestamp) or has ended",
			"New starts no goroutine.",
		},
		Mode:  conform.Virtual,
		Check: runEnds,
	},
	{
		Name:   "forgets-the-gone",
		Long:   true,
		Points: 2,
		Func:   "Scheduler.PodHandler",
		Look:   []string{"Scheduler.PodHandler", "what Scheduler.Run keeps of a pod that has its node", "the queues"},
		Rule:   "The scheduler keeps nothing of pods that are gone.",
		Why:    "A cluster may have a million pods a day, and a scheduler runs for months.",
		Hint: []string{
			"What is left of a pod in the queues, in the map of in-flight pods, and in the sums, when it is deleted?",
			"A shortened slice still holds what is behind its end.",
		},
		Source:   "kubernetes#127016, #104991",
		Contract: []string{"Once a pod is gone and its attempt is over, nothing about it is kept in memory, not even the name of its node, unless that node is known or has other pods."},
		Check:    forgetsTheGone,
	},
}

// twoWorkersOnePlace lets both workers see the node empty before either goes on.
func twoWorkersOnePlace(t *conform.T, open func() Subject) {
	s := open()
	var both sync.WaitGroup
	both.Add(2)
	var calls atomic.Int64
	meet := func(*kit.Pod, NodeInfo) error {
		if calls.Add(1) <= 2 {
			both.Done()
			both.Wait()
		}
		return nil
	}
	w := newWorld(t, s, workers(2), filters(meet, s.NodeResourcesFit))
	w.addNode(newNode("n", 1))
	t.Wait()
	w.run()
	w.addPods(newPod("a"), newPod("b"))
	t.Wait()
	w.lawful()
	t.Require(len(w.on("n")) == 1, "Two workers saw node n empty, which has room for one, and tried a and b at the same time. On it are now: %s. It should be one of them.", listed(w.on("n")))
	w.waits(Pending{Unschedulable: 1}, "Two pods wanted the only place at the same time, and the one that came too late is not unschedulable.")
	w.end()
	t.Virtual(func(t *conform.T) { nodeGoesAway(t, open()) })
	t.Virtual(func(t *conform.T) { nodeGoesAway(t, open(), bound("old", "best")) })
	t.Virtual(func(t *conform.T) { nodeIsCordoned(t, open()) })
	t.Virtual(func(t *conform.T) { podIsChanged(t, open()) })
	t.Virtual(func(t *conform.T) { podGrows(t, open()) })
	t.Virtual(func(t *conform.T) { changedTwice(t, open()) })
	t.Virtual(func(t *conform.T) { changesWheneverAsked(t, open()) })
	for _, c := range seconds {
		t.Virtual(func(t *conform.T) { c.happens(t, open()) })
	}
}

// nodeGoesAway deletes the best node while the filters look at the nodes. There are pods on it,
// or none.
func nodeGoesAway(t *conform.T, s Subject, pods ...*kit.Pod) {
	g := newGate(t, "a filter")
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { g.pass(); return nil }), func(o *Options) {
		o.Scores = []Score{{1, func(_ *kit.Pod, n NodeInfo) int64 {
			if n.Node.Name == "best" {
				return 100
			}
			return 0
		}}}
	})
	w.addNode(newNode("best", 9))
	w.addNode(newNode("other", 9))
	w.addPods(pods...)
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	<-g.reached
	w.deleteNode("best")
	t.Wait()
	g.unlock()
	t.Wait()
	w.runsOn("a", "other", "The best node went away while the filters looked at the nodes, and the NodeHandler was told. The worker should have looked for another node in the same attempt.")
	w.told("a", "The best node went away during the attempt, and there was another one.", "Scheduled")
	w.updates(1, "The best node went away during the attempt, and there was another one.")
	w.end()
}

func crowd(t *conform.T, open func() Subject) {
	const pods, places = 24, 12
	tried := make(chan struct{}, 10*pods)
	w := newWorld(t, open(), workers(4))
	w.notes.also = func() { tried <- struct{}{} }
	for i := range 4 {
		w.addNode(newNode("n"+strconv.Itoa(i), places/4))
	}
	for i := range pods {
		w.addNode(newNode("full"+strconv.Itoa(i), 0))
	}
	w.nodeFeed.drain()
	w.run()
	for i := range pods {
		w.addPods(newPod("p" + strconv.Itoa(i)))
		w.deleteNode("full" + strconv.Itoa(i))
		w.changeNode("n0", beats)
	}
	for range pods {
		<-tried
	}
	w.end()
	for i := range 4 {
		node := "n" + strconv.Itoa(i)
		t.Assert(len(w.on(node)) == places/4, "All %d pods were tried, and there is room for %d. Node %s has room for %d, and %d are on it.", pods, places, node, places/4, len(w.on(node)))
	}
}

func soManyWorkers(t *conform.T, open func() Subject) {
	const pods = 40 // more than anybody's default
	for _, c := range []struct {
		said int
		want int64
	}{{0, 1}, {1, 1}, {3, 3}} {
		g := newGate(t, "a filter")
		var inside atomic.Int64
		w := newWorld(t, open(), workers(c.said), filters(func(*kit.Pod, NodeInfo) error {
			inside.Add(1)
			g.pass()
			return nil
		}))
		w.addNode(newNode("n", pods))
		for i := range pods {
			w.addPods(newPod("p" + strconv.Itoa(i)))
		}
		t.Wait()
		w.run()
		<-g.reached
		t.Wait()
		t.Require(inside.Load() == c.want, "With Workers %d and %d active pods, %d pods are tried at the same time, and it should be %d.", c.said, pods, inside.Load(), c.want)
		w.waits(Pending{Active: pods - int(c.want), InFlight: int(c.want)}, "Pods that are being tried are in flight, and the others are active.")
		g.unlock()
		t.Wait()
		var missing []string
		for i := range pods {
			if name := "p" + strconv.Itoa(i); w.nodeOf(name) == "" {
				missing = append(missing, name)
			}
		}
		t.Require(len(missing) == 0, "%d pods were tried, and all fit on node n. These have no node: %s.", pods, listed(missing))
		w.end()
	}
	eachCountsOnce(t, open())
	t.Virtual(func(t *conform.T) { allWorkersWake(t, open()) })
	t.Virtual(func(t *conform.T) { changesWhileTried(t, open()) })
}

// changesWhileTried has a pod change while the only worker tries it, so that the filters are called once more, and another pod be
// active. Each call takes a second.
func changesWhileTried(t *conform.T, s Subject) {
	t.Note("next: a pod changes while the only worker tries it, and another is active")
	var w *world
	var once sync.Once
	var mu sync.Mutex // guards inside and most
	inside, most := map[string]int{}, 0
	w = newWorld(t, s, filters(func(p *kit.Pod, _ NodeInfo) error {
		mu.Lock()
		inside[p.Name]++
		most = max(most, len(inside))
		mu.Unlock()
		once.Do(func() {
			w.changePod(p.Name, func(p *kit.Pod) { p.Labels = map[string]string{"v": "2"} })
			w.podFeed.drain()
		})
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		if inside[p.Name]--; inside[p.Name] == 0 {
			delete(inside, p.Name)
		}
		return nil
	}))
	w.addNode(newNode("n", 9))
	w.addPods(newPod("a"), newPod("b"))
	t.Wait()
	w.run()
	w.pass(time.Minute)
	t.Require(len(w.on("n")) == 2, "Two pods were tried, one of which changed during its attempt, and both fit on node n. There are only: %s.", listed(w.on("n")))
	t.Require(most == 1, "There is one worker. While it tried a pod, the pod changed, so that the filters were called for it once more. Meanwhile they were called for another: %d pods were being filtered at the same time, and it should be 1.", most)
	w.end()
}

// allWorkersWake has three unschedulable pods, three idle workers, and one event that moves all of the pods.
func allWorkersWake(t *conform.T, s Subject) {
	g := newGate(t, "a filter")
	var inside atomic.Int64
	w := running(t, s, []*kit.Node{newNode("n", 9)}, workers(3), filters(func(_ *kit.Pod, n NodeInfo) error {
		if n.Node.Labels["new"] != "" {
			inside.Add(1)
			g.pass()
		}
		return errors.New("no")
	}))
	w.addPods(newPod("a"), newPod("b"), newPod("c"))
	w.pass(5300 * time.Millisecond) // and no whole second, at which some clock may look
	w.waits(Pending{Unschedulable: 3}, "Three pods for which there is no node are not all in the unschedulable queue.")
	w.changeNode("n", func(n *kit.Node) { n.Labels = map[string]string{"new": "label"} })
	t.Wait()
	t.Require(inside.Load() == 3, "Three pods were unschedulable and rested, and three workers had nothing to do. Then a node changed, which moves all three pods to the active queue. %d of them are tried at the same time, and it should be 3.", inside.Load())
	g.unlock()
	t.Wait()
	w.end()
}

// eachCountsOnce calls Pending again and again while a worker tries pods, for which there is no node.
func eachCountsOnce(t *conform.T, s Subject) {
	const pods = 400
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { return errors.New("no") }))
	w.addNode(newNode("n", pods))
	for i := range pods {
		w.addPods(newPod("p" + strconv.Itoa(i)))
	}
	w.nodeFeed.drain()
	w.podFeed.drain()
	w.waits(Pending{Active: pods}, "Run was not called yet, and all pods are active.")
	w.run()
	for range 50 * pods {
		p := w.s.Pending() // not in the history, which would be full of it
		all := p.Active + p.Backoff + p.Unschedulable + p.InFlight
		t.Require(all == pods, "%d pods wait for a node, and a worker tries one after the other. Pending was called meanwhile and returned: %s. That is %d, and each counts once: a pod has moved while Pending was counting.", pods, queues(p), all)
		if p.Active+p.InFlight == 0 {
			break
		}
	}
	w.end()
}

func noLockHeldOutside(t *conform.T, open func() Subject) {
	var w *world
	other := newNode("other", 9) // not the one that is chosen: then it would change whenever it is looked at
	var calls atomic.Int64
	call := func(who string) {
		calls.Add(1)
		c := t.Call("Pending, and a handler, from inside a %s", who)
		w.s.Pending()
		w.s.NodeHandler().OnUpdate(other, other)
		c.Returned("")
	}
	again := changesAtFirst(func() kit.ResourceEventHandler[*kit.Node] { return w.s.NodeHandler() })
	w = newWorld(t, open(), filters(again, func(p *kit.Pod, n NodeInfo) error {
		call("filter")
		if n.Node.Name == "other" || p.Name == "nowhere" {
			return errors.New("not this one")
		}
		return nil
	}), func(o *Options) {
		o.Scores = []Score{{1, func(*kit.Pod, NodeInfo) int64 { call("score"); return 1 }}}
	})
	heard := make(chan struct{}, 10)
	w.notes.also = func() {
		call("recorder")
		heard <- struct{}{}
	}
	w.answer(func(context.Context, *kit.Pod) outcome {
		call("client's Update")
		return outcome{err: errors.New("no")}
	})
	w.getting(func(context.Context) error { call("client's Get"); return nil })
	for _, n := range []*kit.Node{newNode("n", 9), newNode("m", 9), other} {
		w.addNode(n)
	}
	t.Wait()
	w.run()
	w.addPods(newPod("a"))
	<-heard // a lock that is held shows as a deadlock
	w.told("a", "A binding has failed, and there is not the one event.", "FailedScheduling")
	t.Require(calls.Load() >= 6, "For a pod whose binding fails the filter is called for 3 nodes, the score for 2, and Update, Get and the recorder once each. All in all there were %d calls, and should be 6 at least.", calls.Load())
	w.answer(nil)
	w.hears(heard, "b", "A binding has succeeded, and there is not the one event.", "Scheduled")
	w.hears(heard, "nowhere", "No node is feasible, and there is not the one event.", "FailedScheduling")
	w.end()
}

// changesAtFirst is a filter that refuses nothing. When it is asked about a node for the first time it says
// that the node has changed, so that the filters are called again before a pod is assumed there.
func changesAtFirst(handler func() kit.ResourceEventHandler[*kit.Node]) Filter {
	var known sync.Map // by name
	return func(_ *kit.Pod, n NodeInfo) error {
		if _, again := known.LoadOrStore(n.Node.Name, true); !again {
			changed := n.Node.DeepCopy()
			changed.Annotations = map[string]string{"a": "b"}
			handler().OnUpdate(n.Node, changed)
		}
		return nil
	}
}

// hears adds a pod and waits for the events about it, which must be these. Another pod may be
// tried again meanwhile.
func (w *world) hears(heard <-chan struct{}, pod, message string, want ...string) {
	w.addPods(newPod(pod))
	for len(w.notes.reasons(pod)) < len(want) {
		<-heard
	}
	w.told(pod, message, want...)
}

func forgetsTheGone(t *conform.T, open func() Subject) {
	w := running(t, open(), []*kit.Node{newNode("n", 9)}, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Labels["fits"] == "" {
			return errors.New("no")
		}
		return nil
	}))
	first := w.comeAndGo("p")
	if alive := probe.Alive(first.pods); alive > few {
		second := w.comeAndGo("q")
		t.Fatalf("400 pods were added and deleted again, and the scheduler still kept %d of them in memory. After another 400 pods, which were deleted too, it keeps %d of the first and %d of the others.",
			alive, probe.Alive(first.pods), probe.Alive(second.pods))
	}
	w.notes.forget() // they hold the UIDs, too
	names := probe.Alive(first.nodes)
	t.Require(names <= few, "400 pods were added and deleted again, 100 of them on nodes of which the NodeHandler never heard, each on another. The scheduler still has the names of %d of these nodes in memory, as in an entry of a map that is never deleted.", names)
	uids := probe.Alive(first.uids)
	t.Require(uids <= few, "400 pods were added and deleted again. The scheduler keeps none of them, but it still has the UIDs of %d in memory, as in an entry of a map that is never deleted.", uids)
	w.end()
	forgetsNodes(t, open())
	forgetsTheMoved(t, open())
	for _, c := range goings {
		c.forgets(t, open())
	}
}

// forgetsTheMoved has pods deleted that were unschedulable, and that an event has moved to the backoff queue.
func forgetsTheMoved(t *conform.T, s Subject) {
	const pods = 50
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { return errors.New("no") }))
	w.addNode(newNode("n", pods))
	t.Wait()
	w.run()
	var known []*kit.Pod
	var all gone
	call := t.Call("PodHandler.OnAdd, for %d pods", pods)
	for i := range pods {
		p := newPod("p" + strconv.Itoa(i))
		p.UID = "a-uid-that-has-memory-of-its-own-" + p.Name
		all.note(p)
		known = append(known, p)
		w.s.PodHandler().OnAdd(p, false)
	}
	call.Returned("")
	t.Wait()
	w.waits(Pending{Unschedulable: pods}, "There is no node for any pod.")
	w.wake()
	t.Wait()
	w.waits(Pending{Backoff: pods}, "An event came when all pods had just become unschedulable.")
	deleteEach(t, w.s.PodHandler(), known)
	clear(known)
	t.Wait()
	w.waits(Pending{}, "All pods were deleted.")
	w.notes.forget()
	alive, uids := probe.Alive(all.pods), probe.Alive(all.uids)
	t.Require(alive <= few && uids <= few, "%d pods were unschedulable, an event moved them to the backoff queue, and then they were deleted. The scheduler keeps %d of them in memory, and the UIDs of %d.", pods, alive, uids)
	w.end()
}

// forgetsNodes has nodes come, each with a pod, and go when their pods are gone.
func forgetsNodes(t *conform.T, s Subject) {
	const nodes = 50
	w := newWorld(t, s)
	w.run()
	var all gone
	call := t.Call("NodeHandler.OnAdd, PodHandler.OnAdd, PodHandler.OnDelete, NodeHandler.OnDelete, for %d nodes with a pod on each", nodes)
	for i := range nodes {
		n := newNode("a-node-whose-name-has-memory-of-its-own-"+strconv.Itoa(i), 9)
		p := bound("p"+strconv.Itoa(i), n.Name)
		p.UID = "a-uid-that-has-memory-of-its-own-" + p.Name
		all.nodes = append(all.nodes, weak.Make(unsafe.StringData(n.Name)))
		w.s.NodeHandler().OnAdd(n, false)
		w.s.PodHandler().OnAdd(p, false)
		w.s.PodHandler().OnDelete(p, false)
		w.s.NodeHandler().OnDelete(n, false)
	}
	call.Returned("")
	names := probe.Alive(all.nodes)
	t.Require(names <= few, "%d nodes came, a pod ran on each, and then the pods and the nodes were deleted. The scheduler still has the names of %d of these nodes in memory, as in an entry of a map that is never deleted.", nodes, names)
	w.end()
}

// few pods that are gone may be kept, as in a buffer that is used again.
const few = 5

// going is a moment of an attempt at which a pod is deleted, and how the attempt goes on.
type going struct {
	what     string
	call     string // of this
	filtered error
	written  error
}

var goings = []going{
	{"while a filter was called, which then refused the node", "a filter", errors.New("no"), nil},
	{"while a filter was called, which then returned nil", "a filter", nil, nil},
	{"while Update was called, which then succeeded", "Update", nil, nil},
	{"while Update was called, which then failed, and so did Get", "Update", nil, errors.New("no route to the server")},
}

// forgets adds pods, each of which is deleted in the middle of its first attempt.
func (c going) forgets(t *conform.T, s Subject) {
	const pods = 50
	var w *world
	var all gone
	in := func(call string, p *kit.Pod) {
		switch {
		case call != c.call:
		case p.Labels["marked"] != "": // as when a deletion is graceful
			next, now := p.DeepCopy(), time.Now()
			next.Spec.NodeName, next.DeletionTimestamp = "", &now
			w.s.PodHandler().OnUpdate(p, next)
			w.s.PodHandler().OnDelete(next, false)
		default:
			w.s.PodHandler().OnDelete(p, false)
		}
	}
	w = newWorld(t, s, filters(func(p *kit.Pod, _ NodeInfo) error { in("a filter", p); return c.filtered }))
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		in("Update", p)
		return outcome{err: c.written, taken: true}
	})
	w.getting(func(context.Context) error { return c.written })
	w.addNode(newNode("n", 2*pods))
	t.Wait()
	w.run()
	call := t.Call("PodHandler.OnAdd, for %d pods, each of which is deleted %s, every second after it was marked for deletion", pods, c.what)
	for i := range pods {
		p := newPod("p" + strconv.Itoa(i))
		if i%2 == 1 {
			p.Labels = map[string]string{"marked": "first"}
		}
		p.UID = "a-uid-that-has-memory-of-its-own-" + p.Name
		all.note(p)
		w.s.PodHandler().OnAdd(p, false)
	}
	call.Returned("")
	t.Wait()
	w.waits(Pending{}, "All pods were deleted, each "+c.what+".")
	w.notes.forget()
	alive, uids := probe.Alive(all.pods), probe.Alive(all.uids)
	t.Require(alive <= few && uids <= few, "%d pods were added, and each was deleted %s, every second after it was marked for deletion. The scheduler keeps %d of them in memory, and the UIDs of %d.", pods, c.what, alive, uids)
	w.end()
}

// gone are pods that are gone, of which nothing may be kept.
type gone struct {
	pods  []weak.Pointer[kit.Pod]
	uids  []weak.Pointer[byte] // the first byte of each
	nodes []weak.Pointer[byte] // … of the names of nodes that nobody else knows
}

func (g *gone) note(p *kit.Pod) {
	g.pods = append(g.pods, weak.Make(p))
	g.uids = append(g.uids, weak.Make(unsafe.StringData(p.UID)))
}

// comeAndGo adds 400 pods, has the scheduler try them, and deletes them.
func (w *world) comeAndGo(name string) gone {
	const each = 100
	t, h := w.t, w.s.PodHandler()
	var known []*kit.Pod
	var all gone
	call := t.Call("PodHandler.OnAdd, for %d pods", 4*each)
	for i := range 4 * each {
		p := newPod(name + strconv.Itoa(i))
		p.UID = "a-uid-that-has-memory-of-its-own-" + p.Name
		switch i % 4 {
		case 0:
			p.Spec.NodeName = "a-node-of-which-nobody-has-heard-" + p.Name
			all.nodes = append(all.nodes, weak.Make(unsafe.StringData(p.Spec.NodeName)))
		case 1:
			p.Labels = map[string]string{"fits": "yes"} // it is bound, or would be: the API server does not know it
		}
		known = append(known, p)
		all.note(p)
		h.OnAdd(p, false)
	}
	call.Returned("")
	t.Wait()
	p := w.pending()
	pending := p.Active + p.Backoff + p.Unschedulable + p.InFlight
	t.Require(pending == 2*each, "Of 400 pods there is no node for 200, and the others were bound or given up. Pending counts %d: %s.", pending, queues(p))
	deleteEach(t, h, known)
	clear(known)
	t.Wait()
	w.waits(Pending{}, "All pods were deleted, and some are pending.")
	return all
}

// deleteEach tells a handler that each of the pods is gone, of some after an update.
func deleteEach(t *conform.T, h kit.ResourceEventHandler[*kit.Pod], known []*kit.Pod) {
	call, now := t.Call("PodHandler.OnDelete, for each of them"), time.Now()
	for i, p := range known {
		if i%3 == 0 { // an update brings a new object, and then the deletion
			next := p.DeepCopy()
			next.Annotations = map[string]string{"a": "b"}
			if i%2 == 0 {
				next.DeletionTimestamp = &now
			}
			if i%4 != 1 {
				h.OnUpdate(p, next)
				p = next
			}
		}
		h.OnDelete(p, i%5 == 0)
	}
	call.Returned("")
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
