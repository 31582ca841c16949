package operatortest

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

// watching is about what wakes the operator, and what runs side by side.
var watching = []conform.Case[Subject]{
	{
		Name:   "own-status-wakes-nobody",
		Points: 3,
		Func:   "DatabaseReconciler.DatabaseHandler",
		Rule:   "A Database is enqueued when it is added, when its generation, its finalizers or its UID change, when it begins to be deleted, and at a resync. A new status enqueues nothing.",
		Why:    "An operator that is woken by each status it writes calls the cloud for each, and a rate limit is soon reached.",
		Hint: []string{
			"Which fields of the two objects differ after a status was written?",
			"Equal resource versions are a resync. Otherwise compare generation, deletionTimestamp, finalizers and UID.",
		},
		Source: "controller-runtime pkg/predicate/predicate.go: GenerationChangedPredicate; assisted-service#1529, a heartbeat in the status that woke its own writer",
		Contract: []string{
			"It enqueues one that is updated if its generation, its finalizers or its UID have changed, also by a write of Reconcile itself, or if the resource version is the same: that is a resync. A Database that begins to be deleted gets a new generation, too.",
			"An update in which nothing but the status has changed is its own echo, and enqueues nothing.",
			"It enqueues every Database that is added.",
			"They call enqueue for the Databases named below and for no others; they may call it twice for the same one.",
			"It starts no goroutine that outlives a call.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkDatabaseWakes(t, open())
			checkDatabaseUpdates(t, open())
			checkOwnFinalizerWakes(t, open())
			checkLeavesNoEnqueue(t, open(), (*world).tellsOfDatabases)
			checkEachItsEnqueue(t, open(), (*world).tellsOfDatabases)
		},
	},
	{
		Name:   "never-holds-a-worker",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A Reconcile takes as long as the calls that it makes and no longer, ends soon after its ctx, and leaves no goroutine.",
		Why:    "A worker that waits for one database of four minutes is missing for all others. And a process that is to stop must stop.",
		Hint: []string{
			"Is there a Sleep, a ticker or a loop of GetDatabase? Who else could come back after Poll?",
			"Hand ctx on to each call, and return its error.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Start; Kubernetes community, controllers.md; the contract of this lab",
		Contract: []string{
			"It waits for nothing but its own calls; for work that takes the cloud minutes it comes back later.",
			"Every call, of the cloud and of the API server, gets ctx, so that Reconcile ends soon after ctx does.",
			"It starts no goroutine that outlives a call.",
			"Beside the CloudNotFound and CloudAlreadyExists that have their place above and in deletion.go, a refusal ends the Reconcile, but for the status",
			"Every other error is returned, wrapped or not, but not as a kit.TerminalError, which nobody would try again.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkNoWaiting(t, open())
			checkEndsWithCtx(t, open())
			checkLeavesNoCall(t, open())
			checkEndsInRequests(t, open)
		},
	},
	{
		Name:   "databases-side-by-side",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Look:   []string{"what Reconciles share"},
		Rule:   "When Databases are reconciled at the same time, while events arrive, each gets its own database.",
		Why:    "A cloud is slow, so operators run many workers.",
		Hint: []string{
			"What do two Reconciles share? What do they share with the handlers?",
		},
		Source: "controller-runtime pkg/controller/controller.go: TypedOptions.MaxConcurrentReconciles",
		Contract: []string{
			"It is never called twice at once for one request, but may be called at once for different requests.",
			"They may be called while a Reconcile is under way, and return without waiting for it.",
			"It waits for nothing but its own calls; for work that takes the cloud minutes it comes back later.",
			"It may add indices to the caches, under names of its own; several reconcilers may be made over one cache, one after the other.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { checkSideBySide(t, open()) })
			for _, verb := range []string{get, create, modify, remove} {
				checkNobodyWaits(t, open(), verb)
			}
			checkMadeTwice(t, open())
		},
	},
}

func checkDatabaseWakes(t *conform.T, s Subject) {
	w := build(t, s)
	n := news{w, w.t.Row()}
	w.dbs.Put(database("web"))
	w.dbs.Put(database("api"))
	n.wakes("web and api added", key("api"), key("web"))
	change := func(what string, edit func(db *kit.Database), want ...string) {
		w.dbs.Change(key("web"), edit)
		n.wakes(what, want...)
	}
	change("a new size of web, and so a new generation", func(db *kit.Database) { db.Spec.Size = 20 }, key("web"))
	change("a new status of web and nothing else", func(db *kit.Database) { db.Status.ObservedGeneration = 2 })
	change("a new condition of web and nothing else", func(db *kit.Database) {
		db.Status.Conditions = []kit.Condition{{Type: ready, Status: kit.ConditionTrue, Reason: available}}
	})
	change("a finalizer added to web", func(db *kit.Database) { db.Finalizers = []string{finalizer} }, key("web"))
	change("the finalizer of web replaced by another one", func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} }, key("web"))
	change("another finalizer added to web", func(db *kit.Database) { db.Finalizers = append(db.Finalizers, "third/one") }, key("web"))
	change("a finalizer of web taken off", func(db *kit.Database) { db.Finalizers = []string{"third/one"} }, key("web"))
	w.feed.dbs.Resync(key("web"))
	n.wakes("a resync of web", key("web"))
	w.dbs.Drop(key("web"))
	n.wakes("web beginning to be deleted", key("web"))
	w.feed.dbs.Break(func() {
		w.dbs.Remove(key("api"))
		w.dbs.Put(database("api"))
	})
	n.wakes("an update of api to another UID", key("api"))
	n.judged()
}

// databaseUpdate is an update of a Database, and whether it enqueues.
type databaseUpdate struct {
	what          string
	before, after func(db *kit.Database)
	wakes         bool
}

// databaseUpdates are updates that differ in one thing, and perhaps in the status as well.
func databaseUpdates() []databaseUpdate {
	now := time.Now()
	deleted := func(db *kit.Database) { db.DeletionTimestamp = &now }
	deletedToo := func(db *kit.Database) { at := now; db.DeletionTimestamp = &at }
	observed := said(available, inSync, 3, "here:5432")
	as := func(*kit.Database) {}
	return []databaseUpdate{
		{"a generation that goes back", as, func(db *kit.Database) { db.Generation = 2 }, true},
		{"a new generation and a new status", as, both(observed, func(db *kit.Database) { db.Generation = 4 }), true},
		{"a new generation, which the status has observed, and the spec as before", both(observed, func(db *kit.Database) { db.Generation = 1 }), observed, true},
		{"web beginning to be deleted, which is a new generation, and a new status", finalized, both(both(finalized, deleted), both(observed, func(db *kit.Database) { db.Generation = 4 })), true},
		{"a finalizer taken off, and a new status", finalized, observed, true},
		{"a new finalizer of a Database whose generation was observed", observed, both(observed, finalized), true},
		{"another UID, and a new status", as, both(observed, func(db *kit.Database) { db.UID = "uid-of-another" }), true},
		{"another UID of a Database whose generation was observed", observed, both(observed, func(db *kit.Database) { db.UID = "uid-of-another" }), true},
		{"a first status, with an Endpoint", as, observed, false},
		{"a new Endpoint in the status", observed, both(observed, func(db *kit.Database) { db.Status.Endpoint = "there:5432" }), false},
		{"a status that says that an older generation was observed", observed, said(available, cloudError, 2, "here:5432"), false},
		{"a status that is taken away", observed, as, false},
		{"a new status of a Database that is being deleted", both(finalized, deleted), both(both(finalized, deletedToo), observed), false},
	}
}

// checkDatabaseUpdates brings updates of a Database to the handler.
func checkDatabaseUpdates(t *conform.T, s Subject) {
	w := build(t, s)
	n := news{w, w.t.Row()}
	handler := w.r.DatabaseHandler(w.enqueue)
	for _, c := range databaseUpdates() {
		before, after := database("web"), database("web")
		for _, db := range []*kit.Database{before, after} {
			db.UID, db.Generation = "uid-of-web", 3
		}
		c.before(before)
		c.after(after)
		before.ResourceVersion, after.ResourceVersion = "9", "10"
		handler.OnUpdate(before, after)
		var want []string
		if c.wakes {
			want = []string{key("web")}
		}
		n.wakes(c.what, want...)
		handler.OnUpdate(after, after)
		n.wakes("a resync after "+c.what, key("web"))
		handler.OnUpdate(after, after.DeepCopy())
		n.wakes("a resync with another copy of the object, after "+c.what, key("web"))
	}
	for _, initial := range []bool{true, false} {
		db := database("web", finalized, func(db *kit.Database) { db.DeletionTimestamp = &time.Time{} })
		handler.OnAdd(db, initial)
		n.wakes(fmt.Sprintf("web added, which is being deleted, in the first list: %t", initial), key("web"))
		for _, before := range reported() {
			handler.OnAdd(database("web", finalized, before.db, func(db *kit.Database) { db.Generation = 2 }), initial)
			n.wakes(fmt.Sprintf("web added, whose status says %s, in the first list: %t", before.what, initial), key("web"))
		}
	}
	n.judged()
}

// report is what a status says.
type report struct {
	what string
	db   func(db *kit.Database)
}

// reported is what the status of a Database at generation 2 may say of this generation and of the one before.
func reported() []report {
	all := []report{{"nothing", func(*kit.Database) {}}}
	for _, generation := range []int64{1, 2} {
		for _, c := range []struct{ ready, synced, endpoint string }{
			{available, inSync, "here:5432"}, {creating, inSync, ""}, {creating, inSync, "here:5432"}, {creating, cloudError, ""}, {available, cloudError, "here:5432"},
			{nameTaken, nameTaken, ""}, {failed, failed, ""}, {lost, lost, "here:5432"}, {available, engineChanged, "here:5432"},
			{passwordMissing, passwordMissing, ""}, {invalid, invalid, ""}, {available, secretTaken, "here:5432"},
		} {
			what := fmt.Sprintf("Ready %s, Synced %s and the Endpoint %q at generation %d", c.ready, c.synced, c.endpoint, generation)
			all = append(all, report{what, said(c.ready, c.synced, generation, c.endpoint)})
		}
	}
	return all
}

// checkOwnFinalizerWakes has the reconciler itself change the finalizers.
func checkOwnFinalizerWakes(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} })
	for _, step := range []struct {
		has, what string
		begin     func()
	}{
		{"somebody/else " + finalizer, "Reconcile has written the finalizer", func() {}},
		{"somebody/else", "Reconcile has taken the finalizer off", func() { w.cloud.Vanish(cloudName(w.dbs.Now(key("web")))); w.dbs.Drop(key("web")) }},
	} {
		step.begin()
		w.catchUp()
		w.woken()
		_, _ = w.reconcile("web")
		now := w.dbs.Now(key("web")).Finalizers
		t.Require(slices.Equal(slices.Sorted(slices.Values(now)), slices.Sorted(slices.Values(strings.Fields(step.has)))), "The finalizers are %s after Reconcile, and should be %s.", conform.Listed(now), step.has)
		w.catchUp()
		woken := w.woken()
		t.Require(slices.Equal(woken, []string{key("web")}), "%s. An update in which the finalizers have changed enqueues the Database, also if Reconcile itself has written it. Enqueued: %s.", step.what, conform.Listed(woken))
	}
}

func checkNoWaiting(t *conform.T, s Subject) {
	w := build(t, s)
	const slow = 5 * time.Second
	var inside atomic.Int32
	w.cloud.Intercept(func(ctx context.Context, _ *fake.CloudCall, next func() error) error {
		inside.Add(1)
		defer inside.Add(-1)
		timer := time.NewTimer(slow)
		defer timer.Stop()
		select {
		case <-timer.C:
			return next()
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	db := w.stands("web")
	for i := range 6 {
		w.cloud.Forget()
		w.catchUp()
		before := time.Now()
		_, err := w.reconcile("web")
		took, calls := time.Since(before), len(w.cloud.Calls())
		t.Wait()
		t.Require(inside.Load() == 0, "Reconcile has returned, and a goroutine that it has started is in a call of the cloud.")
		t.Require(err == nil || kit.IsConflict(err), "Each call of the cloud takes %v and none fails, and Reconcile returned %s.", slow, conform.Said(err))
		t.Require(took <= time.Duration(calls)*slow, "Reconcile has made %s of the cloud, each of which takes %v, and took %v in all.", conform.Some(calls, "call"), slow, took)
		if i == 3 {
			w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
		}
		time.Sleep(creationTakes)
	}
	w.catchUp()
	w.isReady("web", "the cloud has had the time that it needs")
	t.Require(w.cloud.Created(cloudName(db)) == 1, "The database was created %s.", times(w.cloud.Created(cloudName(db))))
}

// checkEndsWithCtx has ctx end during each call of the cloud.
func checkEndsWithCtx(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", finalized)
	w.endsDuring(create)

	w = build(t, s)
	w.runs("web")
	w.endsDuring(get)
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.endsDuring(modify)
	w.dbs.Drop(key("web"))
	w.endsDuring(remove)
	w.cloud.Intercept(w.cloud.Answer(kit.CloudBusy, remove))
	w.settled("web", "DeleteDatabase was CloudBusy, which is no failure")
	w.t.Note("the status says that the Database is being deleted, and there is nothing to write")
	w.endsDuring(get)
	w.endsDuring(remove)
}

// checkLeavesNoCall has ctx end during a call of the cloud that takes a moment to notice it.
func checkLeavesNoCall(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", finalized)
	ctx, cancel := t.WithCancel(t.Context(), "the ctx of Reconcile")
	defer cancel()
	var inside atomic.Int32
	w.cloud.Intercept(func(ctx context.Context, _ *fake.CloudCall, _ func() error) error {
		inside.Add(1)
		defer inside.Add(-1)
		cancel()
		select {
		case <-ctx.Done():
			time.Sleep(10 * time.Millisecond)
		case <-time.After(time.Minute):
		}
		return context.Canceled
	})
	_, err := w.reconcileAs(t.Actor, ctx, "web")
	t.Require(inside.Load() == 0, "ctx ended during GetDatabase, which takes 10ms to notice that. Reconcile returned %s before: it has left a goroutine in the call.", conform.Said(err))
}

// endsDuring reconciles web with a ctx that ends during the first call of a verb.
func (w *world) endsDuring(verb string) {
	w.catchUp()
	ctx, cancel := w.t.WithCancel(w.t.Context(), "the ctx of Reconcile")
	defer cancel()
	h := hang{cancel: cancel}
	w.cloud.Intercept(func(ctx context.Context, asked *fake.CloudCall, next func() error) error {
		if asked.Verb != verb {
			return next()
		}
		return h.ask(ctx, next)
	})
	w.cloud.Forget()
	_, err := w.reconcileAs(w.t.Actor, ctx, "web")
	w.t.Require(!h.began.IsZero(), "%s should have been called, and Reconcile returned without it.", verb)
	w.t.OnTime("Reconcile returned", time.Since(h.began), time.Second, fmt.Sprintf("%s takes a minute, unless its ctx ends, and the ctx of Reconcile ended", verb))
	w.t.Require(err != nil, "The ctx of Reconcile ended during %s, which returned its error, and Reconcile returned nil.", verb)
	w.calledLast(verb, "The ctx of Reconcile ended during %s, which returned its error", verb)
}

// hang is a call that takes a minute, unless its ctx ends. A second after the first one has begun
// the ctx of Reconcile is cancelled.
type hang struct {
	cancel func()
	first  sync.Once
	began  time.Time // zero until then
}

func (h *hang) ask(ctx context.Context, next func() error) error {
	h.first.Do(func() {
		h.began = time.Now()
		time.AfterFunc(time.Second, h.cancel)
	})
	select {
	case <-time.After(time.Minute):
		return next()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func checkSideBySide(t *conform.T, s Subject) {
	const databases = 4
	w := build(t, s)
	var all []*kit.Database
	for i := range databases {
		all = append(all, w.stands(fmt.Sprintf("web-%d", i)))
	}
	round := func(times int) {
		for _, db := range all {
			t.Go(db.Name, func(a *conform.Actor) {
				for range times {
					_, err := w.reconcileAs(a, t.Context(), db.Name)
					behind := kit.IsConflict(err) || kit.IsAlreadyExists(err) || kit.IsNotFound(err)
					t.Assert(err == nil || behind, "Nothing had failed, and Reconcile(%s) returned %s.", kit.Key(db), conform.Said(err))
					w.feed.dbs.Deliver(2)
					w.feed.secrets.Deliver(1)
				}
			})
		}
		t.Join()
		w.catchUp()
	}
	round(6)
	for _, db := range all {
		has, secret, exists := w.cloud.Now(cloudName(db))
		t.Require(exists && has.Owner == cluster+"/"+db.UID && secret == "secret of "+db.Name, "Four Databases were reconciled at the same time. The database of %s is %s, with the password %q.", kit.Key(db), fake.ShowCloudDatabase(has), secret)
		w.dbs.Drop(kit.Key(db))
	}
	w.catchUp()
	round(2)
	for _, db := range all {
		w.says(db.Name, ready, kit.ConditionFalse, deleting, "four Databases were deleted, and their databases are still being created")
	}
	w.sound()
	t.Require(len(w.cloud.Names()) == databases, "Four Databases were created and deleted at the same time, and the cloud has %s.", conform.Listed(w.cloud.Names()))
}
