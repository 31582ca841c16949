package operatortest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// small is a small world: one Database web at generation 2, which has our finalizer; the Secret with its
// password; what the cloud has of it; and one Reconcile. Then a second one, which finds nothing to write.
type small struct {
	what    string                                 // what is so, as a sentence without its end
	db      func(db *kit.Database)                 // edits the Database before it is put
	dropped bool                                   // it is being deleted
	secret  func(secret *kit.Secret)               // edits the Secret with the password before it is put
	has     func(has *kit.CloudDatabase)           // edits what the cloud has: one of ours, as the spec asks; nil if it has none
	cloud   func(w *world) fake.CloudInterceptor   // stands before the cloud
	before  func(w *world, db *kit.Database)       // happens before the caches catch up
	unseen  func(w *world, db *kit.Database)       // happens after that
	also    func(w *world, db, then *kit.Database) // what else has to hold after the first Reconcile

	// What has to come of it.
	calls    []string      // of the cloud, that are to write
	maybe    string        // a call that may be made, and is left out of calls
	ready    string        // the reason of the condition; "" where it stays as it was, or missing
	synced   string        // as ready
	message  string        // what the Message of Synced contains
	rests    bool          // RequeueAfter is that of what is in sync or stuck
	err      kit.CloudCode // of the error that is returned; "" for none
	throttle time.Duration // the RetryAfter of a call that is throttled; where it is not 0, nothing changes
	once     bool          // there is no second Reconcile, and the status and the Result are not looked at
}

// smallWorlds checks each of some small worlds twice: with errors of the cloud as they are, and wrapped.
func smallWorlds(t *conform.T, s Subject, worlds []small) {
	for _, m := range worlds {
		m.check(t, s, nil)
		if m.cloud != nil || m.has == nil {
			m.check(t, s, fake.CloudWrap)
		}
	}
}

// build makes the world as it is before the first Reconcile.
func (m small) build(t *conform.T, s Subject, wrap fake.CloudInterceptor, edits ...func(w *world, o *Options)) (*world, *kit.Database) {
	w := build(t, s, edits...)
	secret := password("web-password", "secret of web")
	if m.secret != nil {
		m.secret(secret)
	}
	secret = w.secrets.Put(secret)
	db := database("web", finalized, func(db *kit.Database) { db.Status.Conditions = []kit.Condition{backup} })
	if m.db != nil {
		m.db(db)
	}
	size := db.Spec.Size
	db.Spec.Size = 1
	w.dbs.Put(db)
	db = w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = size })
	if m.has != nil {
		has := kit.CloudDatabase{
			Name: cloudName(db), Owner: cluster + "/" + db.UID, Engine: "postgres", Size: size, PasswordVersion: secret.ResourceVersion,
			State: kit.CloudAvailable, Endpoint: "here:5432",
		}
		m.has(&has)
		w.cloud.Put(has, "secret of web")
	}
	var between []fake.CloudInterceptor
	if wrap != nil {
		between = append(between, wrap)
	}
	if m.cloud != nil {
		between = append(between, m.cloud(w))
	}
	w.cloud.Intercept(between...)
	if m.before != nil {
		m.before(w, db)
	}
	if m.dropped {
		w.dbs.Drop(key("web"))
	}
	w.catchUp()
	db = w.dbs.Now(key("web"))
	if m.unseen != nil {
		m.unseen(w, db)
	}
	return w, db
}

func (m small) check(t *conform.T, s Subject, wrap fake.CloudInterceptor) {
	if wrap != nil {
		m.what += ", and each error of the cloud wraps a kit.CloudError"
	}
	t.Note("a small world: %s", m.what)
	w, db := m.build(t, s, wrap)
	w.befell = ". " + m.what
	w.forget()
	began := time.Now()
	result, err := w.reconcile("web")
	w.sound()
	t.Require(time.Since(began) == 0, "%s. The calls that Reconcile makes take no time here, and it took %v.", m.what, time.Since(began))
	m.judgeCalls(w, db)
	then := w.dbs.Now(key("web"))
	if !m.once {
		m.judgeResult(w, result, err)
		m.judgeStatus(t, db, then)
		written := w.secrets.Requests(fake.Create, fake.Update, fake.Delete)
		t.Require(len(written) == 0 || m.rests && m.synced == inSync, "%s. Reconcile has written to a Secret, and the database is not in sync.", m.what)
	}
	if m.also != nil {
		m.also(w, db, then)
	}
	if m.once {
		return
	}
	m.checkAgain(w)
}

// checkAgain has Reconcile come again, and requires that it writes nothing where it finds everything as
// it was. Where the cloud has been given work, that is the time after the next: a Message may
// say that the work is under way.
func (m small) checkAgain(w *world) {
	looks := 1
	if m.waits() {
		looks = 2
	}
	var dbs, written int
	for range looks {
		w.catchUp()
		time.Sleep(time.Second)
		w.server.Forget()
		dbs = w.dbs.Changes()
		result, err := w.reconcile("web")
		w.sound()
		m.judgeResult(w, result, err)
		written = len(w.dbs.Requests(fake.Status)) + len(w.secrets.Requests(fake.Create, fake.Update, fake.Delete))
	}
	w.t.Require(w.dbs.Changes() == dbs && written == 0, "%s. Reconcile came again, found everything as the one before had left it, and has written to the API server again.", m.what)
}

// waits reports whether Reconcile comes back because the cloud is at work.
func (m small) waits() bool { return m.err == "" && m.throttle == 0 && !m.rests }

func (m small) judgeResult(w *world, result kit.Result, err error) {
	if m.err != "" {
		w.isOf(err, m.err, "%s", m.what)
		return
	}
	w.t.Require(err == nil, "%s. Reconcile returned %s, and should have returned nil.", m.what, conform.Said(err))
	switch {
	case m.waits():
		w.waits(result, "%s", m.what)
	case m.rests:
		w.rests(result, "%s", m.what)
	default:
		w.within(result, max(m.throttle-1, 0), max(m.throttle, 0)+w.poll, "%s", m.what)
	}
}

// judgeCalls looks at the calls of the first Reconcile that are to write, and at what they ask for.
func (m small) judgeCalls(w *world, db *kit.Database) {
	var verbs []string
	for _, c := range w.cloud.Calls(create, modify, remove) {
		if c.Verb != m.maybe {
			verbs = append(verbs, c.Verb)
		}
	}
	w.t.Require(slices.Equal(verbs, m.calls), "%s. Of the calls that change something in the cloud Reconcile made %s, and should have made %s.", m.what, conform.Listed(verbs), conform.Listed(m.calls))
	for _, c := range w.cloud.Calls(create, modify) {
		secret := w.secrets.Now(key(db.Spec.PasswordSecret))
		want := kit.CloudSpec{Engine: db.Spec.Engine, Size: db.Spec.Size, Password: string(secret.Data["password"]), PasswordVersion: secret.ResourceVersion}
		w.t.Same(want, c.Spec, "%s. %s asks for something other than the spec and the Secret", m.what, c.Verb)
	}
	asked := w.cloud.Calls(get)
	w.t.Require(m.throttle == 0 || len(asked) == 1, "%s. Reconcile called GetDatabase %s, and should have once: what is throttled is not called again.", m.what, times(len(asked)))
}

// judgeStatus compares the status after the first Reconcile with the one before.
func (m small) judgeStatus(t *conform.T, db, then *kit.Database) {
	m.judgeCondition(t, db, then, ready, m.ready)
	m.judgeCondition(t, db, then, synced, m.synced)
	other := kit.FindCondition(then.Status.Conditions, backup.Type)
	t.Require(sameCondition(&backup, other), "%s. Somebody else has set the condition %s, and Reconcile has changed it or taken it away.", m.what, backup.Type)
	for _, c := range then.Status.Conditions {
		theirs := kit.FindCondition(db.Status.Conditions, c.Type) != nil
		t.Require(theirs || c.Type == ready || c.Type == synced, "%s. Reconcile has added the condition %q. There are two that it sets, and no other is added.", m.what, c.Type)
	}
	if m.synced == "" {
		return
	}
	got := then.Status.ObservedGeneration
	keeps := got == db.Status.ObservedGeneration && got > db.Generation // one that does not take a greater one back is right, too
	t.Require(got == db.Generation || keeps, "%s. ObservedGeneration of the status is %d, and the Database is at generation %d.", m.what, got, db.Generation)
	c := kit.FindCondition(then.Status.Conditions, synced)
	t.Require(strings.Contains(c.Message, m.message), "%s. The Message of Synced is %q, and has to contain that of the cloud, %q.", m.what, c.Message, m.message)
}

// judgeCondition requires a condition with that reason, and a LastTransitionTime that moves with Status alone.
func (m small) judgeCondition(t *conform.T, db, then *kit.Database, conditionType, reason string) {
	was, is := kit.FindCondition(db.Status.Conditions, conditionType), kit.FindCondition(then.Status.Conditions, conditionType)
	if reason == "" {
		t.Require(sameCondition(was, is), "%s. The condition %s has to stay as it was, %s, and is %s.", m.what, conditionType, told(was), told(is))
		return
	}
	status := kit.ConditionFalse
	if reason == available || reason == inSync {
		status = kit.ConditionTrue
	}
	t.Require(is != nil && is.Status == status && is.Reason == reason, "%s. The condition %s has to be %s, %s, and is %s.", m.what, conditionType, status, reason, told(is))
	t.Require(is.ObservedGeneration == db.Generation, "%s. ObservedGeneration of %s is %d, and the Database is at generation %d.", m.what, conditionType, is.ObservedGeneration, db.Generation)
	since := time.Now()
	if was != nil && was.Status == status {
		since = was.LastTransitionTime
	}
	t.Require(is.LastTransitionTime.Equal(since), "%s. %s was %s and is %s. Its LastTransitionTime is %v off.", m.what, conditionType, told(was), told(is), is.LastTransitionTime.Sub(since))
}

// sameCondition compares times as moments.
func sameCondition(a, b *kit.Condition) bool {
	if a == nil || b == nil {
		return a == b
	}
	at, copied := a.LastTransitionTime.Equal(b.LastTransitionTime), *a
	copied.LastTransitionTime = b.LastTransitionTime
	return at && copied == *b
}

// told is a condition in words, or that it is missing.
func told(c *kit.Condition) string {
	if c == nil {
		return "missing"
	}
	return fmt.Sprintf("%s, %s at generation %d", c.Status, c.Reason, c.ObservedGeneration)
}

// backup is a condition of somebody else.
var backup = kit.Condition{Type: "Backup", Status: kit.ConditionTrue, Reason: "Nightly", ObservedGeneration: 1}

// Edits of small worlds.

// both is two edits of a Database, one after the other.
func both(f, g func(db *kit.Database)) func(db *kit.Database) {
	return func(db *kit.Database) { f(db); g(db) }
}

// asAsked leaves what the cloud has as it is.
func asAsked(*kit.CloudDatabase) {}

// inState has the cloud be at that with what it has.
func inState(state kit.CloudState) func(has *kit.CloudDatabase) {
	return func(has *kit.CloudDatabase) { has.State = state }
}

// answers has the cloud answer some calls with an error.
func answers(code kit.CloudCode, verbs ...string) func(w *world) fake.CloudInterceptor {
	return func(w *world) fake.CloudInterceptor { return w.cloud.Answer(code, verbs...) }
}

// throttles has the cloud throttle some calls.
func throttles(wait time.Duration, verbs ...string) func(w *world) fake.CloudInterceptor {
	return func(w *world) fake.CloudInterceptor { return w.cloud.Throttle(wait, verbs...) }
}
