package controlplanetest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// node is a world for one kubelet, n1, in a bubble.
type node struct {
	t     *conform.T
	pods  *fake.Resource[*kit.Pod]
	nodes *fake.Resource[*kit.Node]
	seen  *fake.Informer[*kit.Pod]
	k     Kubelet
	start time.Time
	stop  context.CancelFunc
	ended chan struct{}
}

func newNode(t *conform.T) *node {
	server := fake.NewServer(t)
	pods, nodes := fake.Serve(server, kit.Pods), fake.Serve(server, kit.Nodes)
	pods.Show, nodes.Show = showPod, showNode
	return &node{t: t, pods: pods, nodes: nodes, seen: indexed(pods, "node", byNode)}
}

// soon is how long a report, a heartbeat, an event or a restart may take: a second, as the
// contract says, and a little, so that nothing happens at the very moment of a look.
const soon = time.Second + time.Millisecond

// run makes a kubelet and runs it. What there is by then is in its cache.
func (n *node) run(s Subject, life Life, now func() time.Time) {
	n.runAs(s, fmt.Sprintf("%+v", life), KubeletParts{Life: func(*kit.Pod) Life { return life }, Now: now})
}

// runAs is run with parts to which the node and its neighbours are added.
func (n *node) runAs(s Subject, with string, parts KubeletParts) {
	call := n.t.Call("NewKubelet(n1, %s)", with)
	parts.Node, parts.Allocatable = "n1", kit.Resources{CPU: 4000, Pods: 10}
	parts.Pods, parts.Nodes, parts.PodCache = n.pods, n.nodes, n.seen.Cache
	n.k = s.NewKubelet(parts)
	call.Returned("k")
	n.seen.CatchUp()
	n.seen.Handle(n.k.PodHandler())
	n.begin()
}

// begin calls Run.
func (n *node) begin() {
	ctx, cancel := n.t.WithCancel(n.t.Context(), "the ctx of Run")
	n.stop, n.ended, n.start = cancel, make(chan struct{}), time.Now()
	ended := n.ended
	n.t.Go("kubelet", func(a *conform.Actor) {
		defer close(ended)
		err := conform.Do(a, func() error { return n.k.Run(ctx) }, "Run(ctx)")
		if err != nil {
			n.t.Errorf("Run returned %s, and nothing but its ctx has ended. It should have returned nil.", conform.Said(err))
		}
	})
	n.t.Wait()
}

// endsAtARead has the ctx of Run end while the kubelet reads, before it has the answer.
func (n *node) endsAtARead() fake.Interceptor {
	return fake.After(func(q *fake.Request) {
		if q.Verb == fake.Get || q.Verb == fake.List {
			n.stop()
		}
	})
}

// end stops the kubelet and waits for it.
func (n *node) end() {
	n.stop()
	<-n.ended
}

// news brings the kubelet what has become of the pods since the last time. What has
// happened in between it does not hear of.
func (n *node) news() {
	n.seen.Relist()
	n.t.Wait()
}

// boundPod is ns/name on a node.
func boundPod(name, node string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Spec.NodeName = "ns", name, node
	return p
}

// readyPod is a boundPod that runs and is ready.
func readyPod(name, node string) *kit.Pod {
	p := boundPod(name, node)
	p.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true}
	return p
}

// is requires what the status of a pod says now.
func (n *node) is(key string, phase kit.PodPhase, ready bool, sentence string) {
	n.t.Wait()
	p := n.pods.Now(key)
	n.t.Require(p != nil, "%s Pod %s is gone.", sentence, key)
	n.t.Require(p.Status.Phase == phase && p.Status.Ready == ready, "%s After %v pod %s is %s, and should be %s.", sentence, n.t.Elapsed(), key, state(p.Status.Phase, p.Status.Ready), state(phase, ready))
}

// state is what a status says, in words.
func state(phase kit.PodPhase, ready bool) string {
	if phase == "" {
		phase = "without a phase"
	}
	if ready {
		return string(phase) + " and ready"
	}
	return string(phase) + " and not ready"
}

// since requires that ReadySince of a pod is from this time or at most soon after it.
func (n *node) since(key string, at time.Time, sentence string) {
	since := n.pods.Now(key).Status.ReadySince
	late := since.Sub(at)
	n.t.Require(late >= 0 && late <= soon, "%s It is %v after that moment, and may be up to a second after it.", sentence, late)
}

// nodes is a world for the node lifecycle reconciler, in a bubble.
type nodes struct {
	t     *conform.T
	nodes *fake.Resource[*kit.Node]
	pods  *fake.Resource[*kit.Pod]
	nSeen *fake.Informer[*kit.Node]
	pSeen *fake.Informer[*kit.Pod]
	r     NodeLifecycleReconciler
}

func newNodes(t *conform.T, s Subject) *nodes {
	server := fake.NewServer(t)
	w := &nodes{t: t, nodes: fake.Serve(server, kit.Nodes), pods: fake.Serve(server, kit.Pods)}
	w.nodes.Show, w.pods.Show = showNode, showPod
	w.nSeen, w.pSeen = fake.NewInformer(w.nodes), indexed(w.pods, "node", byNode)
	n := kit.Nodes.New()
	n.Name, n.Status.Ready, n.Status.Heartbeat = "n1", true, time.Now()
	w.nodes.Put(n)
	w.renew(s)
	return w
}

// renew puts a new reconciler into the place of the old one.
func (w *nodes) renew(s Subject) {
	w.t.Do(func() {
		w.r = s.NewNodeLifecycleReconciler(NodeLifecycleParts{w.nodes, w.pods, w.nSeen.Cache, w.pSeen.Cache})
	}, "NewNodeLifecycleReconciler(…)")
}

func (w *nodes) follow() {
	w.nSeen.CatchUp()
	w.pSeen.CatchUp()
}

// reconcile calls Reconcile once, with the caches as they are.
func (w *nodes) reconcile(node string) (kit.Result, error) {
	call := w.t.Call("Reconcile(%s)", node)
	result, err := w.r.Reconcile(w.t.Context(), kit.Request{Name: node})
	call.Returned("%s", showResult(result, err))
	return result, err
}

// look follows and reconciles n1.
func (w *nodes) look() kit.Result {
	w.follow()
	result, err := w.reconcile("n1")
	w.t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	fake.Untouched(w.t, "Reconcile(n1)", w.nSeen.Cache, w.pSeen.Cache)
	return result
}

// now lets the reconciler do all that it would do at this moment.
func (w *nodes) now() {
	for range 3 {
		w.look()
	}
}

// retry reconciles n1 as often as now, and takes what Reconcile returns.
func (w *nodes) retry() {
	for range 3 {
		w.follow()
		_, _ = w.reconcile("n1")
	}
}

// pass lets so much time go by, and calls Reconcile whenever it asked for it.
func (w *nodes) pass(d time.Duration) {
	end := time.Now().Add(d)
	most := 1000 + 2*int(d/time.Second)
	for range most {
		result := w.look()
		left := time.Until(end)
		if result.RequeueAfter <= 0 || result.RequeueAfter > left {
			time.Sleep(left)
			return
		}
		time.Sleep(result.RequeueAfter)
	}
	w.t.Fatalf("In %v Reconcile has asked to be called again %d times, and to look at a node twice a second is often enough.", d, most)
}

// taints are the effects of the taints of an unreachable node that n1 has.
func (w *nodes) taints() []string {
	var effects []string
	for _, taint := range w.nodes.Now("n1").Spec.Taints {
		if taint.Key == kit.TaintUnreachable {
			effects = append(effects, string(taint.Effect))
		}
	}
	slices.Sort(effects)
	return slices.Compact(effects)
}

// tainted requires that n1 has both taints of an unreachable node, or none. Sentence says why,
// as for those that follow.
func (w *nodes) tainted(want bool, sentence string) {
	should := []string(nil)
	if want {
		should = []string{string(kit.TaintNoExecute), string(kit.TaintNoSchedule)}
	}
	got := w.taints()
	w.t.Require(slices.Equal(got, should), "%s After %v the taints of the key %s on n1 are: %s. They should be: %s.", sentence, w.t.Elapsed(), kit.TaintUnreachable, conform.Listed(got), conform.Listed(should))
}

// there requires that a pod is at the API server, or is not.
func (w *nodes) there(key string, want bool, sentence string) {
	is := map[bool]string{true: "there", false: "gone"}
	got := w.pods.Now(key) != nil
	w.t.Require(got == want, "%s After %v pod %s is %s.", sentence, w.t.Elapsed(), key, is[got])
}

// ready requires that the status of a pod says that it is ready, or is not.
func (w *nodes) ready(key string, want bool, sentence string) {
	got := w.pods.Now(key).Status.Ready
	w.t.Require(got == want, "%s After %v the status of pod %s says ready %t.", sentence, w.t.Elapsed(), key, got)
}

// writes requires that there were so many writes.
func writes(t *conform.T, got, want int, sentence string) {
	t.Require(got == want, "%s There were %d writes, and should have been %d.", sentence, got, want)
}

// beat is news of n1, with whatever its clock says.
func (w *nodes) beat(at time.Time) { w.report(at, true) }

// report is news of n1, which says whether it is ready.
func (w *nodes) report(at time.Time, ready bool) {
	w.nodes.Change("n1", func(n *kit.Node) { n.Status.Heartbeat, n.Status.Ready = at, ready })
	w.t.Note("n1 says that it is %v there, ready: %t", at.Format("15:04:05"), ready)
}

// log is a world for a recorder, in a bubble.
type log struct {
	t      *conform.T
	events *fake.Resource[*kit.CoreEvent]
	r      Recorder
}

func newLog(t *conform.T, s Subject, buffer int) *log {
	l := &log{t: t, events: fake.Serve(fake.NewServer(t), kit.CoreEvents)}
	l.events.Show = showEvent(t)
	t.Do(func() { l.r = s.NewRecorder(l.events, "suite", buffer) }, "NewRecorder(buffer %d)", buffer)
	return l
}

// run runs the recorder until what it returns is called.
func (l *log) run() (stop func()) {
	ctx, cancel := l.t.WithCancel(l.t.Context(), "the ctx of Run")
	ended := make(chan struct{})
	l.t.Go("recorder", func(a *conform.Actor) {
		defer close(ended)
		err := conform.Do(a, func() error { return l.r.Run(ctx) }, "Run(ctx)")
		if err != nil {
			l.t.Errorf("Run returned %s, and nothing but its ctx has ended. It should have returned nil.", conform.Said(err))
		}
	})
	return func() {
		cancel()
		<-ended
	}
}

// settle gives the recorder time to write what it was given.
func (l *log) settle() {
	time.Sleep(soon)
	l.t.Wait()
}

// writes is how many requests have changed something, when the recorder has settled.
func (l *log) writes() int {
	l.settle()
	return l.events.Changes()
}

// say notes an event about a pod.
func (l *log) say(pod, typ, reason, message string) {
	l.sayOf(kit.ObjectReference{Kind: "Pod", Namespace: "ns", Name: pod, UID: "uid-" + pod}, typ, reason, message)
}

func (l *log) sayOf(about kit.ObjectReference, typ, reason, message string) {
	l.t.Do(func() { l.r.Eventf(about, typ, reason, "%s", message) }, "Eventf(%s, %s, %s, %q)", about.Name, typ, reason, message)
}

// said are the counts of events by reason and message, when the recorder has settled.
func (l *log) said() map[string]int {
	l.settle()
	said := map[string]int{}
	for _, e := range l.events.All() {
		said[e.InvolvedObject.Name+" "+e.Type+" "+e.Reason+" "+e.Message+" "+strconv.Itoa(e.Count)]++
	}
	return said
}

// keeps refuses to delete the object of that key.
func keeps(key string, err error) fake.Interceptor {
	return fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Delete && q.Key == key {
			return err
		}
		return nil
	})
}

// atFirst refuses the first many requests of these verbs.
func atFirst(many int64, err error, verbs ...fake.Verb) fake.Interceptor {
	return inTurn(1, many, err, verbs...)
}

// inTurn refuses the requests of these verbs from one of them to another, counted from 1.
func inTurn(from, to int64, err error, verbs ...fake.Verb) fake.Interceptor {
	var asked atomic.Int64
	return fake.Before(func(q *fake.Request) error {
		if !slices.Contains(verbs, q.Verb) {
			return nil
		}
		if nth := asked.Add(1); nth < from || nth > to {
			return nil
		}
		return err
	})
}

// tired refuses, of these verbs or of all if there are none, the first many of every three
// requests.
func tired(many int64, err error, verbs ...fake.Verb) fake.Interceptor {
	var asked atomic.Int64
	return fake.Before(func(q *fake.Request) error {
		if len(verbs) > 0 && !slices.Contains(verbs, q.Verb) || (asked.Add(1)-1)%3 >= many {
			return nil
		}
		return err
	})
}
