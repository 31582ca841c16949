package replicasettest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// together is where the rules meet.
var together = []conform.Case[Subject]{
	{
		Name:   "caches-stay-as-they-are",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "The controller never writes to an object from a cache.",
		Why:    "All controllers of the process share it. A field that is changed in place is a change that no API server has seen, and a data race.",
		Hint: []string{
			"Adoption, release and status all begin with an object from a cache. DeepCopy is their first step.",
		},
		Source:   "client-go tools/cache/thread_safe_store.go: ThreadSafeStore (its documentation); client-go tools/cache/mutation_detector.go: MutationDetector (KUBE_CACHE_MUTATION_DETECTOR)",
		Contract: []string{"The objects they return are shared and must not be changed."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkUntouched(t, open()) },
	},
	{
		Name:   "sets-side-by-side",
		Long:   true,
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "When ReplicaSets are reconciled at the same time, while events arrive, each ends with its own number of pods.",
		Why:    "A controller manager runs five workers for ReplicaSets, and the informers at the same time.",
		Hint: []string{
			"What do two Reconciles share? What do they share with the handlers?",
			"A handler may hear of something from within any call on what Options has. Which of your locks is held then?",
		},
		Source: "kubernetes pkg/controller/replicaset/config/types.go: ReplicaSetControllerConfiguration.ConcurrentRSSyncs",
		Contract: []string{
			"It is never called twice at once for one request, but may be called at once for different requests.",
			"They may be called while a Reconcile is under way, even from within its calls on anything in Options, and return without waiting for it.",
		},
		Check: func(t *conform.T, open func() Subject) {
			checkHeardAnywhere(t, open())
			t.Copies(func(t *conform.T) { checkSideBySide(t, open()) })
		},
	},
	{
		Name:   "any-lag-same-end",
		Long:   true,
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Whatever lags, fails, dies or is scaled: no Reconcile creates or deletes more than the difference that remains after the requests under way, and in the end there are exactly as many pods as wanted.",
		Why:    "Somebody's cluster finds the combination.",
		Hint: []string{
			"This is the shortest failing history that was found. What had the cache seen when your Reconcile counted?",
			"If it stands still at the end: which expectation is outstanding, and what should have lowered it?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Reconcile brings one ReplicaSet nearer to what it asks for.",
			"If the expectations were satisfied and the ReplicaSet is not being deleted, and the replicas are too few or too many, it creates or deletes the difference, but at most Burst.",
			"As long as something is expected, the cache is known to lag, and nobody may count it.",
			"If none of this differs from the status in the cache, nothing is written.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 160, func(rt *rapid.T, t *conform.T) { newStorm(rt, t, open()).play() })
		},
	},
}

func checkUntouched(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	orphan := w.lone("web", "orphan", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{another} })
	roomy := append(make([]kit.OwnerReference, 0, 4), orphan.OwnerReferences...)
	orphan.OwnerReferences = roomy // as a decoder may leave it
	w.podFeed.Bring(orphan)
	w.runs(rs, "a", func(p *kit.Pod) { p.OwnerReferences = append(p.OwnerReferences, another) })
	w.runs(rs, "b", func(p *kit.Pod) {
		p.OwnerReferences = []kit.OwnerReference{ref(rs), another}
		p.Labels = labels("debug")
	})
	for _, replicas := range []int{3, 5, 1} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = replicas })
		w.catchUp()
		for range 2 {
			_, _ = w.reconcile("web")
			fake.Untouched(t, "Reconcile(shop/web)", w.podFeed.Cache, w.setFeed.Cache)
			w.catchUp()
		}
	}
	w.hasLive(rs, 1, "1 is wanted in the end")
	room := roomy[:2][1]
	t.Require(room == (kit.OwnerReference{}), "The cached pod orphan has a slice of owner references with room for more. Your code has appended to that slice, "+
		"so that the room, which all who read the cache share, holds %s now. Make a DeepCopy first.", refs([]kit.OwnerReference{room}))
}

func checkSideBySide(t *conform.T, s Subject) {
	const sets, replicas = 3, 3
	w := build(t, s)
	var all []*kit.ReplicaSet
	for i := range sets {
		all = append(all, w.stands(set(fmt.Sprintf("web-%d", i), replicas)))
	}
	for i := range sets {
		w.stands(set(fmt.Sprintf("old-%d", i), 0))
	}
	t.Go("user", func(*conform.Actor) {
		for i := range sets {
			w.sets.Drop(key(fmt.Sprintf("old-%d", i)))
			w.setFeed.CatchUp()
		}
	})
	w.pods.Intercept(fake.After(func(*fake.Request) { w.podFeed.Deliver(1) }))
	for _, wanted := range []int{replicas, 1} {
		for _, rs := range all {
			w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = wanted })
		}
		w.catchUp()
		for _, rs := range all {
			t.Go(rs.Name, func(a *conform.Actor) {
				for range 2 {
					_, err := w.reconcileAs(a, rs.Name)
					t.Assert(err == nil, "Nothing had failed, and Reconcile(%s) returned %s.", kit.Key(rs), conform.Said(err))
				}
			})
		}
		t.Join()
		w.catchUp()
		for _, rs := range all {
			w.settled(rs.Name)
			w.hasLive(rs, wanted, "%d are wanted. Three ReplicaSets were reconciled at the same time, while events about their pods arrived, and others were deleted", wanted)
		}
	}
	w.hasCreated(sets*replicas, "three ReplicaSets wanted 3 each, and later 1 each")
}

// storm is a script that is made up: one ReplicaSet, and all that can happen to it.
type storm struct {
	*world
	t  *conform.T
	rt *rapid.T
	rs *kit.ReplicaSet

	burst   int
	doomed  map[string]bool // keys of pods that the subject has deleted
	retry   bool            // the last Reconcile has failed, so that it will be called again
	unheard bool            // something may never be heard of, or not by its owner: then only time helps
}

func newStorm(rt *rapid.T, t *conform.T, s Subject) *storm {
	m := &storm{rt: rt, t: t, doomed: map[string]bool{}}
	m.burst = 1 + m.draw("burst", 4)
	edits := []func(*world, *Options){burst(m.burst)}
	if m.draw("versions", 1) == 1 {
		edits = append(edits, versions)
	}
	m.world = build(t, s, edits...)
	m.pods.Graceful = m.draw("graceful", 1) == 1
	m.rs = m.stands(set("web", m.draw("replicas", 6)))
	return m
}

// draw is a number from 0 to most.
func (m *storm) draw(what string, most int) int { return rapid.IntRange(0, most).Draw(m.rt, what) }

func (m *storm) play() {
	for range 10 + m.draw("steps", 30) {
		m.step()
	}
	m.pods.Intercept()
	m.sets.Intercept()
	m.t.Note("from here on nothing fails and nothing lags")
	m.drive()
	if m.unheard && !m.exact() {
		time.Sleep(5*time.Minute + time.Second)
		m.retry = true
		m.drive()
	}
	m.hasLive(m.rs, m.wanted(), "%d are wanted, nothing fails or lags any more, and there is nothing left that would wake the controller", m.wanted())
	status := m.sets.Now(key("web")).Status.Replicas
	m.t.Require(status == m.wanted(), "In the end there are %d pods, as many as are wanted, nothing fails or lags any more, and the status still says %d replicas.", m.wanted(), status)
	m.server.Forget()
	m.settled("web")
	m.t.Require(m.changes() == 0, "In the end there are as many pods as are wanted and the status says so. One more Reconcile made %s.", conform.Some(m.changes(), "write"))
}

func (m *storm) wanted() int { return m.sets.Now(key("web")).Spec.Replicas }

func (m *storm) exact() bool { return len(m.live(m.rs)) == m.wanted() }

// step is one thing that happens.
func (m *storm) step() {
	steps := []func(){
		m.work, m.work, m.work, m.scale, m.die, m.fail, m.relabel, m.orphan, m.trouble, m.relist, m.finish,
		func() { m.podFeed.Deliver(1 + m.draw("pod events", 4)) },
		func() { m.podFeed.CatchUp() },
		func() { m.setFeed.CatchUp() },
		func() { time.Sleep(time.Duration(m.draw("seconds", 5)) * time.Second) },
	}
	steps[m.draw("step", len(steps)-1)]()
}

func (m *storm) scale() {
	n := m.draw("replicas", 6)
	m.t.Note("a user asks for %s", conform.Count(n, "pod"))
	m.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = n })
}

// pick is one of the active pods of the cluster, nil if there is none.
func (m *storm) pick() *kit.Pod {
	pods := slices.DeleteFunc(m.pods.All(), func(p *kit.Pod) bool { return !p.Active() })
	if len(pods) == 0 {
		return nil
	}
	return pods[m.draw("pod", len(pods)-1)]
}

func (m *storm) die() {
	if p := m.pick(); p != nil {
		m.t.Note("%s is deleted by a user", p.Name)
		m.pods.Drop(kit.Key(p))
	}
}

func (m *storm) fail() {
	if p := m.pick(); p != nil {
		m.t.Note("%s fails", p.Name)
		m.pods.Change(kit.Key(p), failed)
	}
}

// relabel makes a pod leave. A Reconcile that reads it afresh may release it before the
// cache has heard of the label, and delete it after that, by what the cache says. The event
// of its deletion then shows a pod without owner, and upstream waits in vain, too.
func (m *storm) relabel() {
	if p := m.pick(); p != nil {
		m.unheard = true
		m.t.Note("%s gets another label", p.Name)
		m.pods.Change(kit.Key(p), func(p *kit.Pod) { p.Labels = labels("debug") })
	}
}

func (m *storm) orphan() {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Labels = namespace, fmt.Sprintf("orphan-%d", m.server.Version()), labels("web")
	m.t.Note("%s appears, without owner", p.Name)
	m.pods.Put(p)
}

// finish lets the pods go that are being deleted.
func (m *storm) finish() {
	for _, p := range m.pods.All() {
		if p.DeletionTimestamp != nil {
			m.pods.Remove(kit.Key(p))
		}
	}
}

func (m *storm) relist() {
	m.unheard = true
	m.podFeed.Relist()
}

// trouble makes requests fail from now on, or no longer.
func (m *storm) trouble() {
	verb := []fake.Verb{"", fake.Create, fake.Update, fake.Delete, "status"}[m.draw("trouble", 4)]
	each := int32(1 + m.draw("each", 1))
	m.t.Note("requests that fail from now on: %q, one in %d", verb, each)
	refused := kit.NewConflict("objects", "any")
	var asked atomic.Int32
	m.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == verb && asked.Add(1)%each == 0 {
			return refused
		}
		return nil
	}))
	m.sets.Intercept()
	if verb == "status" {
		m.sets.Intercept(fake.Refuse(refused, fake.Update))
	}
}

// work reconciles once, and compares what was done with what may be done.
func (m *storm) work() {
	m.woken()
	m.server.Forget()
	cached, known := m.setFeed.Cache.GetByKey(key("web"))
	creating, deleting := m.underWay()
	before := m.known()
	_, err := m.reconcile("web")
	m.retry = err != nil
	for _, q := range m.pods.Requests(fake.Delete) {
		m.doomed[q.Key] = m.doomed[q.Key] || q.Err == nil
	}
	if !known {
		return
	}
	replicas := len(m.withAdopted(before))
	missing := cached.Spec.Replicas - replicas
	mayCreate := min(m.burst, max(0, missing-creating))
	mayDelete := min(m.burst, max(0, -missing-deleting))
	shown := fmt.Sprintf("The cache shows %s where %d are wanted", conform.Some(replicas, "replica"), cached.Spec.Replicas)
	m.t.Require(m.created() <= mayCreate, "%s, %s under way that it has not seen, and Burst is %d. At most %d may be created, and Reconcile asked for %d.",
		shown, conform.Some(creating, "creation"), m.burst, mayCreate, m.created())
	m.t.Require(len(m.deleted()) <= mayDelete, "%s, %s under way that it has not seen, and Burst is %d. At most %d may be deleted, and Reconcile asked for %d: %s.",
		shown, conform.Some(deleting, "deletion"), m.burst, mayDelete, len(m.deleted()), conform.Listed(m.deleted()))
}

// known names the active pods in the cache that belong to the ReplicaSet, by what the
// cache says or, of pods without owner, by what is true.
func (m *storm) known() map[string]bool {
	replicas := map[string]bool{}
	for _, p := range m.candidates() {
		if m.owns(p) {
			replicas[p.Name] = true
		} else if stored := m.pods.Now(kit.Key(p)); p.ControllerOf() == nil && stored != nil && m.owns(stored) {
			replicas[p.Name] = true
		}
	}
	return replicas
}

// owns reports whether p is a replica.
func (m *storm) owns(p *kit.Pod) bool {
	owner := p.ControllerOf()
	return p.Active() && p.Labels["app"] == "web" && owner != nil && owner.UID == m.rs.UID
}

// candidates are the active pods in the cache that the selector matches.
func (m *storm) candidates() []*kit.Pod {
	return slices.DeleteFunc(m.podFeed.Cache.Items(), func(p *kit.Pod) bool { return !p.Active() || p.Labels["app"] != "web" })
}

// withAdopted adds the pods that were adopted in the last Reconcile. What was written is
// read from the server; a pod that is gone from there was deleted after it was adopted.
func (m *storm) withAdopted(replicas map[string]bool) map[string]bool {
	for _, p := range m.candidates() {
		written := func(q fake.Request) bool { return q.Key == kit.Key(p) && q.Err == nil }
		if p.ControllerOf() != nil || !slices.ContainsFunc(m.pods.Requests(fake.Update), written) {
			continue
		}
		if stored := m.pods.Now(kit.Key(p)); stored == nil || stored.DeletionTimestamp != nil || m.owns(stored) {
			replicas[p.Name] = true
		}
	}
	return replicas
}

// underWay counts, among the events that the cache has not heard of, pods that the
// subject has created, and replicas in the cache that it has deleted.
func (m *storm) underWay() (creating, deleting int) {
	dying := map[string]bool{}
	for _, event := range m.podFeed.Pending() {
		p := event.Object
		if event.Type == kit.Added && p.GenerateName != "" {
			creating++
		}
		cached, had := m.podFeed.Cache.Get(p)
		if had && cached.Active() && m.doomed[kit.Key(p)] && (event.Type == kit.Deleted || p.DeletionTimestamp != nil) {
			dying[p.Name] = true
		}
	}
	return creating, len(dying)
}

// drive does what a controller would do until nothing is left to do.
func (m *storm) drive() {
	for range 100 {
		m.finish()
		m.catchUp()
		if len(m.woken()) == 0 && !m.retry {
			return
		}
		m.work()
	}
	m.t.Fatalf("Nothing fails any more and nothing lags. After a hundred calls of Reconcile the ReplicaSet is still enqueued, or the last call returned an error: it never comes to rest.")
}
