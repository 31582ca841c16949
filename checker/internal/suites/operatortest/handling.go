package operatortest

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is tables of events, each brought to a handler by itself, and of settings.

// checkSecretUpdates brings events of Secrets to the handler. The Databases are in all the states that do not matter.
func checkSecretUpdates(t *conform.T, s Subject) {
	w := build(t, s)
	w.standInAllStates()
	n := news{w, w.t.Row()}
	handler := w.r.SecretHandler(w.enqueue)
	update := func(what string, before, after *kit.Secret, want ...string) {
		before.ResourceVersion, after.ResourceVersion = "900", "1000"
		handler.OnUpdate(before, after)
		n.wakes(what, want...)
	}
	common, plain := []string{key("behind"), key("leaving")}, password("common", "one")
	labelled := password("common", "one")
	labelled.Labels = map[string]string{"team": "web"}
	update("common labelled, and its Data as before", plain, labelled, common...)
	update("common changed, which the Certificate behind controls", ownedBy(plain, "Certificate", "", "behind"), ownedBy(labelled, "Certificate", "", "behind"), common...)
	update("common changed, which the Database x controls", ownedBy(plain, "Database", "", "x"), ownedBy(password("common", "two"), "Database", "", "x"), append(common, key("x"))...)
	update("common changed, whose controller was the Database x and is y", ownedBy(plain, "Database", "", "x"), ownedBy(plain, "Database", "", "y"), append(common, key("x"), key("y"))...)
	handler.OnAdd(ownedBy(password("any", "one"), "Database", "another-uid", "behind"), false)
	n.wakes("a Secret added whose controller is a Database behind with another UID", key("behind"))
	older := ownedBy(password("any", "one"), "Database", "", "behind")
	older.OwnerReferences[0].APIVersion = "book.example/v0"
	handler.OnAdd(older, false)
	n.wakes("a Secret added whose controller is the Database behind, by an older APIVersion", key("behind"))
	handler.OnAdd(password("own-connection", "one"), false)
	n.wakes("the Secret own-connection added, which own names as its password", key("own"))
	second := ownedBy(password("any", "one"), "Database", "", "behind")
	ownedBefore(second)
	handler.OnAdd(second, false)
	n.wakes("a Secret added whose controller is the Database behind, the second of its owners", key("behind"))
	handler.OnUpdate(plain, plain.DeepCopy())
	n.wakes("a resync of common, with another copy of the object")
	n.wakesByName(common)
	n.judged()
	w.sound()
}

// checkHandlesAtOnce brings an event to a handler as soon as New has returned. The caches are full by then.
func checkHandlesAtOnce(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	secret := w.secrets.Now(key("web-password"))
	var woken []string
	w.starts(s, func(w *world, o *Options) {
		w.catchUp()
		w.woken()
		t.Note("New, and OnAdd(%s) of its handler at once", key("web-password"))
		s.New(*o).SecretHandler(w.enqueue).OnAdd(secret, true)
		woken = w.woken()
	})
	t.Require(slices.Equal(woken, []string{key("web")}), "New had returned, and its handler heard of the Secret web-password, from which web has its password. It enqueued %s, and should have enqueued %s.", conform.Listed(woken), key("web"))
	w.sound()
}

// tellsOfSecrets brings an event of each kind to the handler of Secrets.
func (w *world) tellsOfSecrets(db *kit.Database, enqueue func(kit.Request)) []func() {
	old, changed := password(db.Spec.PasswordSecret, "old"), password(db.Spec.PasswordSecret, "new")
	old.ResourceVersion, changed.ResourceVersion = "1", "2"
	handler := w.r.SecretHandler(enqueue)
	return []func(){
		func() { handler.OnAdd(old, false) },
		func() { handler.OnUpdate(old, changed) },
		func() { handler.OnDelete(changed, false) },
	}
}

// tellsOfDatabases brings an event of each kind to the handler of Databases.
func (w *world) tellsOfDatabases(db *kit.Database, enqueue func(kit.Request)) []func() {
	edited := db.DeepCopy()
	edited.Generation, edited.ResourceVersion = db.Generation+1, db.ResourceVersion+"0"
	handler := w.r.DatabaseHandler(enqueue)
	return []func(){
		func() { handler.OnAdd(db, false) },
		func() { handler.OnUpdate(db, edited) },
		func() { handler.OnDelete(edited, false) },
	}
}

// checkLeavesNoEnqueue has enqueue take a second. Nobody is in it when a handler has returned.
func checkLeavesNoEnqueue(t *conform.T, s Subject, events func(w *world, db *kit.Database, enqueue func(kit.Request)) []func()) {
	w := build(t, s)
	db := w.stands("web")
	var inside atomic.Int32
	slow := func(kit.Request) {
		inside.Add(1)
		defer inside.Add(-1)
		time.Sleep(time.Second)
	}
	for i, tell := range events(w, db, slow) {
		what := []string{"OnAdd", "OnUpdate", "OnDelete"}[i]
		t.Do(tell, "%s", what)
		t.Wait()
		t.Require(inside.Load() == 0, "%s has returned, and a goroutine that the handler has started is in enqueue.", what)
	}
}

// checkEachItsEnqueue makes two handlers of one reconciler, each with an enqueue of its own, and brings an addition and an update to each.
func checkEachItsEnqueue(t *conform.T, s Subject, events func(w *world, db *kit.Database, enqueue func(kit.Request)) []func()) {
	w := build(t, s)
	db := w.stands("web")
	var called [2]int
	var handlers [2][]func()
	for i := range handlers {
		handlers[i] = events(w, db, func(kit.Request) { called[i]++ })
	}
	for i := range handlers {
		for j, what := range []string{"OnAdd", "OnUpdate"} {
			called = [2]int{}
			t.Do(handlers[i][j], "%s of handler %d of two", what, i+1)
			t.Require(called[i] > 0 && called[1-i] == 0, "One reconciler has made two handlers, each with an enqueue of its own. %s of the handler number %d has called its own enqueue %s, and that of the other handler %s. It should call its own.", what, i+1, times(called[i]), times(called[1-i]))
		}
	}
}

// wakesByName brings events of Secrets whose names are like those that Databases name.
func (n news) wakesByName(common []string) {
	handler := n.w.r.SecretHandler(n.w.enqueue)
	handler.OnDelete(password("nobody", "one"), true)
	n.wakes("a Secret deleted that nobody names")
	elsewhere := password("pcommon", "one")
	elsewhere.Namespace = "sho"
	handler.OnAdd(elsewhere, false)
	n.wakes("the Secret pcommon of the namespace sho added, where there is no Database")
	handler.OnAdd(password("two-common", "one"), false)
	n.wakes("the Secret two-common of the namespace shop added, which nobody names: far, of the namespace shop-two, names common")
	handler.OnAdd(password("Common", "one"), false)
	n.wakes("the Secret Common added, which no Database names")
	handler.OnDelete(ownedBy(password("common", "one"), "Database", "", "x"), true)
	n.wakes("common deleted, its final state unknown, which the Database x controls", append(common, key("x"))...)
}

// standInAllStates puts Databases in the states that do not matter to the handler of Secrets.
func (w *world) standInAllStates() {
	names := func(secret string, edits ...func(db *kit.Database)) func(db *kit.Database) {
		return func(db *kit.Database) {
			db.Spec.PasswordSecret = secret
			for _, edit := range edits {
				edit(db)
			}
		}
	}
	now := time.Now()
	w.dbs.Put(database("behind", names("common", said(available, inSync, 1, "here:5432"))))
	w.dbs.Put(database("leaving", names("common", finalized, func(db *kit.Database) { db.DeletionTimestamp = &now })))
	w.dbs.Put(database("none", names("")))
	w.dbs.Put(database("own", names("own-connection")))
	w.dbs.Put(database("loud", names(" Common ")))
	w.dbs.Put(database("joined", names("pcommon")))
	w.dbs.Put(database("far", names("common", func(db *kit.Database) { db.Namespace = "shop-two" })))
	w.catchUp()
	w.dbs.Change(key("behind"), func(db *kit.Database) { db.Spec.Size = 20 })
	w.catchUp()
	w.woken()
}

// ownedBy is a copy of a Secret with a controller.
func ownedBy(secret *kit.Secret, kind, uid, name string) *kit.Secret {
	owner := asController(database(name))
	owner.Kind, owner.UID = kind, uid
	secret = secret.DeepCopy()
	secret.OwnerReferences = []kit.OwnerReference{owner}
	return secret
}

// spans are settings that are far from the defaults; 0 is the default.
var spans = []struct{ poll, resync time.Duration }{
	{poll: 300 * time.Millisecond, resync: 2 * time.Second},
	{poll: 5 * time.Hour, resync: 48 * time.Hour},
	{poll: 7 * time.Minute},
	{resync: 3 * time.Hour},
	{resync: time.Minute},
	{poll: time.Minute, resync: 61 * time.Second},
	{resync: 15400 * time.Millisecond},
	{poll: 9*time.Minute + 55*time.Second},
}

// checkSpans creates a database, with a Poll and a Resync of that length; 0 is the default.
func checkSpans(t *conform.T, s Subject, poll, resync time.Duration) {
	w := build(t, s, func(_ *world, o *Options) { o.Poll, o.Resync = poll, resync })
	w.stands("web", finalized)
	w.waits(w.settled("web", "CreateDatabase was called"), "CreateDatabase was called, and Poll is %v, Resync %v", poll, resync)
	time.Sleep(creationTakes)
	w.settled("web", "the database is available")
	w.rests(w.settled("web", "the database is available"), "everything is as it should be, and Poll is %v, Resync %v", poll, resync)
}

// checkThrottledSpans has the cloud throttle a call, with a Poll and a Resync of that length; 0 is the default.
func checkThrottledSpans(t *conform.T, s Subject, poll, resync time.Duration) {
	w := build(t, s, func(_ *world, o *Options) { o.Poll, o.Resync = poll, resync })
	w.stands("web", finalized)
	for _, wait := range []time.Duration{0, time.Millisecond, time.Hour} {
		w.cloud.Intercept(w.cloud.Throttle(wait, get))
		result := w.settled("web", "too many calls are no failure")
		w.within(result, max(wait-1, 0), wait+max(w.poll, time.Second), "GetDatabase was throttled, with RetryAfter %v, and Poll is %v, Resync %v", wait, w.poll, w.resync)
	}
}

// puts is how somebody else changes a value of a Secret, which may have no Data at all.
func puts(name, value string) func(secret *kit.Secret) {
	return func(secret *kit.Secret) {
		if secret.Data == nil {
			secret.Data = map[string][]byte{}
		}
		secret.Data[name] = []byte(value)
	}
}

// ownedBefore gives a Secret an owner before the others, which is not its controller.
func ownedBefore(secret *kit.Secret) {
	backup := kit.OwnerReference{APIVersion: "book.example/v1", Kind: "Backup", Name: "nightly", UID: "uid-of-a-backup"}
	secret.OwnerReferences = append([]kit.OwnerReference{backup}, secret.OwnerReferences...)
}
