package operatortest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is about what is shared with everybody who reads a cache.

// roomy is a cache whose objects have slices with room behind the last element, as every slice has that
// somebody has appended to.
type roomy[T kit.Object] struct {
	kit.Indexer[T]
	give func(obj T) (wrote func() string)

	mu    sync.Mutex // guards what follows
	given map[any]func() string
}

func (c *roomy[T]) GetByKey(key string) (T, bool) {
	obj, exists := c.Indexer.GetByKey(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if exists && c.given[obj] == nil {
		c.given[obj] = c.give(obj)
	}
	return obj, exists
}

// wrote names a slice behind whose last element somebody has written; "" if there is none.
func (c *roomy[T]) wrote() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, wrote := range c.given {
		if what := wrote(); what != "" {
			return what
		}
	}
	return ""
}

// withRoom is a copy of a slice with room for two elements, and whether somebody has written there.
func withRoom[E comparable](s []E, mark E) (copied []E, written func() bool) {
	if len(s) == 0 {
		return s, func() bool { return false }
	}
	all := append(slices.Clone(s), mark, mark)
	return all[:len(s)], func() bool { return all[len(s)] != mark || all[len(s)+1] != mark }
}

func roomOfDatabase(db *kit.Database) func() string {
	var finalizers, conditions, owners func() bool
	db.Finalizers, finalizers = withRoom(db.Finalizers, "nobody")
	db.OwnerReferences, owners = withRoom(db.OwnerReferences, kit.OwnerReference{Name: "nobody"})
	db.Status.Conditions, conditions = withRoom(db.Status.Conditions, kit.Condition{Type: "nobody"})
	return func() string {
		switch {
		case finalizers():
			return "the finalizers of the Database " + kit.Key(db)
		case conditions():
			return "the conditions of the Database " + kit.Key(db)
		case owners():
			return "the owner references of the Database " + kit.Key(db)
		}
		return ""
	}
}

func roomOfSecret(secret *kit.Secret) func() string {
	var owners func() bool
	secret.OwnerReferences, owners = withRoom(secret.OwnerReferences, kit.OwnerReference{Name: "nobody"})
	data := map[string]func() bool{}
	for k, v := range secret.Data {
		secret.Data[k], data[k] = withRoom(v, 0xff)
	}
	return func() string {
		if owners() {
			return "the owner references of the Secret " + kit.Key(secret)
		}
		for k, written := range data {
			if written() {
				return fmt.Sprintf("the value of %q in the Secret %s", k, kit.Key(secret))
			}
		}
		return ""
	}
}

// withRoomyCaches has the subject read caches whose objects have room, and returns what requires that nobody has
// written to them during a Reconcile of web.
func withRoomyCaches() (edit func(w *world, o *Options), untouched func(w *world, what string)) {
	var dbs *roomy[*kit.Database]
	var secrets *roomy[*kit.Secret]
	edit = func(_ *world, o *Options) {
		dbs = &roomy[*kit.Database]{Indexer: o.DatabaseCache, give: roomOfDatabase, given: map[any]func() string{}}
		secrets = &roomy[*kit.Secret]{Indexer: o.SecretCache, give: roomOfSecret, given: map[any]func() string{}}
		o.DatabaseCache, o.SecretCache = dbs, secrets
	}
	return edit, func(w *world, what string) {
		fake.Untouched(w.t, "Reconcile(shop/web)", w.feed.dbs.Cache, w.feed.secrets.Cache)
		for _, wrote := range []string{dbs.wrote(), secrets.wrote()} {
			w.t.Require(wrote == "", "%sDuring Reconcile(shop/web) your code wrote into the array of a slice of an object from a cache, behind the last element: %s. Everybody who reads that cache gets the same array: make a DeepCopy before you append.", what, wrote)
		}
	}
}

func checkUntouched(t *conform.T, s Subject) {
	edit, untouched := withRoomyCaches()
	w := build(t, s, edit)
	w.dbs.Put(database("web", func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} }))
	w.secrets.Put(password("web-password", "secret"))
	step := func(d time.Duration) {
		w.catchUp()
		_, _ = w.reconcile("web")
		untouched(w, "")
		w.catchUp()
		time.Sleep(d)
	}
	refused := kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today")
	w.dbs.Intercept(refuse(refused))
	step(poll)
	w.dbs.Intercept(fake.Refuse(refused, fake.Status))
	step(poll)
	w.dbs.Intercept()
	for range 3 {
		step(creationTakes)
	}
	w.isReady("web", "the cloud has had the time that it needs")
	w.secrets.Change(key("web-connection"), puts("password", "hunter2"))
	step(poll)
	w.cloud.Intercept(w.cloud.Answer(kit.CloudUnavailable))
	step(poll)
	w.cloud.Intercept()
	w.dbs.Drop(key("web"))
	for range 3 {
		step(deletionTakes)
	}
	t.Require(len(w.cloud.Names()) == 0, "The Database was deleted, and the cloud still has %s.", conform.Listed(w.cloud.Names()))
}

// checkUntouchedInSmallWorlds has one Reconcile in each small world that there is.
func checkUntouchedInSmallWorlds(t *conform.T, s Subject) {
	for _, m := range slices.Concat(modifications, settlings, stucks, losses, failures(), endings(), strangersWorlds(), connections, overtaken) {
		t.Note("a small world: %s", m.what)
		edit, untouched := withRoomyCaches()
		w, _ := m.build(t, s, nil, edit)
		_, _ = w.reconcile("web")
		untouched(w, m.what+". ")
	}
}
