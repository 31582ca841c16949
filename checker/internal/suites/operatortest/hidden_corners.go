package operatortest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// checkEndsInRequests has ctx end during each kind of request to the API server.
func checkEndsInRequests(t *conform.T, open func() Subject) {
	for _, c := range []struct {
		resource string
		verb     fake.Verb
		prepare  func(w *world)
	}{
		{"databases", fake.Update, func(w *world) { w.stands("web") }},
		{"databases", fake.Status, func(w *world) { w.stands("web", finalized) }},
		{"secrets", fake.Create, func(w *world) {
			db := w.runs("web")
			w.secrets.Remove(connection(db))
		}},
		{"secrets", fake.Update, func(w *world) {
			db := w.runs("web")
			w.secrets.Change(connection(db), puts("password", "hunter2"))
		}},
		{"databases", fake.Update, func(w *world) {
			db := w.runs("web")
			w.cloud.Vanish(cloudName(db))
			w.dbs.Drop(key("web"))
		}},
		{"databases", fake.Get, func(w *world) { w.stands("web", finalized) }},
	} {
		w := build(t, open())
		c.prepare(w)
		w.endsInRequest(c.resource, c.verb)
	}
}

// endsInRequest reconciles web with a ctx that ends during the first request of a verb. A Reconcile
// that reads by another request is not asked for that one.
func (w *world) endsInRequest(resource string, verb fake.Verb) {
	w.catchUp()
	ctx, cancel := w.t.WithCancel(w.t.Context(), "the ctx of Reconcile")
	defer cancel()
	h := hang{cancel: cancel}
	hangs := func(ctx context.Context, q *fake.Request, next func() error) error {
		if q.Resource != resource || q.Verb != verb {
			return next()
		}
		return h.ask(ctx, next)
	}
	w.dbs.Intercept(hangs)
	w.secrets.Intercept(hangs)
	_, _ = w.reconcileAs(w.t.Actor, ctx, "web")
	if h.began.IsZero() {
		return
	}
	w.t.Require(time.Since(h.began) == time.Second, "A request to %s %s takes a minute, unless its ctx ends, and the ctx of Reconcile ended after 1s. Reconcile returned %v after it had begun: each call gets ctx.", verb, resource, time.Since(h.began))
}

// checkNobodyWaits has a call hang for some Databases. Neither the handlers nor a Reconcile of another one wait for that.
func checkNobodyWaits(t *conform.T, s Subject, verb string) {
	const many = 40 // more than anybody would let in at once
	w := build(t, s)
	c := crowd{verb: verb, hangs: make(chan struct{}), release: make(chan struct{}), slow: map[string]bool{}}
	for i := range many {
		c.slow[cloudName(w.needs(fmt.Sprint("slow-", i), verb))] = true
	}
	other := w.needs("other", verb)
	w.cloud.Intercept(c.ask)
	var handled, reconciled atomic.Bool
	ended := make(chan struct{})
	t.Go("slow-0", func(a *conform.Actor) {
		_, _ = w.reconcileAs(a, t.Context(), "slow-0")
		close(ended)
	})
	select {
	case <-c.hangs:
	case <-ended:
		t.Require(false, "%s, so that %s should have been called, and Reconcile returned without it.", needing[verb], verb)
	}
	t.Go("informer", func(*conform.Actor) {
		for _, tell := range append(w.tellsOfSecrets(other, w.enqueue), w.tellsOfDatabases(other, w.enqueue)...) {
			tell()
		}
		handled.Store(true)
	})
	t.Go("other", func(a *conform.Actor) {
		_, _ = w.reconcileAs(a, t.Context(), "other")
		reconciled.Store(true)
	})
	t.Wait()
	told, served := handled.Load(), reconciled.Load()
	for i := 1; i < many && told && served; i++ {
		name := fmt.Sprint("slow-", i)
		t.Go(name, func(a *conform.Actor) { _, _ = w.reconcileAs(a, t.Context(), name) })
	}
	t.Wait()
	inside := c.inside.Load()
	close(c.release)
	t.Require(told, "%s hangs in a Reconcile, and the handlers of an event wait for that. They return without waiting for a Reconcile.", verb)
	t.Require(served, "%s hangs in the Reconcile of one Database, and that of another one waits for it. It should wait for nothing but its own calls.", verb)
	t.Require(inside >= many, "Reconcile was called for %d Databases at once, and %s hangs for each. Only %d of them have come to that call, and the others wait for these. A Reconcile should wait for nothing but its own calls.", many, verb, inside)
	t.Join()
}

// crowd is a cloud in which a call hangs for some databases.
type crowd struct {
	verb           string
	slow           map[string]bool // by name
	first          sync.Once
	hangs, release chan struct{} // the first one hangs; they all go on
	inside         atomic.Int32
}

func (c *crowd) ask(_ context.Context, asked *fake.CloudCall, next func() error) error {
	if c.slow[asked.Name] && asked.Verb == c.verb {
		c.inside.Add(1)
		c.first.Do(func() { close(c.hangs) })
		<-c.release
	}
	return next()
}

// needing says in which world each call has to be made, as a sentence without its end.
var needing = map[string]string{
	get:    "The Database has our finalizer",
	create: "The cloud has no database",
	modify: "The database is smaller than the spec asks for",
	remove: "The Database is being deleted, and GetDatabase is CloudNotFound, which proves nothing because it may be behind",
}

// needs adds a Database, with our finalizer, for which a Reconcile has to call a verb of the cloud.
func (w *world) needs(name, verb string) *kit.Database {
	db := w.stands(name, finalized)
	switch verb {
	case modify:
		w.cloud.Put(kit.CloudDatabase{Name: cloudName(db), Owner: cluster + "/" + db.UID, Engine: "postgres", Size: 3, State: kit.CloudAvailable, Endpoint: "here:5432"}, "old")
	case remove:
		w.dbs.Drop(kit.Key(db))
		w.catchUp()
	}
	return db
}

// checkMadeTwice makes a second reconciler over the same caches.
func checkMadeTwice(t *conform.T, s Subject) {
	var made Options
	w := build(t, s, func(_ *world, o *Options) { made = *o })
	t.Do(func() { s.New(made) }, "New(the same Options)")
	w.stands("web")
	var again Reconciler
	t.Do(func() { again = s.New(made) }, "New(the same Options)")
	w.woken()
	again.SecretHandler(w.enqueue).OnAdd(w.secrets.Now(key("web-password")), false)
	woken := w.woken()
	t.Require(len(woken) == 1 && woken[0] == key("web"), "A second reconciler was made over the same caches. Its handler heard of the Secret web-password, from which web has its password, and enqueued %s.", conform.Listed(woken))
	w.sound()
}

// checkWaitsFirst changes the engine, and deletes the connection, while the cloud is at work.
func checkWaitsFirst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.drive(creationTakes / 2)
	edit(w, func(spec *kit.DatabaseSpec) { spec.Engine = "mysql" })
	w.waits(w.settled("web", "the cloud is creating the database"), "the cloud is creating the database, and the engine of the spec has changed: the State comes first")
	w.says("web", synced, kit.ConditionTrue, inSync, "the cloud is at work, which comes before the engine")
	edit(w, func(spec *kit.DatabaseSpec) { spec.Engine = "postgres" })
	w.drive(creationTakes)
	w.isReady("web", "the cloud has created the database")

	db := w.dbs.Now(key("web"))
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.waits(w.settled("web", "ModifyDatabase was called"), "ModifyDatabase was called")
	w.secrets.Remove(connection(db))
	w.waits(w.settled("web", "the cloud is modifying the database"), "the cloud is modifying the database")
	t.Require(w.secrets.Now(connection(db)) == nil, "The cloud is modifying the database, and the Secret with the connection was written: it waits then, and the first that fits is done.")
}

// checkDeletedInTheCloud has somebody delete a database in the cloud by hand.
func checkDeletedInTheCloud(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	t.Note("somebody deletes %s in the cloud", cloudName(db))
	err := w.cloud.DeleteDatabase(t.Context(), cloudName(db))
	t.Require(err == nil, "The cloud refused to delete a database by hand: %v.", err)
	w.forget()
	w.waits(w.settled("web", "the cloud is deleting the database"), "the cloud is deleting the database")
	w.called(0, create, "the State is CloudDeleting, and it waits")
	w.says("web", ready, kit.ConditionFalse, creating, "the State is CloudDeleting")
	w.drive(resync + deletionTakes + creationTakes + 4*poll)
	w.isReady("web", "somebody had deleted the database in the cloud, and OnLoss is %q", kit.LossRecreate)
}

// checkAsksAgain has the cloud refuse a size, and then no longer. Nothing of the Database has changed.
func checkAsksAgain(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 40 })
	w.cloud.Intercept(w.cloud.Answer(kit.CloudInvalid, modify))
	w.drive(resync)
	w.says("web", synced, kit.ConditionFalse, invalid, "the cloud refuses 40 GiB")
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 41 })
	w.drive(poll)
	c := w.says("web", synced, kit.ConditionFalse, invalid, "the cloud refuses 41 GiB")
	t.Require(c.ObservedGeneration == 3, "The cloud refuses 41 GiB as it has refused 40 before, and ObservedGeneration of Synced is %d. The Database is at generation 3.", c.ObservedGeneration)
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 40 })
	w.drive(poll)
	w.cloud.Intercept()
	w.drive(2*resync + modificationTakes)
	w.isReady("web", "the cloud does not refuse 40 GiB any longer")
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.Size == 40, "The cloud has refused 40 GiB, and does not any longer. The database has %d.", has.Size)
}

// checkLetsGoOfItsOwn has a Database made again under the name of one that is being deleted.
func checkLetsGoOfItsOwn(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.cloud.Vanish(cloudName(db))
	w.dbs.Drop(key("web"))
	w.catchUp()
	w.dbs.Remove(key("web"))
	w.dbs.Put(database("web", finalized))
	t.Note("the Database was deleted, and made again with another UID, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	got := w.dbs.Now(key("web")).Finalizers
	t.Require(len(got) == 1, "The cache shows a Database that is being deleted, and another one has its name by now. The finalizers of that are %s, and ours should be there.", conform.Listed(got))
}

// checkReadyStays has ModifyDatabase fail when the database has just become available.
func checkReadyStays(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.drive(creationTakes / 2)
	time.Sleep(creationTakes)
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.cloud.Intercept(w.cloud.Answer(kit.CloudUnavailable, modify))
	w.catchUp()
	_, err := w.reconcile("web")
	w.isOf(err, kit.CloudUnavailable, "ModifyDatabase answered CloudUnavailable")
	w.catchUp()
	w.says("web", ready, kit.ConditionFalse, creating, "a call of the cloud has failed, and Ready stays as it was")
}

// checkFinalizerForcesNothing has somebody change the size before the finalizer is written.
func checkFinalizerForcesNothing(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
	t.Note("the size is 20 by now, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	size := w.dbs.Now(key("web")).Spec.Size
	t.Require(size == 20, "Somebody has changed the size from 10 to 20, which the cache does not show yet. The finalizer was to be written, and now the size is %d.", size)
}

// checkCreatedGeneration has the cache show an older spec than the API server when a database is created.
func checkCreatedGeneration(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", finalized)
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
	t.Note("the size is 20 by now, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	calls, observed := w.cloud.Calls(create), w.dbs.Now(key("web")).Status.ObservedGeneration
	if len(calls) == 0 || observed == 0 {
		return
	}
	acted := map[int]int64{10: 1, 20: 2}[calls[0].Spec.Size]
	t.Require(observed == acted, "The database was created with %d GiB, which is what generation %d asks for, and ObservedGeneration in the status is %d.", calls[0].Spec.Size, acted, observed)
}

// checkWithoutPassword takes the password away and changes the size. Another namespace has a Secret of
// its name.
func checkWithoutPassword(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs("web")
	elsewhere := password("web-password", "another one")
	elsewhere.Namespace = "elsewhere"
	w.secrets.Put(elsewhere)
	w.secrets.Remove(key("web-password"))
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.forget()
	w.drive(resync)
	w.says("web", synced, kit.ConditionFalse, passwordMissing, "its namespace has no Secret web-password, and another one has")
	w.called(0, modify, "there is no password, and so nothing is modified")
	w.secrets.Put(password("web-password", "secret of web"))
	w.drive(resync + modificationTakes + 2*poll)
	w.isReady("web", "the password is there again")
}

// checkManyStuck has as many Databases be stuck that a share of each one's own comes to each hundredth.
func checkManyStuck(t *conform.T, s Subject) {
	w := build(t, s)
	for i := range 128 {
		w.dbs.Put(database(fmt.Sprint("web-", i), finalized))
	}
	w.catchUp()
	for i := range 128 {
		name := fmt.Sprint("web-", i)
		result, err := w.reconcile(name)
		t.Require(err == nil, "There is no password, and Reconcile(%s) returned %s. Stuck is no error.", key(name), conform.Said(err))
		w.rests(result, "there is no password for %s", key(name))
	}
}

// checkStuckSpans has a Database be stuck and then wait, with a Poll and a Resync of that length; 0 is the default.
func checkStuckSpans(t *conform.T, s Subject, poll, resync time.Duration) {
	w := build(t, s, func(_ *world, o *Options) { o.Poll, o.Resync = poll, resync })
	settled := func() kit.Result {
		return w.settled("web", "Poll is %v, Resync %v, and nothing has failed", w.poll, w.resync)
	}
	w.dbs.Put(database("web", finalized))
	w.rests(settled(), "there is no password, so that it is stuck, and Poll is %v, Resync %v", w.poll, w.resync)
	w.secrets.Put(password("web-password", "secret of web"))
	w.cloud.Intercept(w.cloud.Answer(kit.CloudInvalid, create))
	w.rests(settled(), "CreateDatabase was CloudInvalid, so that it is stuck, and Poll is %v, Resync %v", w.poll, w.resync)
	w.cloud.Intercept(w.cloud.Answer(kit.CloudBusy, create, remove))
	w.waits(settled(), "CreateDatabase was CloudBusy, and Poll is %v, Resync %v", w.poll, w.resync)
	w.dbs.Drop(key("web"))
	w.waits(settled(), "the Database is being deleted, DeleteDatabase was CloudBusy, and Poll is %v, Resync %v", w.poll, w.resync)
}

// checkTakenBefore has the name of the connection taken before the database is created, and a cloud
// that is busy at first.
func checkTakenBefore(t *conform.T, s Subject) {
	w := build(t, s)
	w.secrets.Put(password("web-connection", "not yours"))
	db := w.stands("web", finalized)
	w.cloud.Intercept(w.cloud.Answer(kit.CloudBusy, create))
	w.waits(w.settled("web", "CreateDatabase was CloudBusy, which is no failure"), "CreateDatabase was CloudBusy")
	w.says("web", synced, kit.ConditionTrue, inSync, "CreateDatabase was CloudBusy, which is no failure")
	w.cloud.Intercept()
	w.drive(creationTakes + 4*poll)
	t.Require(w.cloud.Created(cloudName(db)) == 1, "The Secret %s is somebody else's, and the database was created %s. It should be created: the connection comes later.", connection(db), times(w.cloud.Created(cloudName(db))))
	w.says("web", ready, kit.ConditionTrue, available, "the database itself can be used")
	w.says("web", synced, kit.ConditionFalse, secretTaken, "the Secret %s is somebody else's", connection(db))
}

// checkLateFirstStatus has a cache that never shows the first status.
func checkLateFirstStatus(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", finalized)
	_, _ = w.reconcile("web")
	c := w.says("web", ready, kit.ConditionFalse, creating, "CreateDatabase was called")
	for range 2 {
		time.Sleep(time.Minute)
		_, _ = w.reconcile("web")
		now := w.says("web", ready, kit.ConditionFalse, creating, "the cloud is creating the database, and the cache does not show the first status yet")
		t.Require(now.LastTransitionTime.Equal(c.LastTransitionTime), "Ready has been False since the first status, which the cache does not show yet. Its LastTransitionTime has moved by %v.", now.LastTransitionTime.Sub(c.LastTransitionTime))
	}
}

// checkStatusOfAnother has a Database made again under the name of one that has just become available.
func checkStatusOfAnother(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.drive(creationTakes / 2)
	time.Sleep(creationTakes)
	w.dbs.Remove(key("web"))
	w.dbs.Put(database("web"))
	t.Note("the Database was deleted, and made again with another UID, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	now := w.dbs.Now(key("web")).Status
	t.Require(len(now.Conditions) == 0 && now.Endpoint == "", "The cache shows a Database whose database is available, and another one has its name by now. The status of that has %s and the Endpoint %q, and nothing has been done for it yet.", conform.Count(len(now.Conditions), "condition"), now.Endpoint)
}
