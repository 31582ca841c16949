package replicasettest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkOwnWrites(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.server.SkipTo(6)
	w.pods.Intercept(fake.After(func(q *fake.Request) {
		if q.Answer != nil && q.Answer.GetResourceVersion() == "9" {
			time.Sleep(time.Second) // of the two pods of the second batch this one is answered last
		}
	}))
	rs := w.stands(set("web", 3)) // version 7; pods from 8 on
	w.settled("web")
	require.Equal(t, 3, w.created(), "The ReplicaSet asks for three pods, has none, and another number was created.")
	w.setFeed.CatchUp()
	w.podFeed.Deliver(2) // up to version 9, the third pod is 10
	for range 3 {
		time.Sleep(6 * time.Minute)
		w.stale(s, "the cache of pods is at version 9, and a pod was written at version 10")
	}
	w.catchUp()
	w.settled("web")
	w.setFeed.CatchUp()
	w.settled("web")
	require.Zero(t, w.created(), "The caches have caught up with three pods, and more were created.")
	w.ownStatus(t, s, rs)

	t.Note("the ReplicaSet is deleted and made again, and the cache of pods lags")
	w.catchUp()
	w.settled("web")
	w.catchUp()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 4 })
	w.catchUp()
	w.settled("web")
	w.sets.Remove(key("web"))
	w.sets.Put(set("web", 3))
	w.setFeed.CatchUp()
	w.settled("web")
	checkNobodyKnows(t, s)
}

// ownStatus has the cache of ReplicaSets lag behind two writes of the status.
func (w *world) ownStatus(t *conform.T, s Subject, rs *kit.ReplicaSet) {
	t.Note("the status is written, and the cache of ReplicaSets lags")
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.settled("web")
	w.podFeed.CatchUp()
	w.stale(s, "the status was written at a version that the cache of ReplicaSets has not reached")

	t.Note("the status meets a conflict and is written at a later version")
	w.catchUp()
	w.settled("web")
	w.catchUp()
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Annotations = map[string]string{"by": "a user"} })
	w.settled("web")
	w.podFeed.CatchUp()
	w.setFeed.Deliver(1) // what the user has written, and not the status
	w.stale(s, "the status was written after a conflict, at a version that the cache of ReplicaSets has not reached")
}

// stale demands that Reconcile sees that it is blind.
func (w *world) stale(s Subject, why string) {
	w.server.Forget()
	_, err := w.reconcile("web")
	require.ErrorIs(w.t, err, s.ErrStaleCache, "Reconcile did not return ErrStaleCache: %s.", why)
	require.Zero(w.t, w.changes(), "Reconcile has returned ErrStaleCache, and has written something nevertheless.")
}

// checkNobodyKnows has functions that know nothing, or the one and not the other.
func checkNobodyKnows(t *conform.T, s Subject) {
	for _, answer := range []string{"", "unknown"} {
		w := build(t, s, func(_ *world, o *Options) {
			o.PodCacheVersion = func() string { return answer }
			o.ReplicaSetCacheVersion = o.PodCacheVersion
		})
		w.stands(set("web", 3))
		w.settled("web")
		w.settled("web")
		require.Equal(t, 3, w.created(), "Where versions say nothing, expectations have to do.")
	}
	w := build(t, s, versions, func(_ *world, o *Options) { o.ReplicaSetCacheVersion = nil })
	w.stands(set("web", 1))
	w.settled("web")
	w.podFeed.CatchUp()
	w.settled("web")
	checkAskedBeforeRead(t, s)
}

// checkAskedBeforeRead has a cache that catches up at the moment in which it is asked for its
// version. What was read from it before is older than that.
func checkAskedBeforeRead(t *conform.T, s Subject) {
	w := build(t, s, versions, func(w *world, o *Options) {
		o.ReplicaSetCacheVersion = func() string {
			w.setFeed.Cache.Store(w.sets.Now(key("web")))
			return w.setFeed.Cache.Version()
		}
	})
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.settled("web")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 3 })
	t.Note("the cache of ReplicaSets catches up when it is asked for its version")
	w.settled("web")
	require.Equal(t, 2, w.created(), "The cache was asked for its version and then has a ReplicaSet of three pods, of which two are missing. Another number was created: the ReplicaSet was read before.")
}
