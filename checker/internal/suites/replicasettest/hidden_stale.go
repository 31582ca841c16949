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

	t.Note("the status is written, and the cache of ReplicaSets lags")
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.settled("web")
	w.podFeed.CatchUp()
	w.stale(s, "the status was written at a version that the cache of ReplicaSets has not reached")

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
}
