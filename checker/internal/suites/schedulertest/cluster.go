package schedulertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// errNotMeant is what a call returns that a scheduler has no use for.
var errNotMeant = errors.New("a scheduler neither creates nor deletes pods")

// outcome is what becomes of an Update that a case plays with.
type outcome struct {
	err   error // what the caller gets
	lost  bool  // it is written all the same
	taken bool  // it is not written, and the caller gets no error, unless there is one
	after func()
}

// cluster is an API server with pods, and nodes of which informers tell. What it stores
// is never written to again, so it can be shared with the handlers.
type cluster struct {
	podFeed  feed[*kit.Pod]
	nodeFeed feed[*kit.Node]
	server   *conform.Actor // what the scheduler asks for, and the answers
	others   *conform.Actor // what happens beside

	mu      sync.Mutex // guards everything below
	version int
	uids    int
	pods    map[string]*kit.Pod // by name
	nodes   map[string]*kit.Node
	updates []string // the names of the pods that were given to Update
	// firstList is whether new pods are in the first list of their informer.
	firstList bool
	broken    string // how a write has broken a rule: the first that did
	// lentPods and lentNodes are compared in the end. There are as many as they have room for.
	lentPods  []lent[*kit.Pod]
	lentNodes []lent[*kit.Node]
	// onUpdate, if not nil, is asked before each Update, without the lock; it may take
	// its time.
	onUpdate func(ctx context.Context, pod *kit.Pod) outcome
	onGet    func(ctx context.Context) error
	onRead   func() // called by each Get between its read and its answer; it may take its time
}

var _ kit.Client[*kit.Pod] = (*cluster)(nil)

func newCluster(t *conform.T) *cluster {
	// Resource versions soon get a third digit: as numbers they grow, as texts they do not.
	c := &cluster{version: 96, pods: map[string]*kit.Pod{}, nodes: map[string]*kit.Node{}, server: t.Named("server"), others: t.Named("cluster")}
	c.podFeed.init()
	c.nodeFeed.init()
	return c
}

func (c *cluster) stopInformers() {
	c.podFeed.stop()
	c.nodeFeed.stop()
}

// newNode is a ready node with room for the given number of pods, a thousandth of a
// core and a byte of memory for each hundredth.
func newNode(name string, pods int64) *kit.Node {
	n := kit.Nodes.New()
	n.Name, n.UID, n.Generation = name, "node-"+name, 1
	n.Status.Allocatable = kit.Resources{CPU: 100 * pods, Memory: 100 * pods, Pods: pods}
	n.Status.Ready = true
	return n
}

// newPod is a pod that asks for a hundredth of what newNode counts as room for one.
func newPod(name string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Generation = "default", name, 1
	p.Spec.CPU, p.Spec.Memory, p.Spec.Image = 100, 100, "web"
	p.Status.Phase = kit.PodPending
	return p
}

// bound is newPod with a node.
func bound(name, node string) *kit.Pod {
	p := newPod(name)
	p.Spec.NodeName = node
	return p
}

func (c *cluster) addNode(n *kit.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.storeNode(n)
	c.others.Note("node %s is created", showNode(n))
	c.nodeFeed.say("OnAdd("+showNode(n)+")", func(h kit.ResourceEventHandler[*kit.Node]) { h.OnAdd(n, false) })
}

// changeNode changes a node that there is.
func (c *cluster) changeNode(name string, change func(n *kit.Node)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.nodes[name]
	n := old.DeepCopy()
	change(n)
	if !kit.Nodes.SameSpec(old, n) {
		n.Generation++
	}
	c.storeNode(n)
	c.others.Note("node %s is changed", showNode(n))
	c.nodeFeed.say("OnUpdate("+showNode(n)+")", func(h kit.ResourceEventHandler[*kit.Node]) { h.OnUpdate(old, n) })
}

// wake gives a label of node n its next value, which may help any pod.
func (c *cluster) wake() {
	c.changeNode("n", func(n *kit.Node) {
		turn, _ := strconv.Atoi(n.Labels["turn"]) // 0 at first
		n.Labels = map[string]string{"turn": strconv.Itoa(turn + 1)}
	})
}

// storeNode gives n the next version. c.mu is held.
func (c *cluster) storeNode(n *kit.Node) {
	c.version++
	n.ResourceVersion = strconv.Itoa(c.version)
	c.nodes[n.Name] = n
	if len(c.lentNodes) < cap(c.lentNodes) {
		c.lentNodes = append(c.lentNodes, lent[*kit.Node]{n, n.DeepCopy()})
	}
}

func (c *cluster) deleteNode(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[name]
	delete(c.nodes, name)
	c.others.Note("node %s is gone", name)
	c.nodeFeed.say("OnDelete("+name+")", func(h kit.ResourceEventHandler[*kit.Node]) { h.OnDelete(n, false) })
}

// addPods stores new pods, each with a UID of its own.
func (c *cluster) addPods(pods ...*kit.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range pods {
		c.uids++
		p.UID = "uid-" + strconv.Itoa(c.uids)
		c.store(p)
		c.others.Note("pod %s is created", show(p))
		c.saysThere(p, c.firstList)
	}
}

// changePod changes a pod that there is.
func (c *cluster) changePod(name string, change func(p *kit.Pod)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pods[name].DeepCopy()
	change(p)
	c.replace(p)
	c.others.Note("pod %s is changed by somebody else", show(p))
}

// replace stores another version of a pod. c.mu is held.
func (c *cluster) replace(p *kit.Pod) {
	old := c.pods[p.Name]
	if old.UID == p.UID && !kit.Pods.SameSpec(old, p) {
		p.Generation++
	}
	c.store(p)
	c.podFeed.say("OnUpdate("+show(p)+")", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnUpdate(old, p) })
}

// store gives p the next version. c.mu is held.
func (c *cluster) store(p *kit.Pod) {
	c.version++
	p.ResourceVersion = strconv.Itoa(c.version)
	c.pods[p.Name] = p
	if len(c.lentPods) < cap(c.lentPods) {
		c.lentPods = append(c.lentPods, lent[*kit.Pod]{p, p.DeepCopy()})
	}
}

// lent is an object that the handlers get, and how it was then.
type lent[T kit.Object] struct{ object, before T }

// writtenTo says of the first of all pods or nodes that is no longer so how it has changed; "" for none.
func writtenTo[T kit.Object](kind string, all []lent[T]) string {
	for _, l := range all {
		if !reflect.DeepEqual(l.before, l.object) {
			return fmt.Sprintf("An object that came through a handler is shared with others, and the scheduler has written to %s %q: %s.",
				kind, l.before.GetName(), cmp.Or(conform.Changes(l.before, l.object), "a map or list that was nil is empty now"))
		}
	}
	return ""
}

// resyncPod notifies of a pod again though nothing has happened.
func (c *cluster) resyncPod(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.again(c.pods[name])
}

// relistPod drops all news of pods that are held back. In their place it says that a pod was listed so, and that it was
// last seen as it was before.
func (c *cluster) relistPod(before, listed *kit.Pod) {
	c.podFeed.drop()
	c.podFeed.say("OnUpdate("+show(listed)+"), after a new list", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnUpdate(before, listed) })
	c.podFeed.release()
}

// endsWithoutANode has a pod end on its node, and the PodHandler hear only of a state in which it has ended and has no
// node. The state before is the last that the handler knows.
func (c *cluster) endsWithoutANode(before *kit.Pod) {
	c.podFeed.hold()
	c.changePod(before.Name, fails)
	listed := c.stored(before.Name).DeepCopy()
	listed.Spec.NodeName = ""
	c.relistPod(before, listed)
}

// fails makes a pod one that has failed.
func fails(p *kit.Pod) { p.Status.Phase = kit.PodFailed }

// marked makes a pod one that is being deleted.
func marked(p *kit.Pod) {
	now := time.Now()
	p.DeletionTimestamp = &now
}

// saysThere notifies of a pod as of one that has come.
func (c *cluster) saysThere(p *kit.Pod, first bool) {
	c.podFeed.say("OnAdd("+show(p)+")", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnAdd(p, first) })
}

// saysGone notifies of a pod as of one that is gone.
func (c *cluster) saysGone(p *kit.Pod, finalStateUnknown bool) {
	c.podFeed.say("OnDelete("+show(p)+")", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnDelete(p, finalStateUnknown) })
}

// vanishPod deletes a pod of which an informer that was cut off tells only that it is gone, as it had last seen it.
// What was held back is never told.
func (c *cluster) vanishPod(seen *kit.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pods, seen.Name)
	c.others.Note("pod %s is gone", seen.Name)
	c.podFeed.drop()
	c.podFeed.say("OnDelete("+show(seen)+"), after a new list", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnDelete(seen, true) })
	c.podFeed.release()
}

// again notifies once more of a state of a pod that may be old.
func (c *cluster) again(p *kit.Pod) {
	c.podFeed.say("OnUpdate("+show(p)+"), a resync", func(h kit.ResourceEventHandler[*kit.Pod]) { h.OnUpdate(p, p) })
}

// deletePod deletes a pod, of which the handlers hear in one of two ways.
func (c *cluster) deletePod(name string, finalStateUnknown bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pods[name]
	delete(c.pods, name)
	c.others.Note("pod %s is gone", show(p))
	c.saysGone(p, finalStateUnknown)
}

// recreatePod deletes a pod and creates another of the same name, of which an informer
// that missed the deletion makes one update.
func (c *cluster) recreatePod(name string, next *kit.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uids++
	next.UID = "uid-" + strconv.Itoa(c.uids)
	c.replace(next)
	c.others.Note("pod %s is another one, %s: the one before is gone", show(next), next.UID)
}

// stored is a pod as it stands, or nil.
func (c *cluster) stored(name string) *kit.Pod {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pods[name]
}

// nodeOf is where a pod runs in the cluster, "" for nowhere.
func (c *cluster) nodeOf(name string) string {
	if p := c.stored(name); p != nil {
		return p.Spec.NodeName
	}
	return ""
}

// answer plays with each Update from now on; nil for not at all.
func (c *cluster) answer(f func(ctx context.Context, pod *kit.Pod) outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onUpdate = f
}

// getting plays with each Get from now on.
func (c *cluster) getting(f func(ctx context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onGet = f
}

// reading plays with each Get from now on, when it has read the pod and has not answered yet.
func (c *cluster) reading(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onRead = f
}

// updated is how many Updates have come so far.
func (c *cluster) updated() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.updates)
}

// updatesOf is how many of them were about one pod.
func (c *cluster) updatesOf(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, updated := range c.updates {
		if updated == name {
			n++
		}
	}
	return n
}

// on is which pods run on a node, sorted.
func (c *cluster) on(node string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for name, p := range c.pods {
		if p.Spec.NodeName == node {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Get returns a copy of a pod.
func (c *cluster) Get(ctx context.Context, namespace, name string) (*kit.Pod, error) {
	call := c.server.Call("get pod %s", name)
	return answered(call)(c.get(ctx, namespace, name))
}

// answered writes an answer into the history.
func answered(call conform.Call) func(*kit.Pod, error) (*kit.Pod, error) {
	return func(p *kit.Pod, err error) (*kit.Pod, error) {
		switch {
		case err == nil:
			call.Returned("%s", show(p))
		case kit.ReasonFor(err) != "":
			call.Returned("%s", kit.ReasonFor(err))
		default:
			call.Returned("%v", err)
		}
		return p, err
	}
}

func (c *cluster) get(ctx context.Context, namespace, name string) (*kit.Pod, error) {
	c.mu.Lock()
	c.made(ctx, "Get")
	onGet := c.onGet
	c.mu.Unlock()
	if onGet != nil {
		if err := onGet(ctx); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	p, onRead := c.pods[name], c.onRead
	c.mu.Unlock()
	if onRead != nil {
		onRead()
	}
	if p == nil {
		return nil, kit.NewNotFound("pods", namespace+"/"+name)
	}
	return p.DeepCopy(), nil
}

// List returns copies of all pods.
func (c *cluster) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := kit.List[*kit.Pod]{ResourceVersion: strconv.Itoa(c.version)}
	for _, p := range c.pods {
		list.Items = append(list.Items, p.DeepCopy())
	}
	return list, nil
}

// Create is not for schedulers.
func (c *cluster) Create(context.Context, *kit.Pod) (*kit.Pod, error) { return nil, errNotMeant }

// Delete is not for schedulers.
func (c *cluster) Delete(context.Context, string, string, kit.DeleteOptions) (*kit.Pod, error) {
	return nil, errNotMeant
}

// Update writes a pod. As the real API server does with pods, it takes one without a
// resource version whatever the stored one is.
func (c *cluster) Update(ctx context.Context, pod *kit.Pod) (*kit.Pod, error) {
	call := c.server.Call("update pod %s", show(pod))
	return answered(call)(c.update(ctx, pod.DeepCopy()))
}

func (c *cluster) update(ctx context.Context, pod *kit.Pod) (*kit.Pod, error) {
	c.mu.Lock()
	c.made(ctx, "Update")
	c.updates = append(c.updates, pod.Name)
	onUpdate := c.onUpdate
	c.mu.Unlock()
	result := outcome{}
	if onUpdate != nil {
		result = onUpdate(ctx, pod)
	}
	if result.err != nil && !result.lost {
		return nil, result.err
	}
	if result.taken {
		return pod.DeepCopy(), nil
	}
	stored, err := c.write(pod)
	if err == nil && result.err != nil {
		c.server.Note("pod %s is written, and the answer is lost", show(stored))
	}
	if result.after != nil {
		result.after()
	}
	if result.err != nil {
		return nil, result.err
	}
	return stored, err
}

func (c *cluster) write(pod *kit.Pod) (*kit.Pod, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, key := c.pods[pod.Name], kit.Key(pod)
	switch {
	case old == nil:
		return nil, kit.NewNotFound("pods", key)
	case pod.ResourceVersion != "" && pod.ResourceVersion != old.ResourceVersion, pod.UID != "" && pod.UID != old.UID:
		return nil, kit.NewConflict("pods", key)
	}
	c.judge(old, pod)
	c.replace(pod)
	c.overcommitted(pod.Name, pod.Spec.NodeName)
	return pod.DeepCopy(), nil
}

// made notes it if a call has a ctx that was not made from that of Run, or one that has ended before. c.mu is held.
func (c *cluster) made(ctx context.Context, call string) {
	run, ok := ctx.Value(ofRun{}).(*ctxHolder)
	switch {
	case !ok:
		c.breaks("%s was called with a ctx that was not made from the one of Run: it would not end with it.", call)
	case ctx.Err() != nil && run.ctx.Err() == nil:
		c.breaks("%s was called with a ctx that had ended already (%v), and the ctx of Run had not: the API server would not have been asked.", call, ctx.Err())
	}
}

// judge notes what a binding may not do to a pod. c.mu is held.
func (c *cluster) judge(old, pod *kit.Pod) {
	if old.Spec.NodeName != "" {
		c.breaks("Pod %s was on node %s, and an Update of the scheduler wrote over that: now it is on %s. A pod that has a node is never bound.", old.Name, old.Spec.NodeName, pod.Spec.NodeName)
	}
	if pod.Spec.NodeName == "" {
		c.breaks("Pod %s was given to Update without a node. A scheduler writes nothing but bindings.", old.Name)
	}
	want := old.DeepCopy()
	want.Spec.NodeName, want.ResourceVersion = pod.Spec.NodeName, pod.ResourceVersion
	if d := conform.Differ(want, pod); d != "" {
		c.breaks("The Update that binds pod %s changed more than its node: %s.", old.Name, d)
	}
}

// overcommitted notes it if the pods on a node ask for more than it has, now that the pod is
// there. c.mu is held.
func (c *cluster) overcommitted(pod, name string) {
	n := c.nodes[name]
	if n == nil {
		return
	}
	if used, has := c.used(name), n.Status.Allocatable; used.CPU > has.CPU || used.Memory > has.Memory || used.Pods > has.Pods {
		c.breaks("With pod %s bound to it, node %s is overcommitted: it has %s, and its pods ask for %s.", pod, name, amounts(has), amounts(used))
	}
}

// used is what the pods on a node ask for. c.mu is held.
func (c *cluster) used(node string) kit.Resources {
	sum := kit.Resources{}
	for _, p := range c.pods {
		if p.Spec.NodeName == node && p.Status.Phase != kit.PodSucceeded && p.Status.Phase != kit.PodFailed {
			sum.CPU += p.Spec.CPU
			sum.Memory += p.Spec.Memory
			sum.Pods++
		}
	}
	return sum
}

// fits reports whether a pod could run on a node as things really are.
func (c *cluster) fits(p *kit.Pod, node string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, used := c.nodes[node], c.used(node)
	has := n.Status.Allocatable
	return !n.Spec.Unschedulable && used.Pods+1 <= has.Pods &&
		(p.Spec.CPU == 0 || used.CPU+p.Spec.CPU <= has.CPU) && (p.Spec.Memory == 0 || used.Memory+p.Spec.Memory <= has.Memory)
}

// breaks notes that a rule breaks now. c.mu is held.
func (c *cluster) breaks(format string, args ...any) {
	if c.broken == "" {
		c.broken = fmt.Sprintf(format, args...)
		c.server.Breaks("%s", c.broken)
	}
}
