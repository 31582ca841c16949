package replicasettest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// world is the subject between its neighbours.
type world struct {
	t        *conform.T
	r        Reconciler
	pods     *server[*kit.Pod]
	sets     *server[*kit.ReplicaSet]
	podFeed  *informer[*kit.Pod]
	setFeed  *informer[*kit.ReplicaSet]
	recorder *recorder

	mu     sync.Mutex // guards queued
	queued map[kit.Request]bool
}

// build makes a world around a fresh subject. The options may be edited before the
// subject sees them.
func build(t *conform.T, s Subject, edits ...func(w *world, o *Options)) *world {
	version := new(atomic.Int64)
	w := &world{
		t: t, pods: newServer(kit.Pods, version), sets: newServer(kit.ReplicaSets, version),
		recorder: &recorder{counts: map[string]int{}}, queued: map[kit.Request]bool{},
	}
	w.podFeed = newInformer(t.Named("pods"), w.pods)
	w.setFeed = newInformer(t.Named("replicasets"), w.sets)
	o := Options{
		ReplicaSets: w.sets, Pods: w.pods, ReplicaSetCache: w.setFeed.cache, PodCache: w.podFeed.cache,
		Recorder: w.recorder,
	}
	for _, edit := range edits {
		edit(w, &o)
	}
	call := t.Call("New(Options{Burst: %d, versions: %t})", o.Burst, o.PodCacheVersion != nil)
	w.r = s.New(o)
	w.podFeed.handler, w.setFeed.handler = w.r.PodHandler(w.enqueue), w.r.ReplicaSetHandler(w.enqueue)
	call.Returned("")
	return w
}

// burst sets Options.Burst.
func burst(n int) func(*world, *Options) { return func(_ *world, o *Options) { o.Burst = n } }

// versions tells the subject how far the caches are.
func versions(w *world, o *Options) {
	o.PodCacheVersion, o.ReplicaSetCacheVersion = w.podFeed.reached, w.setFeed.reached
}

func (w *world) enqueue(request kit.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued[request] = true
}

// woken is what has been enqueued since the last look, sorted.
func (w *world) woken() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := []string{}
	for request := range w.queued {
		names = append(names, request.String())
	}
	clear(w.queued)
	slices.Sort(names)
	return names
}

// reconcile calls the subject and writes the call into the history.
func (w *world) reconcile(name string) (kit.Result, error) { return w.reconcileAs(w.t.Actor, name) }

func (w *world) reconcileAs(a *conform.Actor, name string) (kit.Result, error) {
	request := kit.Request{Namespace: namespace, Name: name}
	call := a.Call("Reconcile(%s)", request)
	result, err := w.r.Reconcile(w.t.Context(), request)
	call.Returned("%+v, %v", result, err)
	return result, err
}

// settled is reconcile where nothing may fail.
func (w *world) settled(name string) kit.Result {
	result, err := w.reconcile(name)
	require.NoError(w.t, err, "Reconcile returned an error although nothing had failed.")
	return result
}

// catchUp delivers all that the caches have not heard of.
func (w *world) catchUp() {
	w.setFeed.deliver(-1)
	w.podFeed.deliver(-1)
}

// created is how many creations of pods were asked for; deleted names the pods whose
// deletion was, in the order of their names.
func (w *world) created() int { return len(w.pods.requests(create)) }

func (w *world) deleted() []string {
	names := []string{}
	for _, c := range w.pods.requests(remove) {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return names
}

// forget starts to count requests anew.
func (w *world) forget() {
	w.pods.forgetRequests()
	w.sets.forgetRequests()
}

// changes is how many writes of whatever kind there were.
func (w *world) changes() int {
	n := len(w.sets.requests(update))
	for _, verb := range []string{create, update, remove} {
		n += len(w.pods.requests(verb))
	}
	return n
}

// The objects of the cases.

const namespace = "shop"

// key is the key of an object of the one namespace there is.
func key(name string) string { return namespace + "/" + name }

// set is a ReplicaSet whose pods carry the label app=name.
func set(name string, replicas int) *kit.ReplicaSet {
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name = namespace, name
	rs.Spec.Replicas = replicas
	rs.Spec.Selector.MatchLabels = labels(name)
	rs.Spec.Template.Labels = labels(name)
	rs.Spec.Template.Annotations = map[string]string{"made-by": "a template"}
	rs.Spec.Template.Spec = kit.PodSpec{Image: "registry/" + name, CPU: 100}
	return rs
}

func labels(app string) map[string]string { return map[string]string{"app": app} }

// stands adds a ReplicaSet that the cache has taken in.
func (w *world) stands(rs *kit.ReplicaSet) *kit.ReplicaSet {
	rs = w.sets.put(rs)
	w.catchUp()
	return rs
}

// ref is what makes rs the controller of a pod.
func ref(rs *kit.ReplicaSet) kit.OwnerReference {
	return kit.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: rs.Name, UID: rs.UID, Controller: true}
}

// runs adds a pod of rs, ready on a node and known to the cache.
func (w *world) runs(rs *kit.ReplicaSet, name string, edits ...func(p *kit.Pod)) *kit.Pod {
	all := append([]func(*kit.Pod){func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} }}, edits...)
	return w.lone(rs.Name, name, all...)
}

// lone is runs for a pod without owner.
func (w *world) lone(app, name string, edits ...func(p *kit.Pod)) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Labels = namespace, name, labels(app)
	p.Spec.NodeName = "node-" + name
	p.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true}
	for _, edit := range edits {
		edit(p)
	}
	p = w.pods.put(p)
	w.catchUp()
	return p
}

// live are the names of the active pods that rs controls, as they stand on the server.
func (w *world) live(rs *kit.ReplicaSet) []string {
	names := []string{}
	for _, p := range w.pods.all() {
		if owner := p.ControllerOf(); p.Active() && owner != nil && owner.UID == rs.UID {
			names = append(names, p.Name)
		}
	}
	return names
}

// informer brings what a server tells to a cache and a handler: when the case says so.
type informer[T kit.Object] struct {
	a       *conform.Actor
	server  *server[T]
	cache   *cache[T]
	handler kit.ResourceEventHandler[T]

	mu      sync.Mutex   // one call of the handler at a time
	version atomic.Value // the version that the cache has reached: a string
}

func newInformer[T kit.Object](a *conform.Actor, s *server[T]) *informer[T] {
	i := &informer[T]{a: a, server: s, cache: newCache(s.typ)}
	i.version.Store("0")
	return i
}

// reached is the version that the cache has come to.
func (i *informer[T]) reached() string { return i.version.Load().(string) }

// deliver brings up to n events, all there are if n is below zero.
func (i *informer[T]) deliver(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for ; n != 0; n-- {
		event, ok := i.server.take()
		if !ok {
			return
		}
		i.bring(event)
	}
}

func (i *informer[T]) bring(event kit.Event[T]) {
	if event.Type == kit.Deleted {
		i.drop(event.Object, event.Object.GetResourceVersion(), false)
		return
	}
	i.store(event.Object, event.Object.GetResourceVersion())
}

// store brings an object as it stands now.
func (i *informer[T]) store(obj T, version string) {
	old, had := i.cache.Get(obj)
	_ = i.cache.Add(obj)
	i.version.Store(version)
	if had {
		call := i.a.Call("OnUpdate(%s → %s)", show(i.server.typ, old), show(i.server.typ, obj))
		i.handler.OnUpdate(old, obj)
		call.Returned("")
		return
	}
	call := i.a.Call("OnAdd(%s)", show(i.server.typ, obj))
	i.handler.OnAdd(obj, false)
	call.Returned("")
}

func (i *informer[T]) drop(obj T, version string, unknown bool) {
	_, had := i.cache.Get(obj)
	_ = i.cache.Delete(obj)
	i.version.Store(version)
	if !had {
		return
	}
	call := i.a.Call("OnDelete(%s, final state unknown: %t)", show(i.server.typ, obj), unknown)
	i.handler.OnDelete(obj, unknown)
	call.Returned("")
}

// relist brings the difference between the cache and how things stand. Of what
// happened in between it knows nothing.
func (i *informer[T]) relist() {
	i.mu.Lock()
	defer i.mu.Unlock()
	items, version := i.server.relist()
	stand := map[string]T{}
	for _, obj := range items {
		stand[kit.Key(obj)] = obj
		if old, had := i.cache.Get(obj); !had || old.GetResourceVersion() != obj.GetResourceVersion() {
			i.store(obj, version)
		}
	}
	for _, old := range i.cache.snapshot() {
		if _, stands := stand[kit.Key(old)]; !stands {
			i.drop(old, version, true)
		}
	}
	i.version.Store(version)
}

// show is what a history shows of an object.
func show[T kit.Object](typ kit.Type[T], obj T) string {
	s := obj.GetName() + "@" + obj.GetResourceVersion()
	if typ.Deleting(obj) != nil {
		s += " being deleted"
	}
	return s
}

// recorder counts events by type, reason and what they are about.
type recorder struct {
	mu     sync.Mutex // guards counts
	counts map[string]int
}

func (r *recorder) Eventf(about kit.ObjectReference, eventType, reason, _ string, _ ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[fmt.Sprintf("%s %s %s/%s", eventType, reason, about.Kind, about.Name)]++
}

func (r *recorder) all() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counts)
}
