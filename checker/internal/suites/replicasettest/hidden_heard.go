package replicasettest

import (
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// checkHeardAnywhere has handlers that hear of events from within each call of a Reconcile on what
// Options has. There is one request for a pod in each, so that nobody else can let a lock go.
func checkHeardAnywhere(t *conform.T, s Subject) {
	for what, c := range map[string]struct {
		replicas int
		refused  error
	}{
		"a creation that succeeds":                        {3, nil},
		"a creation that is refused":                      {3, errRefused},
		"a deletion that succeeds":                        {1, nil},
		"a deletion that is refused":                      {1, errRefused},
		"a deletion that is not found":                    {1, kit.NewNotFound("pods", "shop/x")},
		"a creation in a namespace that is being deleted": {3, errTerminating},
	} {
		heard := func() {}
		w := build(t, s, func(w *world, o *Options) {
			o.PodCacheVersion = func() string { heard(); return w.podFeed.Cache.Version() }
			o.ReplicaSetCacheVersion = func() string { heard(); return w.setFeed.Cache.Version() }
		})
		heard = w.hearsOfOthers()
		owned := set("web", c.replicas)
		owned.OwnerReferences = []kit.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "uid-deployment", Controller: true}}
		rs := w.stands(owned)
		w.runs(rs, "a")
		w.runs(rs, "b")
		t.Note("from within each call of Reconcile on what Options has, the handlers hear of others that are gone. There is %s, and the status meets a Conflict", what)
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Annotations = map[string]string{"by": "a user"} })
		w.podFeed.Cache.OnLook(heard)
		w.setFeed.Cache.OnLook(heard)
		w.recorder.Then(heard)
		w.sets.Intercept(fake.After(func(*fake.Request) { heard() }))
		w.pods.Intercept(fake.After(func(*fake.Request) { heard() }), fake.Refuse(c.refused, fake.Create, fake.Delete))
		_, err := w.reconcile("web")
		fails := errors.Is(c.refused, errRefused)
		t.Require(fails == (err != nil), "The only request for a pod was %s, and the status met one Conflict, after which it can be written. Reconcile returned %s.", what, conform.Said(err))
	}
}

// hearsOfOthers returns a function that has both handlers hear of the end of others: of a ReplicaSet, and
// of a pod of another one, which the caches do not have. It does nothing while it is under way already.
func (w *world) hearsOfOthers() func() {
	db := w.stands(set("db", 0))
	n := 0
	return apart(func() {
		n++
		old := set(fmt.Sprintf("old-%d", n), 0)
		old.UID = "uid-of-" + old.Name
		w.onSets.OnDelete(old, false)
		p := kit.Pods.New()
		p.Namespace, p.Name, p.Labels, p.UID = namespace, fmt.Sprintf("gone-%d", n), labels("db"), fmt.Sprintf("uid-gone-%d", n)
		p.OwnerReferences = []kit.OwnerReference{ref(db)}
		w.onPods.OnDelete(p, false)
	})
}
