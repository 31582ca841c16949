package operatortest

import (
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is about what the API server refuses or has changed, one request at a time.

// refusal is a small world and the request that the API server refuses in it.
type refusal struct {
	small
	resource string
	verbs    []fake.Verb
}

// is reports whether q is the request.
func (m refusal) is(q *fake.Request) bool {
	return q.Resource == m.resource && slices.Contains(m.verbs, q.Verb)
}

var refusals = []refusal{
	{small{what: "The finalizer has to be written", db: func(db *kit.Database) { db.Finalizers = nil }}, "databases", []fake.Verb{fake.Update}},
	{small{what: "The Database has to be read before CreateDatabase"}, "databases", []fake.Verb{fake.Get, fake.Update}},
	{small{what: "The status has to be written", has: asAsked}, "databases", []fake.Verb{fake.Status}},
	{small{what: "The connection has to be created", has: asAsked}, "secrets", []fake.Verb{fake.Create}},
	{small{what: "The connection has to be put right", has: asAsked, before: hasConnection("hunter2")}, "secrets", []fake.Verb{fake.Update}},
	{small{what: "The finalizer has to be taken off", dropped: true}, "databases", []fake.Verb{fake.Update}},
}

// checkRefusals has the API server refuse each request once, for several reasons. After that it refuses nothing.
func checkRefusals(t *conform.T, s Subject) {
	for _, m := range refusals {
		for _, reason := range []kit.Reason{kit.ReasonInternalError, kit.ReasonInvalid, kit.ReasonTooManyRequests, kit.ReasonTimeout} {
			w, db := m.build(t, s, nil)
			refuse := fake.Before(func(q *fake.Request) error {
				if m.is(q) {
					return kit.NewStatusError(reason, "not now")
				}
				return nil
			})
			w.dbs.Intercept(refuse)
			w.secrets.Intercept(refuse)
			_, err := w.reconcile("web")
			w.sound()
			t.Require(kit.ReasonFor(err) == reason, "%s, and the API server refuses that: %s. Reconcile returned %s. Errors of the API server are returned.", m.what, reason, conform.Said(err))
			c := kit.FindCondition(w.dbs.Now(key("web")).Status.Conditions, synced)
			t.Require(c == nil || c.Reason != cloudError, "%s, and the API server refuses that: %s. Synced is %s, and no call of the cloud has failed.", m.what, reason, told(c))
			created := w.cloud.Created(cloudName(db))
			t.Require(created == 0, "%s, and the API server refuses that: %s. CreateDatabase was called.", m.what, reason)
			w.dbs.Intercept()
			w.secrets.Intercept()
			w.drive(creationTakes + 2*poll)
			if !m.dropped {
				w.isReady("web", "%s, and the API server had refused that once", strings.ToLower(m.what[:1])+m.what[1:])
			}
		}
	}
}

// checkBothFail has a call of the cloud fail, and then the write of the status.
func checkBothFail(t *conform.T, s Subject) {
	for _, reason := range []kit.Reason{kit.ReasonInternalError, kit.ReasonConflict, kit.ReasonNotFound} {
		w, _ := small{has: asAsked, cloud: answers(kit.CloudUnavailable, get)}.build(t, s, nil)
		w.dbs.Intercept(fake.Refuse(kit.NewStatusError(reason, "not now"), fake.Status))
		_, err := w.reconcile("web")
		w.isOf(err, kit.CloudUnavailable, "GetDatabase answers %s, and the API server refuses the status: %s", kit.CloudUnavailable, reason)
	}
}

// checkConflictForEver has each write of the status be a Conflict.
func checkConflictForEver(t *conform.T, s Subject) {
	w, _ := small{has: asAsked}.build(t, s, nil)
	w.dbs.Intercept(fake.Refuse(kit.NewStatusError(kit.ReasonConflict, "the object has been modified"), fake.Status))
	result, err := w.reconcile("web")
	t.Require(w.comesAgain(result, err), "Each write of the status is a Conflict. Reconcile returned no error and RequeueAfter %v. It should return the error, or come again within Poll, %v.", result.RequeueAfter, w.poll)
}

// checkReadsFail has each write be a Conflict, and refuses what is read after that.
func checkReadsFail(t *conform.T, s Subject) {
	for _, m := range refusals {
		if slices.Contains(m.verbs, fake.Get) {
			continue // it is read there in any case
		}
		w, _ := m.build(t, s, nil)
		read := false
		answer := fake.Before(func(q *fake.Request) error {
			switch {
			case q.Verb == fake.Get || q.Verb == fake.List:
				read = true
				return kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today")
			case !m.is(q):
				return nil
			case q.Verb == fake.Create:
				return kit.NewStatusError(kit.ReasonAlreadyExists, "there is one of that name")
			}
			return kit.NewStatusError(kit.ReasonConflict, "the object has been modified")
		})
		w.dbs.Intercept(answer)
		w.secrets.Intercept(answer)
		result, err := w.reconcile("web")
		w.sound()
		t.Require(w.comesAgain(result, err), "%s, and a cache was behind. Reconcile returned no error and RequeueAfter %v. It should return the error, or come again within Poll, %v.", m.what, result.RequeueAfter, w.poll)
		t.Require(!read || err != nil, "%s, and a cache was behind. Then Reconcile read from the API server, which refused that with an InternalError, and returned nil. Errors of the API server are returned.", m.what)
	}
}

// checkOneIsThrottled has the cloud throttle a call for one Database, and not for another one.
func checkOneIsThrottled(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web", finalized)
	w.stands("other", finalized)
	w.cloud.Intercept(w.cloud.Throttle(time.Hour, get))
	w.settled("web", "too many calls are no failure")
	w.cloud.Intercept()
	w.forget()
	w.settled("other", "nothing has failed")
	w.called(1, get, "a call was throttled before, for another Database, which says nothing of this one")
	w.called(1, create, "the cloud has no database of other")
}

// checkThrottledConflict has a call be throttled, and what is written of the status meanwhile be a Conflict.
func checkThrottledConflict(t *conform.T, s Subject) {
	for _, verb := range []string{get, modify} {
		w, _ := small{has: smaller, cloud: throttles(time.Hour, verb)}.build(t, s, nil)
		w.dbs.Intercept(fake.Refuse(kit.NewStatusError(kit.ReasonConflict, "the object has been modified"), fake.Status))
		result, err := w.reconcile("web")
		t.Require(err == nil, "%s was throttled, each write of the status is a Conflict, and Reconcile returned %s. Too many calls are no failure, and of the status only another error than a Conflict may be returned.", verb, conform.Said(err))
		w.within(result, time.Hour-1, time.Hour+w.poll, "%s was throttled, with RetryAfter %v, and each write of the status is a Conflict", verb, time.Hour)
	}
}

// checkNotInTheCache has Databases that the cache does not have.
func checkNotInTheCache(t *conform.T, s Subject) {
	w := build(t, s)
	w.dbs.Put(database("web", finalized))
	w.secrets.Put(password("web-password", "secret of web"))
	t.Note("the Database web is there, and the cache has not heard of it")
	for _, name := range []string{"web", "nobody"} {
		w.forget()
		result, err := w.reconcile(name)
		t.Require(err == nil, "DatabaseCache does not have %s, and Reconcile returned %s. There is nothing to do, and that is no error.", key(name), conform.Said(err))
		t.Require(result == (kit.Result{}), "DatabaseCache does not have %s, and Reconcile wants to come again after %v. There is nothing to do.", key(name), result.RequeueAfter)
		asked, calls := len(w.server.Requests()), len(w.cloud.Calls())
		t.Require(asked+calls == 0, "DatabaseCache does not have %s, and Reconcile has made %s to the API server and %s of the cloud. There is nothing to do.", key(name), conform.Count(asked, "request"), conform.Count(calls, "call"))
	}
}

// checkOneSpec has the cache show another spec than the API server when a database is created. Either may be acted on,
// and not some of each.
func checkOneSpec(t *conform.T, s Subject) {
	w := build(t, s)
	w.secrets.Put(password("second", "another secret"))
	db := w.stands("web", finalized)
	edit(w, func(spec *kit.DatabaseSpec) { spec.Engine, spec.Size, spec.PasswordSecret = "mysql", 20, "second" })
	t.Note("the whole spec is another one by now, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	calls := w.cloud.Calls(create)
	t.Require(len(calls) == 1, "The spec that the cache shows is not the newest, which does not matter, and CreateDatabase was called %s.", times(len(calls)))
	got := calls[0].Spec
	old := kit.CloudSpec{Engine: "postgres", Size: 10, Password: "secret of web", PasswordVersion: w.secrets.Now(key("web-password")).ResourceVersion}
	now := kit.CloudSpec{Engine: "mysql", Size: 20, Password: "another secret", PasswordVersion: w.secrets.Now(key("second")).ResourceVersion}
	t.Require(got == old || got == now, "The cache shows an older spec than the API server. CreateDatabase was called with %+v, and should have been with %+v or with %+v.", got, old, now)
	acted := map[bool]int64{true: 1, false: 2}[got == old]
	status := w.dbs.Now(kit.Key(db)).Status
	if status.ObservedGeneration != 0 {
		t.Require(status.ObservedGeneration == acted, "The database was created as generation %d asks, and ObservedGeneration in the status is %d.", acted, status.ObservedGeneration)
	}
	for _, c := range status.Conditions {
		t.Require(c.ObservedGeneration == acted, "The database was created as generation %d asks, and ObservedGeneration of the condition %s is %d.", acted, c.Type, c.ObservedGeneration)
	}
}
