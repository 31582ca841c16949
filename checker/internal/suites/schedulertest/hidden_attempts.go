package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the PodHandler hears while a pod is being tried, and what Run leaves behind.

// report is what the PodHandler hears about a pod during an attempt that is to bring it to node n.
type report struct {
	what string
	does func(w *world, pod string)
	node string // where the pod counts then, if it was not bound before
}

var reports = []report{
	{"somebody else bound it to node m", changes(func(p *kit.Pod) { p.Spec.NodeName = "m" }), "m"},
	{"somebody else bound it to node n", changes(func(p *kit.Pod) { p.Spec.NodeName = "n" }), "n"},
	{"it was deleted", func(w *world, pod string) { w.deletePod(pod, false) }, ""},
	{"it was marked for deletion", changes(marked), ""},
	{"it has failed", changes(fails), ""},
}

// changes is a report of a pod that is changed in one way.
func changes(change func(p *kit.Pod)) func(w *world, pod string) {
	return func(w *world, pod string) { w.changePod(pod, change) }
}

// errNotHere is why a filter of these scenarios refuses a node.
var errNotHere = errors.New("not this one")

// ofNodes is a filter that lets pod a run on node n alone, and no other pod anywhere. It calls looking for pod a and
// node n, and says what that returns. What it was shown for a probe, look has.
func ofNodes(look *looker, looking func() error) Filter {
	return func(p *kit.Pod, n NodeInfo) error {
		look.filter(p, n)
		if p.Name == "a" && n.Node.Name == "n" {
			return looking()
		}
		return errNotHere
	}
}

// said is what a filter did, in words.
func said(err error) string {
	if err == nil {
		return "returned nil"
	}
	return "refused the node"
}

// countsOn requires that pod a counts on that node, n or m, and nowhere else; nowhere if node is "".
func (w *world) countsOn(look *looker, node, why string) {
	want := map[string]int64{node: 1}
	w.counts(look, want, why+"So pod a counts on "+where(node)+". ")
}

// counts adds a probe, and requires that the filters are shown so many pods on the nodes n and m.
func (w *world) counts(look *looker, want map[string]int64, why string) {
	w.addPods(newPod("probe"))
	w.t.Wait()
	shown := look.take()
	for _, name := range []string{"n", "m"} {
		got := int(shown[name].Requested.Pods)
		w.t.Require(got == int(want[name]), "%sLater the filters were asked about node %s for another pod, and Requested was of %s. It should be of %s.",
			why, name, conform.Count(got, "pod"), conform.Count(int(want[name]), "pod"))
	}
}

// reportedWhileTried has the PodHandler hear of pod a while a filter looks at the node for it.
func reportedWhileTried(t *conform.T, open func() Subject) {
	for _, c := range reports {
		c.whileFiltered(t, open(), nil)
		c.whileFiltered(t, open(), errNotHere)
	}
	for _, c := range returns {
		c.afterTheAttempt(t, open(), nil)
		c.afterTheAttempt(t, open(), errNotHere)
	}
}

// whileFiltered has the filter say fits after that. Pod u has waited and rested before.
func (c report) whileFiltered(t *conform.T, s Subject, fits error) {
	t.Note("next: while a filter looks at node n for pod a, %s; then the filter %s", c.what, said(fits))
	look, g := &looker{seen: map[string]NodeInfo{}}, newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("m", 9)}, filters(ofNodes(look, func() error { g.pass(); return fits })))
	w.addPods(newPod("u"))
	w.pass(20 * time.Second)
	w.addPods(newPod("a"))
	<-g.reached
	c.does(w, "a")
	t.Wait()
	g.unlock()
	w.pass(20 * time.Second)
	why := fmt.Sprintf("While a filter looked at node n for pod a, %s, as the PodHandler heard. Then the filter %s. ", c.what, said(fits))
	w.updates(0, why+"There is nothing to bind.")
	w.countsOn(look, c.node, why)
	w.told("u", why+"Nothing is assumed for it then, so it has stopped counting nowhere: nothing has happened that moves pod u, which was unschedulable.", "FailedScheduling")
	if c.node != "" {
		w.deletePod("a", false)
		t.Wait()
		w.countsOn(look, "", why+"When the attempt was over, the pod was deleted. ")
	}
	w.end()
}

// reportedBeforeUpdate has the PodHandler hear of pods between the moment at which they are assumed and their Update.
func reportedBeforeUpdate(t *conform.T, open func() Subject) {
	for _, c := range reports {
		c.beforeUpdate(t, open())
	}
}

// beforeUpdate has a filter make the report of each pod when it is called for the next one. Whether the goroutine that binds the
// pod has begun by then is chance, so there are many.
func (c report) beforeUpdate(t *conform.T, s Subject) {
	const pods = 60
	t.Note("next: one worker assumes %d pods on node n, one after the other. While it tries the next, each time %s", pods, c.what)
	var w *world
	look, tried := &looker{seen: map[string]NodeInfo{}}, &turns{}
	w = newWorld(t, s, filters(func(p *kit.Pod, n NodeInfo) error {
		look.filter(p, n)
		if before := tried.before(p.Name); before != "" && p.Name != "probe" {
			c.does(w, before)
			w.tellsItself()
		}
		if p.Name == "probe" || n.Node.Name == "m" {
			return errNotHere
		}
		return nil
	}))
	w.addNode(newNode("n", pods))
	w.addNode(newNode("m", pods))
	for i := range pods {
		w.addPods(newPod("p" + strconv.Itoa(i)))
	}
	t.Wait()
	w.podFeed.hold()
	w.run()
	t.Wait()
	w.podFeed.release()
	w.pass(20 * time.Second)
	why := fmt.Sprintf("%d pods were assumed on node n. Of each the PodHandler heard, while the worker tried the next, that %s; its Update may have begun by then or not. ", pods, c.what)
	w.waits(Pending{}, why+"All attempts are over.")
	want := map[string]int64{"n": w.used("n").Pods, "m": w.used("m").Pods}
	w.counts(look, want, why+fmt.Sprintf("Of these pods %d are on n now, and %d on m. ", want["n"], want["m"]))
	w.end()
}

// before notes that a pod is tried. If it was not noted yet, it returns the one that was tried before.
func (s *turns) before(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.names, name) {
		return ""
	}
	s.names = append(s.names, name)
	if n := len(s.names); n > 1 {
		return s.names[n-2]
	}
	return ""
}

// tellsItself has its caller tell the PodHandler all news that is held back.
func (w *world) tellsItself() {
	a := w.t.Named("pod informer, called by a filter")
	for _, p := range w.podFeed.drop() {
		p.tells(a, w.s.PodHandler())
	}
}

// comeback is how pod a is no longer pending, and how it is again.
type comeback struct {
	goes, returns string
	does, undoes  func(w *world)
}

var returns = []comeback{
	{"was marked for deletion", "is not marked any longer", func(w *world) { w.changePod("a", marked) },
		func(w *world) { w.changePod("a", func(p *kit.Pod) { p.DeletionTimestamp = nil }) }},
	{"is gone", "is there, with the same UID",
		func(w *world) { w.saysGone(w.stored("a"), true) }, func(w *world) { w.saysThere(w.stored("a"), false) }},
}

// afterTheAttempt has the pod go in the middle of an attempt, and come back when that is over.
func (c comeback) afterTheAttempt(t *conform.T, s Subject, fits error) {
	t.Note("next: while pod a is being tried, it %s; when its attempt is over, it %s", c.goes, c.returns)
	g, later := newGate(t, "a filter"), atomic.Bool{}
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		g.pass()
		if later.Load() {
			return nil
		}
		return fits
	}))
	w.addPods(newPod("a"))
	<-g.reached
	c.does(w)
	t.Wait()
	g.unlock()
	t.Wait()
	why := "While pod a was being tried, the PodHandler heard that it " + c.goes + ". "
	w.waits(Pending{}, why+"A filter has returned, and the attempt is over.")
	later.Store(true)
	c.undoes(w)
	w.pass(20 * time.Second)
	w.runsOn("a", "n", why+"When the attempt was over it heard that the pod "+c.returns+". The latest call counts, so the pod is pending, and node n has room for it.")
	w.end()
}

// shownWhileTried has the PodHandler hear of an older state of a pod that is being tried and that somebody else has bound.
func shownWhileTried(t *conform.T, open func() Subject) {
	for _, fits := range []error{nil, errNotHere} {
		olderWhileTried(t, open(), fits, "m", "without a node", func(*kit.Pod) {})
		olderWhileTried(t, open(), fits, "m", "in which it is being deleted and has no node", marked)
		olderWhileTried(t, open(), fits, "", "in which it has ended and has no node", fails)
	}
}

// olderWhileTried has the pod count on the given node after that.
func olderWhileTried(t *conform.T, s Subject, fits error, node, what string, change func(p *kit.Pod)) {
	t.Note("next: while pod a is being tried, somebody else binds it to m, and then the PodHandler hears of a state %s", what)
	look, g := &looker{seen: map[string]NodeInfo{}}, newGate(t, "a filter")
	w := running(t, s, []*kit.Node{newNode("n", 9), newNode("m", 9)}, filters(ofNodes(look, func() error { g.pass(); return fits })))
	a := newPod("a")
	w.addPods(a)
	<-g.reached
	w.changePod("a", func(p *kit.Pod) { p.Spec.NodeName = "m" })
	old := a.DeepCopy()
	change(old)
	w.again(old)
	t.Wait()
	g.unlock()
	w.pass(20 * time.Second)
	why := fmt.Sprintf("While a filter looked at node n for pod a, the PodHandler heard that somebody else had bound it to m, and after that of a state %s. Then the filter %s. ", what, said(fits))
	w.updates(0, why+"There is nothing to bind.")
	w.waits(Pending{}, why+"The attempt is over, and the pod does not wait.")
	if node != "" {
		w.again(a)
		w.pass(20 * time.Second)
		why += "When the attempt was over, it heard of the older state without a node once more. That is old and starts no attempt. "
		w.updates(0, why)
		w.waits(Pending{}, why)
	}
	w.countsOn(look, node, why)
	w.end()
}

// last is the last call of an attempt that is under way when the ctx of Run ends, and how that attempt goes on.
type last struct {
	call              string
	fits, update, get error
}

var lasts = []last{
	{"a filter", errNotHere, nil, nil},
	{"a filter", nil, nil, nil},
	{"Update of the client", nil, nil, nil},
	{"Update of the client", nil, errors.New("no route to the server"), nil},
	{"Update of the client", nil, errors.New("no route to the server"), errors.New("no route to the server")},
}

// overWithRun looks at Pending on the line after Run, whatever the PodHandler has heard of the pod in the last attempt.
func overWithRun(t *conform.T, open func() Subject) {
	nothing := report{"nothing else happened", func(*world, string) {}, ""}
	for _, l := range lasts {
		for range 20 { // which goroutine goes on first is chance
			nothing.beforeTheEnd(t, open(), l)
		}
		for _, c := range reports {
			c.beforeTheEnd(t, open(), l)
			c.beforeTheEnd(t, open(), l)
		}
	}
}

// beforeTheEnd has the ctx of Run end after the report.
func (c report) beforeTheEnd(t *conform.T, s Subject, l last) {
	t.Note("next: while %s is called for pod a, %s, and the ctx of Run ends; the filter %s, Update returns %v and Get %v", l.call, c.what, said(l.fits), l.update, l.get)
	g := newGate(t, l.call)
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error {
		if l.call == "a filter" {
			g.pass()
		}
		return l.fits
	}))
	w.answer(func(context.Context, *kit.Pod) outcome { g.pass(); return outcome{err: l.update} })
	w.getting(func(context.Context) error { return l.get })
	w.addNode(newNode("n", 9))
	w.addPods(newPod("a"))
	t.Wait()
	w.run()
	<-g.reached
	c.does(w, "a")
	t.Wait()
	w.cancel()
	t.Wait()
	g.unlock()
	<-w.done
	p := w.pending()
	t.Require(p.InFlight == 0, "Run has returned, and on the line after it Pending says: %s. Run returns when all attempts have ended, and none is in flight then. The last call was %s, for pod a. Meanwhile %s, and the ctx of Run ended.",
		queues(p), l.call, c.what)
	w.end()
}

// heard is a ctx that counts the calls of Err and Done which return when Run has returned. Each lets others go on before, some
// longer than others.
type heard struct {
	context.Context
	over  atomic.Bool
	calls atomic.Int64
	late  atomic.Int64
}

func (c *heard) note() {
	for range c.calls.Add(1) * 17 % 41 {
		runtime.Gosched()
	}
	if c.over.Load() {
		c.late.Add(1)
	}
}

// Err is that of the ctx.
func (c *heard) Err() error { c.note(); return c.Context.Err() }

// Done is that of the ctx.
func (c *heard) Done() <-chan struct{} { c.note(); return c.Context.Done() }

// noting is a Scheduler that says when its Run is over.
type noting struct {
	Scheduler
	over *atomic.Bool
}

// Run runs the Scheduler.
func (n noting) Run(ctx context.Context) error {
	defer n.over.Store(true)
	return n.Scheduler.Run(ctx)
}

// nobodyAsksLater has the ctx of Run end before Run is called, or in a filter. A goroutine that Run has left would still look
// at that ctx, or it would never end.
func nobodyAsksLater(t *conform.T, open func() Subject) {
	for i := range 40 { // which goroutine goes on first is chance
		early := i%4 == 3
		t.Note("next: the ctx of Run ends before Run is called: %t; or in a filter", early)
		var w *world
		w = newWorld(t, open(), filters(func(*kit.Pod, NodeInfo) error { w.cancel(); return errNotHere }))
		w.addNode(newNode("n", 9))
		w.addPods(newPod("a"))
		t.Wait()
		ctx, cancel := ctxOfRun(t)
		h := &heard{Context: ctx}
		h.calls.Store(int64(i))
		w.s = noting{w.s, &h.over}
		if early {
			cancel()
		}
		w.runWith(h, cancel)
		<-w.done
		t.Wait()
		t.Require(h.late.Load() == 0, "The ctx of Run ended, and Run returned. After that a goroutine of the scheduler called Err or Done of this ctx: it was left. Run returns when no goroutine is left, those included that look after time.")
		w.end()
	}
}

// leisurely is a ctx that lets others go on before its Done returns.
type leisurely struct{ context.Context }

// Done is that of the ctx.
func (c leisurely) Done() <-chan struct{} {
	for range 200 {
		runtime.Gosched()
	}
	return c.Context.Done()
}

// restBeginsUnawares has an event move a pod to the backoff queue at once after it became unschedulable. What looks after time may be about
// to wait: it has seen when the pod is due in the one queue and not in the other.
func restBeginsUnawares(t *conform.T, s Subject) {
	t.Note("next: an event comes while the Recorder is called for a failed attempt, and the scheduler may be asking the ctx of Run")
	w := newWorld(t, s, filters(func(*kit.Pod, NodeInfo) error { return errNotHere }))
	var once sync.Once
	w.notes.also = func() {
		once.Do(func() {
			for range 20 {
				runtime.Gosched()
			}
			w.wake()
			w.nodeFeed.drain()
		})
	}
	w.addNode(newNode("n", 9))
	t.Wait()
	ctx, cancel := ctxOfRun(t)
	w.runWith(leisurely{ctx}, cancel)
	t.Wait()
	w.addPods(newPod("a"))
	w.pass(3 * time.Second)
	at := w.notes.times("a")
	const why = "An attempt at pod a failed, and while the Recorder was called a node changed, which moves the pod to the backoff queue."
	t.Require(len(at) == 2, "%s Its backoff of 1s was over, it becomes active at most one second later, and three seconds have passed. All in all it was tried %s, and should have been tried twice.", why, times(len(at)))
	rests(t, at[1]-at[0], time.Second, why)
	w.end()
}

// enoughThoughNodesChange has nodes of which the NodeHandler hears several times. Each counts once.
func enoughThoughNodesChange(t *conform.T, s Subject) {
	const nodes, enough = 200, 100
	seen := &seen{}
	w := newWorld(t, s, func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		name := "n" + strconv.Itoa(i)
		w.addNode(newNode(name, 9))
		w.changeNode(name, beats)
		if i%4 == 0 {
			w.changeNode(name, func(n *kit.Node) { n.Labels = map[string]string{"a": "b"} })
			w.deleteNode(name)
			w.addNode(newNode(name, 9))
		}
	}
	t.Wait()
	w.run()
	for _, name := range []string{"a", "b", "c"} {
		w.addPods(newPod(name))
		t.Wait()
		t.Require(seen.of(name) == enough, "There are 200 nodes, each had a heartbeat, and some went away and came back. All are feasible for pod %s, and 100 are enough, since each is one node, whatever the NodeHandler has heard of it. %d different ones were scored, and it should be %d.", name, seen.of(name), enough)
	}
	t.Require(seen.all() == nodes, "There are 200 nodes, each had a heartbeat, and some went away and came back. Three attempts scored 100 each, and all together %d different ones. Each attempt begins where the one before has stopped, so that all nodes have their turn.", seen.all())
	w.end()
}

// flushedEachTime has a pod become unschedulable half a second after Run began, so that a clock that looks each second and each half
// minute sees it just in time. Which of two looks at one moment comes first is chance, so there are several of them.
func flushedEachTime(t *conform.T, open func() Subject) {
	for range 15 {
		t.Note("next: a pod becomes unschedulable half a second after Run began")
		w := running(t, open(), []*kit.Node{newNode("n", 0)})
		w.pass(500 * time.Millisecond)
		w.addPods(newPod("a"))
		w.pass(5*time.Minute + 31*time.Second)
		at := w.notes.times("a")
		const why = "A pod became unschedulable half a second after Run began, and nothing has moved it since."
		t.Require(len(at) == 2, "%s Five minutes and 31 seconds later it had been tried %s, and should have been tried twice.", why, times(len(at)))
		took := at[1] - at[0]
		t.Require(5*time.Minute <= took && took <= 5*time.Minute+30*time.Second, "%s It was tried again after %v, and should have been after five minutes, at most 30 seconds later.", why, took)
		w.end()
	}
}
