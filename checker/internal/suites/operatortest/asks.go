package operatortest

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what cases require of a world. Why is always half a sentence.

// says requires a condition with that status and reason, and returns it.
func (w *world) says(name, conditionType string, status kit.ConditionStatus, reason, why string, args ...any) kit.Condition {
	db := w.dbs.Now(key(name))
	w.t.Require(db != nil, "There should be a Database %s: %s.", key(name), fmt.Sprintf(why, args...))
	c := kit.FindCondition(db.Status.Conditions, conditionType)
	w.t.Require(c != nil, "The Database %s has no condition %s, and it should be %s, %s: %s.", key(name), conditionType, status, reason, fmt.Sprintf(why, args...))
	w.t.Require(c.Status == status && c.Reason == reason, "The condition %s of %s is %s, %s, and should be %s, %s: %s.",
		conditionType, key(name), c.Status, c.Reason, status, reason, fmt.Sprintf(why, args...))
	return *c
}

// isReady requires that a Database is available and in sync, in the cloud and by what it says.
func (w *world) isReady(name, why string, args ...any) {
	db := w.dbs.Now(key(name))
	w.t.Require(db != nil, "There should be a Database %s: %s.", key(name), fmt.Sprintf(why, args...))
	has, _, exists := w.cloud.Now(cloudName(db))
	w.t.Require(exists, "The cloud has no database %s, and should have one: %s.", cloudName(db), fmt.Sprintf(why, args...))
	w.t.Require(has.State == kit.CloudAvailable, "The State of %s in the cloud is %q, and should be %q: %s.", has.Name, has.State, kit.CloudAvailable, fmt.Sprintf(why, args...))
	for _, c := range []kit.Condition{w.says(name, ready, kit.ConditionTrue, available, why, args...), w.says(name, synced, kit.ConditionTrue, inSync, why, args...)} {
		w.t.Require(c.ObservedGeneration == db.Generation, "ObservedGeneration of the condition %s of %s is %d, and the Database is at generation %d: %s.", c.Type, key(name), c.ObservedGeneration, db.Generation, fmt.Sprintf(why, args...))
	}
	w.t.Require(db.Status.Endpoint == has.Endpoint, "The Endpoint in the status of %s is %q, and that of the cloud is %q: %s.", key(name), db.Status.Endpoint, has.Endpoint, fmt.Sprintf(why, args...))
}

// isConnected requires that the Secret with the connection says what it should.
func (w *world) isConnected(name, text, why string) {
	db := w.dbs.Now(key(name))
	secret := w.secrets.Now(connection(db))
	w.t.Require(secret != nil, "There should be a Secret %s: %s.", connection(db), why)
	want := map[string]string{"endpoint": db.Status.Endpoint, "password": text}
	got := map[string]string{}
	for k, v := range secret.Data {
		got[k] = string(v)
	}
	w.t.Same(want, got, "The Data of the Secret %s is wrong: %s", connection(db), why)
	wrong := amiss(secret.OwnerReferences, db)
	w.t.Require(wrong == "", "The Secret %s should have one owner reference, to the Database %s, which is its controller: %s.", connection(db), key(name), wrong)
}

// isGone requires that nothing is left of a Database.
func (w *world) isGone(db *kit.Database, why string, args ...any) {
	has, _, exists := w.cloud.Now(cloudName(db))
	w.t.Require(!exists || has.Owner != cluster+"/"+db.UID, "The cloud still has %s, %s: %s.", has.Name, has.State, fmt.Sprintf(why, args...))
	now := w.dbs.Now(kit.Key(db))
	w.t.Require(now == nil || now.UID != db.UID, "The Database %s is still there: %s.", kit.Key(db), fmt.Sprintf(why, args...))
}

// called requires so many calls of these verbs since the last forget.
func (w *world) called(want int, verb, why string, args ...any) {
	got := w.cloud.Calls(verb)
	w.t.Require(len(got) == want, "%s was called %s (%s), and should have been called %d: %s.", verb, times(len(got)), listed(got), want, fmt.Sprintf(why, args...))
}

// calledLast requires that the cloud was called no more after a verb. Why is the sentence that says how that call ended.
func (w *world) calledLast(verb, why string, args ...any) {
	calls := w.cloud.Calls()
	w.t.Require(calls[len(calls)-1].Verb == verb, "%s, and after that the cloud was called again in the same Reconcile: %s.", fmt.Sprintf(why, args...), listed(calls))
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// quiet requires that nothing was written since the last forget, to the API server or the cloud.
func (w *world) quiet(why string, args ...any) {
	for _, q := range w.server.Requests() {
		reads := q.Verb == fake.Get || q.Verb == fake.List
		w.t.Require(reads, "Reconcile has asked the API server to %s %s %s: %s.", q.Verb, q.Resource, q.Key, fmt.Sprintf(why, args...))
	}
	written := w.cloud.Calls(create, modify, remove)
	w.t.Require(len(written) == 0, "Reconcile has called the cloud to write (%s): %s.", listed(written), fmt.Sprintf(why, args...))
}

// forget starts to count requests and calls anew.
func (w *world) forget() {
	w.server.Forget()
	w.cloud.Forget()
	w.woken()
}

// lastRefusal says how the last Update of a Database was refused, as a sentence with a space before it; "" if it was not.
func (w *world) lastRefusal() string {
	asked := w.dbs.Requests(fake.Update)
	if len(asked) == 0 || asked[len(asked)-1].Err == nil {
		return ""
	}
	return fmt.Sprintf(" The API server refused the last Update of the Database: %s.", conform.Said(asked[len(asked)-1].Err))
}

// isOf requires that an error is that of the cloud, wrapped or not. What has happened is half a sentence.
func (w *world) isOf(err error, code kit.CloudCode, what string, args ...any) {
	what = fmt.Sprintf(what, args...)
	w.t.Require(err != nil, "%s, and Reconcile returned nil. It should return the error of the cloud.", what)
	got := kit.CloudCodeOf(err)
	w.t.Require(got != "", "%s, and Reconcile returned the error %q, in which errors.As finds no kit.CloudError. It should return the error of the cloud, as it is or wrapped with %%w.", what, err)
	w.t.Require(got == code, "%s, and Reconcile returned the error %q, with the code %s. It should return the error of the cloud.", what, err, got)
	w.t.Require(!kit.IsTerminal(err), "%s, and Reconcile returned the error %q as a kit.TerminalError: nobody tries again.", what, err)
}

// comesAgain says whether a Reconcile is called again soon: it has returned an error, or asks for it within Poll.
func (w *world) comesAgain(result kit.Result, err error) bool {
	return err != nil || result.Requeue || result.RequeueAfter > 0 && result.RequeueAfter <= w.poll
}

// within requires that a Result asks to come again in a span of time.
func (w *world) within(result kit.Result, above, most time.Duration, why string, args ...any) {
	got := result.RequeueAfter
	w.t.Require(got > above && got <= most, "Reconcile returned RequeueAfter %v, and it should be greater than %v and at most %v: %s.", got, above, most, fmt.Sprintf(why, args...))
}

func (w *world) waits(result kit.Result, why string, args ...any) {
	got, least := result.RequeueAfter, w.poll/4
	w.t.Require(got >= least && got <= w.poll, "Reconcile returned RequeueAfter %v, and it should be at least %v, which is a quarter of Poll, and at most %v: %s.", got, least, w.poll, fmt.Sprintf(why, args...))
}

func (w *world) rests(result kit.Result, why string, args ...any) {
	w.within(result, w.poll, w.resync, why, args...)
}

// news is a row of events, each of which has to wake certain Databases or nobody.
type news struct {
	w *world
	*conform.Row
}

// wakes lets the caches take in an event, and looks at what was enqueued for it.
func (n news) wakes(what string, want ...string) {
	n.w.catchUp()
	n.Lists(what, "enqueued", n.w.woken(), want)
}

// judged requires that each event woke whom it should have.
func (n news) judged() { n.Judge("the handlers enqueued the wrong Databases") }

// refuse answers every write with err.
func refuse(err error) fake.Interceptor {
	return fake.Refuse(err, fake.Create, fake.Update, fake.Status, fake.Delete)
}

// edit changes the spec of web.
func edit(w *world, f func(spec *kit.DatabaseSpec)) {
	w.dbs.Change(key("web"), func(db *kit.Database) { f(&db.Spec) })
}
