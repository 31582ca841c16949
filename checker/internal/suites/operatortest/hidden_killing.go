package operatortest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// killing is about operators that die, and about everything at once.
var killing = []conform.Case[Subject]{
	{
		Name:   "killed-anywhere",
		Long:   true,
		Points: 8,
		Func:   "DatabaseReconciler.Reconcile",
		Look:   conform.Anywhere,
		Rule:   "Kill the operator at any request or call, before it is carried out or before it is answered, and start another: the end is the same, nothing exists twice and nothing is left over.",
		Why:    "Processes are killed by deployments, drained nodes and memory limits, and not between two Reconciles.",
		Hint: []string{
			"What does your operator know at that moment that stands nowhere but in its memory?",
			"Say aloud, for each line that writes: if this is the last one that is carried out, who does the next one, and how do they know?",
		},
		Source: "ack#2062, where an operator that was interrupted created everything again; crossplane-runtime#340; the contract of this lab",
		Contract: []string{
			"What it must not forget stands in the API server or in the cloud: it may be killed at any moment, and then a new one goes on.",
			"DatabaseReconciler sees to it that the cloud has a database for each Database, and none for those that are gone.",
		},
		Check: func(t *conform.T, open func() Subject) { checkKilled(t, open) },
	},
	{
		Name:   "any-weather-same-end",
		Long:   true,
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Look:   conform.Anywhere,
		Rule:   "Whatever lags, fails, is throttled, killed, changed or deleted: no call is made that no Database accounts for, and in the end each Database has its database, and the cloud has no other.",
		Why:    "Somebody's cloud finds the combination.",
		Hint: []string{
			"This is the shortest failing history that was found. What had the cache, and what had GetDatabase shown when your Reconcile decided?",
			"If it stands still at the end: what was the last Result, and who should have come again?",
		},
		Source: "model-based testing; the contract of this lab",
		Contract: []string{
			"DatabaseReconciler sees to it that the cloud has a database for each Database, and none for those that are gone.",
			"Get may show how things stood up to CloudLag ago",
			"What is not ours is never modified and never deleted.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 200, func(rt *rapid.T, t *conform.T) { newStorm(rt, t, open()).play() })
		},
	},
}

var errKilled = errors.New("the operator was killed")

// reaper kills an operator at one of its requests and calls. An operator may make several at a time.
type reaper struct {
	w      *world
	answer bool // it is carried out, and the answer is lost

	mu       sync.Mutex // guards what follows
	at       int        // which one of those that count
	counted  int
	requests int
	dead     bool
}

// between stands before each request and each call. A read does not count where the answer is lost: nothing was
// carried out, so all is as if the operator had been killed before it.
func (k *reaper) between(what string, reads bool, next func() error) error {
	k.mu.Lock()
	dead := k.dead
	k.requests++
	number := k.requests
	counts := !reads || !k.answer
	if counts {
		k.counted++
	}
	kill := !dead && counts && k.counted == k.at
	if kill {
		k.dead = true
		k.w.befell = fmt.Sprintf(". The operator had been killed at its request number %d, %s; carried out: %t. Another one had gone on. Without a kill the same life ended well", number, what, k.answer)
	}
	k.mu.Unlock()
	switch {
	case dead:
		return errKilled
	case !kill:
		return next()
	case k.answer:
		_ = next()
	}
	k.w.t.Note("the operator is killed at its request number %d, %s; carried out: %t", number, what, k.answer)
	return errKilled
}

func (k *reaper) killed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dead
}

// goesOn has nobody killed from now on.
func (k *reaper) goesOn() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dead, k.at = false, 0
}

// watches puts the reaper before everything that the operator asks for.
func (k *reaper) watches() {
	requests := func(_ context.Context, q *fake.Request, next func() error) error {
		return k.between(string(q.Verb)+" "+q.Resource, q.Verb == fake.Get || q.Verb == fake.List, next)
	}
	k.w.dbs.Intercept(requests)
	k.w.secrets.Intercept(requests)
	k.w.cloud.Intercept(func(_ context.Context, c *fake.CloudCall, next func() error) error {
		return k.between(c.Verb, c.Verb == get, next)
	})
}

// drive is drive of the world, with a new operator when this one is killed.
func (k *reaper) drive(s Subject, d time.Duration, bereft func()) {
	end := time.Now().Add(d)
	k.w.driveWhile(d, func() bool { return !k.killed() })
	if !k.killed() {
		return
	}
	k.w.dbs.Intercept()
	k.w.secrets.Intercept()
	k.w.cloud.Intercept()
	k.goesOn()
	bereft()
	k.w.starts(s, rarely)
	k.w.drive(time.Until(end) + resync)
}

// rarely makes polls rare, so that a life has not too many requests.
func rarely(_ *world, o *Options) { o.Poll = 2 * time.Minute }

func checkKilled(t *conform.T, open func() Subject) {
	const never = 0
	t.Virtual(func(t *conform.T) { liveOnce(t, open(), never, false, false) })
	for _, answer := range []bool{false, true} {
		for _, deleted := range []bool{false, true} {
			for at := 1; ; at++ {
				killed := false
				t.Virtual(func(t *conform.T) { killed = liveOnce(t, open(), at, answer, deleted) })
				if !killed {
					break
				}
			}
		}
	}
}

// liveOnce lives the life of a Database, in which the operator is killed once: at its request
// number at, if that is not 0. With deleted the Database is deleted before there is another
// operator. It returns false if there were not so many requests, or not before the Database is deleted anyway: who is
// killed after that is killed in the lives without deleted.
func liveOnce(t *conform.T, s Subject, at int, answer, deleted bool) bool {
	w := build(t, s, rarely)
	w.cloud.Behind(20 * time.Second)
	k := &reaper{w: w, at: at, answer: answer}
	k.watches()
	db := w.stands("web")
	dropped := false
	bereft := func() {
		if now := w.dbs.Now(key("web")); deleted && now != nil && now.DeletionTimestamp == nil {
			dropped = true
			w.dbs.Drop(key("web"))
		}
	}
	for _, step := range []func(){
		func() {},
		func() { w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 }) },
		func() {
			w.secrets.Change(key("web-password"), puts("password", "another"))
		},
	} {
		if dropped {
			break
		}
		step()
		k.drive(s, creationTakes+10*time.Minute, bereft)
		if !dropped {
			alive(w, db)
		}
	}
	switch {
	case dropped:
	case deleted:
		return false
	default:
		w.dbs.Drop(key("web"))
	}
	k.drive(s, deletionTakes+creationTakes+2*resync, func() {})
	w.isGone(db, "the Database was deleted%s", w.befell)
	t.Require(len(w.cloud.Names()) == 0, "The only Database was deleted, and the cloud still has %s%s.", conform.Listed(w.cloud.Names()), w.befell)
	w.sound()
	return k.at == 0
}

// alive requires that everything is as it should be, whatever has happened.
func alive(w *world, db *kit.Database) {
	why := "ten minutes had passed since the last change" + w.befell
	w.isReady("web", "%s", why)
	now := w.dbs.Now(key("web"))
	has, secret, _ := w.cloud.Now(cloudName(db))
	want := string(w.secrets.Now(key("web-password")).Data["password"])
	w.t.Require(has.Size == now.Spec.Size && secret == want, "The database is %s, with the password %q. The spec asks for %d GiB, and the password is %q: %s.", fake.ShowCloudDatabase(has), secret, now.Spec.Size, want, why)
	w.isConnected("web", want, why)
	w.t.Require(len(w.cloud.Names()) == 1 && w.cloud.Created(cloudName(db)) == 1, "The cloud has %s, and %s was created %s: %s.", conform.Listed(w.cloud.Names()), cloudName(db), times(w.cloud.Created(cloudName(db))), why)
	w.t.Require(now.Status.ObservedGeneration == now.Generation, "ObservedGeneration is %d, and the Database is at generation %d: %s.", now.Status.ObservedGeneration, now.Generation, why)
	w.sound()
}

// storm is a script that is made up: some Databases, and all that can happen to them.
type storm struct {
	*world
	t  *conform.T
	rt *rapid.T
	s  Subject
}

var stormed = []string{"web", "api"}

func newStorm(rt *rapid.T, t *conform.T, s Subject) *storm {
	m := &storm{rt: rt, t: t, s: s, world: build(t, s, often)}
	for _, name := range stormed {
		m.stands(name)
	}
	return m
}

// often makes an operator look often, so that a storm has an end soon, and not much more often than that: what is
// in sync may come again as soon as Poll is over.
func often(_ *world, o *Options) { o.Poll, o.Resync = time.Minute, 2*time.Minute }

// draw is a number from 0 to most.
func (m *storm) draw(what string, most int) int { return rapid.IntRange(0, most).Draw(m.rt, what) }

func (m *storm) play() {
	for range 10 + m.draw("steps", 25) {
		m.step()
		m.sound()
	}
	m.cloud.Intercept()
	m.dbs.Intercept()
	m.secrets.Intercept()
	m.t.Note("from here on nothing fails and nothing lags")
	m.cloud.Behind(0)
	m.drive(30 * time.Minute)
	expected := 0
	for _, name := range stormed {
		if db := m.dbs.Now(key(name)); db != nil {
			expected++
			m.isReady(name, "nothing fails or lags any longer")
			has, secret, _ := m.cloud.Now(cloudName(db))
			want := string(m.secrets.Now(key(name + "-password")).Data["password"])
			m.t.Require(has.Size == db.Spec.Size && secret == want, "In the end the database of %s is %s, with the password %q. The spec asks for %d GiB, and the password is %q.", key(name), fake.ShowCloudDatabase(has), secret, db.Spec.Size, want)
			m.isConnected(name, want, "nothing fails or lags any longer")
		}
	}
	got := m.cloud.Names()
	m.t.Require(len(got) == expected, "In the end there are %s, and the cloud has %s.", conform.Some(expected, "Database"), conform.Listed(got))
	m.forget()
	m.drive(2 * m.resync)
	m.quiet("everything is as it should be, and nothing has happened")
}

// step is one thing that happens.
func (m *storm) step() {
	steps := []func(){
		m.work, m.work, m.work, m.pass, m.pass, m.resize, m.rotate, m.drop, m.back, m.weather, m.refusals, m.kill, m.tamper,
		func() { m.feed.dbs.Deliver(1 + m.draw("database events", 3)) },
		func() { m.feed.secrets.Deliver(1 + m.draw("secret events", 3)) },
		m.catchUp,
	}
	steps[m.draw("step", len(steps)-1)]()
}

// pick is a name.
func (m *storm) pick() string { return stormed[m.draw("name", len(stormed)-1)] }

// work reconciles once, in the caches as they are.
func (m *storm) work() { m.once(kit.Request{Namespace: namespace, Name: m.pick()}) }

// pass lets time pass, in which a controller does its work.
func (m *storm) pass() { m.drive(time.Duration(1+m.draw("minutes", 5)) * time.Minute) }

func (m *storm) resize() {
	if name := m.pick(); m.dbs.Now(key(name)) != nil {
		m.dbs.Change(key(name), func(db *kit.Database) { db.Spec.Size = 10 + m.draw("size", 3) })
	}
}

func (m *storm) rotate() {
	m.secrets.Change(key(m.pick()+"-password"), puts("password", fmt.Sprintf("secret %d", m.draw("password", 3))))
}

func (m *storm) drop() {
	if name := m.pick(); m.dbs.Now(key(name)) != nil {
		m.dbs.Drop(key(name))
	}
}

// back makes a Database again that is gone. The garbage collector has been there.
func (m *storm) back() {
	if name := m.pick(); m.dbs.Now(key(name)) == nil {
		m.secrets.Remove(key(name + "-connection"))
		m.dbs.Put(database(name))
	}
}

// weather is how the cloud is from now on.
func (m *storm) weather() {
	c := m.cloud
	all := []struct {
		what string
		is   []fake.CloudInterceptor
	}{
		{"answers", nil},
		{"is down", []fake.CloudInterceptor{c.Answer(kit.CloudUnavailable)}},
		{"throttles", []fake.CloudInterceptor{c.Throttle(time.Minute, create, get, modify, remove)}},
		{"loses the answers of creations", []fake.CloudInterceptor{c.Lose(create)}},
		{"loses the answers of modifications", []fake.CloudInterceptor{c.Lose(modify)}},
		{"loses the answers of deletions", []fake.CloudInterceptor{c.Lose(remove)}},
		{"refuses modifications", []fake.CloudInterceptor{c.Answer(kit.CloudInvalid, modify)}},
		{"can only be read", []fake.CloudInterceptor{c.Answer(kit.CloudUnavailable, create, modify, remove)}},
	}
	now := all[m.draw("weather", len(all)-1)]
	m.t.Note("from now on the cloud %s", now.what)
	c.Intercept(now.is...)
	c.Behind([]time.Duration{0, 10 * time.Second, kit.CloudLag}[m.draw("lag", 2)])
}

// refusals are what the API server refuses from now on.
func (m *storm) refusals() {
	verb := []fake.Verb{"", fake.Create, fake.Update, fake.Status, fake.Get}[m.draw("verb", 4)]
	m.t.Note("requests that the API server refuses from now on: %q", verb)
	m.dbs.Intercept()
	m.secrets.Intercept()
	if verb != "" {
		refused := fake.Refuse(kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today"), verb)
		m.dbs.Intercept(refused)
		m.secrets.Intercept(refused)
	}
}

// kill kills the operator between two Reconciles, and starts another.
func (m *storm) kill() {
	m.t.Note("the operator is killed, and another one is started")
	m.starts(m.s, often)
}

// tamper changes something in the cloud behind everybody's back.
func (m *storm) tamper() {
	db := m.dbs.Now(key(m.pick()))
	if db == nil {
		return
	}
	if has, _, exists := m.cloud.Now(cloudName(db)); !exists || has.State != kit.CloudAvailable {
		return
	}
	if m.draw("gone", 2) == 0 {
		m.cloud.Vanish(cloudName(db))
		return
	}
	m.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.Size = 1 })
}
