package replicasettest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// world is the subject between its neighbours.
type world struct {
	t        *conform.T
	r        Reconciler
	server   *fake.Server
	pods     *fake.Resource[*kit.Pod]
	sets     *fake.Resource[*kit.ReplicaSet]
	podFeed  *fake.Informer[*kit.Pod]
	setFeed  *fake.Informer[*kit.ReplicaSet]
	recorder *fake.Recorder
	queue    *conform.Actor // what the handlers enqueue
	options  Options
	onPods   kit.ResourceEventHandler[*kit.Pod]
	onSets   kit.ResourceEventHandler[*kit.ReplicaSet]

	rings func(kit.Request) // called with each request that is enqueued; nil for nobody

	mu     sync.Mutex // guards queued
	queued map[kit.Request]bool
}

// restart makes another subject over the same caches, in the place of the first.
func (w *world) restart(s Subject) {
	call := w.t.Call("New(the same options)")
	w.start(s)
	call.Returned("")
}

// build makes a world around a fresh subject. The options may be edited before the
// subject sees them.
func build(t *conform.T, s Subject, edits ...func(w *world, o *Options)) *world {
	server := fake.NewServer(t)
	w := &world{
		t: t, server: server, pods: fake.Serve(server, kit.Pods), sets: fake.Serve(server, kit.ReplicaSets),
		recorder: fake.NewRecorder(t), queue: t.Named("queue"), queued: map[kit.Request]bool{},
	}
	w.pods.Show, w.sets.Show = showPod, showSet
	w.podFeed, w.setFeed = fake.NewInformer(w.pods), fake.NewInformer(w.sets)
	w.podFeed.Cache.Show, w.setFeed.Cache.Show = briefPod, showSet
	o := Options{
		ReplicaSets: w.sets, Pods: w.pods, Recorder: w.recorder,
		ReplicaSetCache: w.setFeed.Cache, PodCache: w.podFeed.Cache,
	}
	for _, edit := range edits {
		edit(w, &o)
	}
	call := t.Call("New(Options{Burst: %d, with cache versions: %t})", o.Burst, o.PodCacheVersion != nil)
	w.options = o
	w.start(s)
	call.Returned("")
	return w
}

// start makes a subject and adds its handlers to the informers.
func (w *world) start(s Subject) {
	w.r = s.New(w.options)
	w.onPods = w.r.PodHandler(w.enqueue)
	w.onSets = w.r.ReplicaSetHandler(w.enqueue)
	w.podFeed.Handle(w.onPods)
	w.setFeed.Handle(w.onSets)
}

// burst sets Options.Burst.
func burst(n int) func(*world, *Options) { return func(_ *world, o *Options) { o.Burst = n } }

// versions tells the subject how far the caches are.
func versions(w *world, o *Options) {
	o.PodCacheVersion, o.ReplicaSetCacheVersion = w.podFeed.Cache.Version, w.setFeed.Cache.Version
}

// apart calls f, but not from within f: the handlers that f calls may look into a cache, too.
func apart(f func()) func() {
	var under atomic.Bool
	return func() {
		if under.CompareAndSwap(false, true) {
			defer under.Store(false)
			f()
		}
	}
}

// quickWorker has a worker that reconciles shop/web as soon as it is enqueued, while the handler
// is under way. A handler may hold a lock then, for which the worker has to wait.
func (w *world) quickWorker() {
	var one sync.Mutex // held by the worker that reconciles
	w.rings = func(kit.Request) {
		w.t.Go("worker", func(a *conform.Actor) {
			one.Lock()
			defer one.Unlock()
			_, err := w.reconcileAs(a, "web")
			w.t.Assert(err == nil, "Nothing had failed, and Reconcile(shop/web) returned %s.", conform.Said(err))
		})
		w.t.Wait()
	}
}

func (w *world) enqueue(request kit.Request) {
	w.note(request)
	if w.rings != nil {
		w.rings(request)
	}
}

func (w *world) note(request kit.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.Note("enqueue(%s)", request)
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
func (w *world) reconcile(name string) (kit.Result, error) {
	return w.reconcileAs(w.t.Actor, name)
}

func (w *world) reconcileAs(a *conform.Actor, name string) (kit.Result, error) {
	return w.asks(w.t.Context(), a, kit.Request{Namespace: namespace, Name: name})
}

// asks is reconcileAs in any namespace and with any context.
func (w *world) asks(ctx context.Context, a *conform.Actor, request kit.Request) (kit.Result, error) {
	call := a.Call("Reconcile(%s)", request)
	result, err := w.r.Reconcile(ctx, request)
	if result == (kit.Result{}) {
		call.Returned("Result{}, %v", err)
	} else {
		call.Returned("Result{RequeueAfter: %v, Requeue: %t}, %v", result.RequeueAfter, result.Requeue, err)
	}
	return result, err
}

// settled is reconcile where nothing may fail.
func (w *world) settled(name string) kit.Result { return w.settles(name, "nothing had failed") }

// settles is settled where that needs a word. Why is half a sentence.
func (w *world) settles(name, why string) kit.Result {
	result, err := w.reconcile(name)
	w.t.Require(err == nil, "Reconcile(%s) returned the error %q, and should have returned nil: %s.", key(name), fmt.Sprint(err), why)
	return result
}

// catchUp delivers all that the caches have not heard of.
func (w *world) catchUp() {
	w.setFeed.CatchUp()
	w.podFeed.CatchUp()
}

// created is how many creations of pods were asked for; deleted names the pods whose
// deletion was, in the order of their names.
func (w *world) created() int { return len(w.pods.Requests(fake.Create)) }

func (w *world) deleted() []string {
	names := []string{}
	for _, q := range w.pods.Requests(fake.Delete) {
		names = append(names, strings.TrimPrefix(q.Key, namespace+"/"))
	}
	slices.Sort(names)
	return names
}

// changes is how many writes of whatever kind were asked for.
func (w *world) changes() int {
	return len(w.sets.Requests(fake.Update)) + len(w.pods.Requests(fake.Create, fake.Update, fake.Delete))
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
	rs.Spec.Template.Spec = kit.PodSpec{
		Image: "registry/" + name, CPU: 100, Memory: 1 << 20,
		NodeSelector: map[string]string{"disk": "ssd"}, Tolerations: []string{"spot"},
	}
	return rs
}

func labels(app string) map[string]string { return map[string]string{"app": app} }

// stands adds a ReplicaSet that the cache has taken in.
func (w *world) stands(rs *kit.ReplicaSet) *kit.ReplicaSet {
	rs = w.sets.Put(rs)
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
	p = w.pods.Put(p)
	w.catchUp()
	return p
}

// elsewhere puts a pod into another namespace.
func elsewhere(p *kit.Pod) { p.Namespace = "elsewhere" }

// failed and leaving make a pod one that is not active.
func failed(p *kit.Pod) { p.Status.Phase = kit.PodFailed }

func leaving(p *kit.Pod) {
	now := time.Now()
	p.DeletionTimestamp = &now
}

// endsLater reports whether a call that ended counts ends only now, when what began it has returned.
func endsLater(ended *atomic.Int32) bool {
	was := ended.Load()
	time.Sleep(time.Minute)
	return ended.Load() != was
}

// live are the names of the active pods that rs controls, as they stand on the server.
func (w *world) live(rs *kit.ReplicaSet) []string { return names(w.controlled(rs)) }

// controlled are the active pods that rs controls, as they stand on the server.
func (w *world) controlled(rs *kit.ReplicaSet) []*kit.Pod {
	return slices.DeleteFunc(w.pods.All(), func(p *kit.Pod) bool {
		owner := p.ControllerOf()
		return !p.Active() || p.Namespace != rs.Namespace || owner == nil || owner.UID != rs.UID
	})
}

// hasCreated requires that so many creations of pods were asked for so far. Why is half a
// sentence.
func (w *world) hasCreated(want int, why string, args ...any) {
	got := w.created()
	w.t.Require(got == want, "Reconcile has asked for %s so far, and should have asked for %d: %s.",
		conform.Some(got, "new pod"), want, fmt.Sprintf(why, args...))
}

// hasDeleted requires that the deletion of so many pods was asked for so far.
func (w *world) hasDeleted(want int, why string, args ...any) {
	got := w.deleted()
	w.t.Require(len(got) == want, "Reconcile has asked for %s so far (%s), and should have asked for %d: %s.",
		conform.Some(len(got), "deletion"), conform.Listed(got), want, fmt.Sprintf(why, args...))
}

// hasUpdated requires that so many pods were written so far: adopted or released.
func (w *world) hasUpdated(want int, why string, args ...any) {
	var got []string
	for _, q := range w.pods.Requests(fake.Update) {
		got = append(got, q.Key)
	}
	w.t.Require(len(got) == want, "Reconcile has asked for %s of pods so far (%s), and should have asked for %d: %s.",
		conform.Some(len(got), "update"), conform.Listed(got), want, fmt.Sprintf(why, args...))
}

// hasLive requires that rs controls so many active pods, as they stand on the server.
func (w *world) hasLive(rs *kit.ReplicaSet, want int, why string, args ...any) {
	var got []string
	for _, p := range w.controlled(rs) {
		got = append(got, briefPod(p))
	}
	w.t.Require(len(got) == want, "The ReplicaSet %s controls %d active pods now (%s), and should control %d: %s.",
		kit.Key(rs), len(got), conform.Listed(got), want, fmt.Sprintf(why, args...))
}

// hasWoken requires that just these were enqueued since the last look.
func (w *world) hasWoken(what string, want ...string) {
	got := w.woken()
	w.t.Require(slices.Equal(got, want), "%s: the handlers enqueued %s, and should have enqueued %s.", what, conform.Listed(got), conform.Listed(want))
}

// news is a row of events, each of which has to wake certain ReplicaSets or nobody.
type news struct {
	w *world
	*conform.Row
}

// wakes looks at what was enqueued for an event.
func (n news) wakes(what string, want ...string) { n.Lists(what, "enqueued", n.w.woken(), want) }

// becomes changes a pod and says who should be woken.
func (n news) becomes(name string, edit func(p *kit.Pod), what string, want ...string) {
	n.w.pods.Change(key(name), edit)
	n.w.podFeed.CatchUp()
	n.wakes(what, want...)
}

// judged requires that each event woke whom it should have.
func (n news) judged() { n.Judge("the handlers enqueued the wrong ReplicaSets") }

// hasSaid requires that these were the events so far.
func (w *world) hasSaid(why string, want map[string]int) {
	d := conform.Differ(want, w.recorder.Counts())
	w.t.Require(d == "", "Each pod that is created or deleted, and each for which that fails, is one event about the ReplicaSet. %s: %s.", why, d)
	for _, n := range w.recorder.Notes() {
		if rs := w.sets.Now(key(n.About.Name)); rs != nil {
			about := kit.ReferenceTo(kit.ReplicaSets, rs)
			w.t.Require(n.About.UID == about.UID && n.About.Namespace == about.Namespace,
				"The event %s is to be about the ReplicaSet %s with the UID %s, and it is about one in the namespace %q with the UID %q.",
				n.Reason, kit.Key(rs), about.UID, n.About.Namespace, n.About.UID)
		}
	}
}
