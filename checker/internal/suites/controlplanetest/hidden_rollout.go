package controlplanetest

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkUnhealthy(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "3", "2", "a"))
	w.broken["bad"] = true
	w.settle()
	w.forget()
	w.roll("bad")
	w.settle()
	require.Equal(t, 8, w.of("a").Spec.Replicas, "The new pods never become available, and as many of the old ones as must be available are not what is left.")
	require.Equal(t, 5, w.of("bad").Spec.Replicas, "The new ReplicaSet does not fill the room that replicas + surge leave.")
	w.roll("good")
	for range 10 {
		w.follow()
		w.reconcile()
		w.follow()
		if w.of("bad").Spec.Replicas < 5 {
			break
		}
		w.obey()
		time.Sleep(time.Second)
	}
	require.Less(t, w.of("bad").Spec.Replicas, 5, "Old pods that are not available were not the first to go.")
	require.Equal(t, 8, w.of("a").Spec.Replicas, "Available pods were taken away while others could go that are not.")
	w.settle()
	require.Equal(t, 10, w.of("good").Spec.Replicas, "A rollout that left a broken one behind did not come to its end.")
	require.GreaterOrEqual(t, w.least, 8, "At some moment fewer pods were sure to be available than replicas - unavailable.")
	require.LessOrEqual(t, w.most, 13, "At some moment there could be more pods than replicas + surge.")
	// Some of the old ones fail while the new ones do not come up.
	w = newRollout(t, s, newDeployment(10, "3", "2", "a"))
	w.settle()
	w.broken["a"], w.broken["bad"] = true, true
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 6, 6 })
	w.roll("bad")
	w.settle()
	require.Equal(t, 8, w.of("a").Spec.Replicas,
		"Four old pods are not available, nor are the new ones: pods of the new ReplicaSet that are not available were counted as a reserve.")
	oldestFirst(t, s)
}

// oldestFirst has two old ReplicaSets of which the older one comes later by name, with five
// available pods each, and lets the third template take the place of five.
func oldestFirst(t *conform.T, s Subject) {
	d := newDeployment(10, "5", "0", "")
	older, newer := reversed(s, d.Spec.Template)
	d.Spec.Template.Spec.Image = older
	w := newRollout(t, s, d)
	w.settle()
	shrinks := func(image string, from int) {
		for range 20 {
			w.follow()
			w.reconcile()
			w.follow()
			if w.of(older).Spec.Replicas+w.of(newer).Spec.Replicas < from {
				return
			}
			w.obey()
			time.Sleep(time.Second)
		}
		t.Fatalf("The pods of image %s are available, and no old ReplicaSet is scaled down.", image)
	}
	w.roll(newer)
	w.follow()
	w.reconcile()
	shrinks(newer, 15)
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.settle()
	require.Equal(t, [2]int{5, 5}, [2]int{w.of(older).Spec.Replicas, w.of(newer).Spec.Replicas}, "With a surge of 5, five pods of ten are not new after the first step.")
	w.edit(func(d *kit.Deployment) { d.Spec.Paused, d.Spec.Template.Spec.Image = false, "third" })
	shrinks("third", 10)
	require.Equal(t, 5, w.of(newer).Spec.Replicas, "Of two old ReplicaSets the newer one was scaled down first, by its name (%s against %s) and not by its age.", w.of(newer).Name, w.of(older).Name)
	w.settle()
}

// reversed are two images of which the first has the later hash.
func reversed(s Subject, template kit.PodTemplateSpec) (older, newer string) {
	hash := func(image string) string {
		template.Spec.Image = image
		return s.TemplateHash(template)
	}
	if older, newer = "one", "two"; hash(older) < hash(newer) {
		older, newer = newer, older
	}
	return older, newer
}

func checkSettled(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.roll("b")
	w.follow()
	w.reconcile() // the new one appears, and perhaps more
	w.follow()
	frozen := w.describe()
	for range 3 {
		w.reconcile()
		w.follow()
		require.Equal(t, frozen, w.describe(), "Something was scaled though the controller of a ReplicaSet has not seen its last change (observedGeneration).")
	}
	// All are observed, and one has not settled: its pods are still being created.
	for _, rs := range w.ordered() {
		w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) {
			rs.Status.ObservedGeneration = rs.Generation
			if rs.Spec.Template.Spec.Image == "b" {
				rs.Status = kit.ReplicaSetStatus{ObservedGeneration: rs.Generation}
			}
		})
	}
	moving := w.of("b").Spec.Replicas
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 1 })
	w.follow()
	w.reconcile()
	require.Equal(t, moving, w.of("b").Spec.Replicas, "A ReplicaSet was scaled whose status.replicas are not its spec.replicas yet.")
	w.settle()
	require.Equal(t, 1, w.of("b").Spec.Replicas, "The deployment has come to rest with another number of replicas than it asks for.")
}

func checkOwnWrites(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	// A creation that the cache does not show is not made again, and nothing else is.
	w.reconcile()
	before := w.sets.Changes()
	for range 3 {
		w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image += "x" })
		w.dSeen.CatchUp()
		result := w.reconcile()
		require.Equal(t, before, w.sets.Changes(), "Reconcile wrote to ReplicaSets though its cache does not have the one that it has created.")
		require.Positive(t, result.RequeueAfter, "Reconcile waits for its cache, and does not ask to be called again.")
		require.LessOrEqual(t, result.RequeueAfter, time.Second, "Reconcile waits for its cache, and does not ask to be called again within a second.")
	}
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = "a" })
	w.settle()
	// In the middle of a rollout the user goes back and forth. First the cache of ReplicaSets
	// stands still. Then it catches up as soon as Reconcile has looked at it: what was
	// missing then is there when Reconcile asks about it, and was not counted.
	for _, catchUp := range []func(){nil, w.sSeen.CatchUp} {
		w.halfway("b")
		w.sSeen.Cache.OnLook(catchUp)
		for _, image := range []string{"b", "a", "b", "a"} {
			w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
			w.dSeen.CatchUp()
			_, _ = w.try()
			require.LessOrEqual(t, w.most, 12, "Two templates were each given room that the other had: Reconcile went by a list of ReplicaSets without what it had written.")
		}
		w.sSeen.Cache.OnLook(nil)
		w.settle()
	}
	// What was written and is gone never comes.
	w.roll("c")
	w.follow()
	w.reconcile()
	w.sets.Remove(kit.Key(w.of("c")))
	time.Sleep(time.Second)
	w.settle()
	require.Equal(t, 10, w.of("c").Spec.Replicas, "A ReplicaSet was deleted before the cache had it, and the rollout waits for it for ever.")
}

func checkRollback(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	for _, image := range []string{"b", "c"} {
		w.roll(image)
		w.settle()
	}
	first := w.of("a")
	time.Sleep(time.Minute)
	undo := func(revision int64) error {
		return conform.Do(t.Actor, func() error { return s.Undo(t.Context(), w.api(), "ns", "web", revision) }, "Undo(ns, web, %d)", revision)
	}
	require.NoError(t, undo(1), "Undo refused revision 1, which exists.")
	require.Equal(t, "a", w.web().Spec.Template.Spec.Image, "Undo put another template back than that of revision 1.")
	require.Equal(t, map[string]string{"app": "web"}, w.web().Spec.Template.Labels, "Undo did not leave the labels of the template as the user wrote them.")
	w.settle()
	require.Len(t, w.sets.All(), 3, "A rollback made a ReplicaSet, though there is one for its template.")
	require.Equal(t, first.UID, w.of("a").UID, "A rollback made a new ReplicaSet in the place of the old one.")
	require.Equal(t, 4, w.of("a").Spec.Replicas, "The rollback came to rest before all pods were those of the old template.")
	require.Equal(t, "4", w.of("a").Annotations[kit.RevisionAnnotation], "The revision of a template that has come back is not one above the highest.")
	require.Equal(t, "4", w.web().Annotations[kit.RevisionAnnotation], "The deployment does not carry the revision of its ReplicaSet.")
	require.NoError(t, undo(0), "Undo found no revision before the current one.")
	require.Equal(t, "c", w.web().Spec.Template.Spec.Image, "Undo(0) put another template back than that of the highest revision below the current one.")
	w.settle()
	require.True(t, kit.IsNotFound(undo(77)), "Undo of a revision that does not exist did not say NotFound.")
	stranger := w.of("a")
	stranger.Name, stranger.OwnerReferences[0].UID = "web-of-old", "uid-of-an-older-web"
	stranger.Annotations[kit.RevisionAnnotation] = "77"
	w.sets.Put(stranger)
	require.True(t, kit.IsNotFound(undo(77)), "Undo took a revision of a ReplicaSet that an older deployment of this name controls.")
	w.sets.Remove(kit.Key(stranger))
	w.deployments.Intercept(tired(2, kit.NewConflict("deployments", web.String()), fake.Update))
	require.NoError(t, undo(2), "Undo gave up at a conflict.")
	w.deployments.Intercept()
	w.settle()
	require.Equal(t, 4, w.of("b").Spec.Replicas, "The rollback came to rest before all pods were those of the old template.")
}

func checkPaused(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.roll("b")
	w.settle()
	require.Len(t, w.sets.All(), 1, "A paused deployment started a rollout.")
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
	w.settle()
	require.Equal(t, 6, w.of("a").Spec.Replicas, "A paused deployment did not scale its only ReplicaSet.")
	require.Equal(t, w.web().Generation, w.web().Status.ObservedGeneration, "The status of a paused deployment is not kept up.")
	waitsToSettle(t, w)
	pausedMidway(t, w)
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 2 })
	w.settle()
	require.Equal(t, 2, w.of("b").Spec.Replicas, "The deployment was not scaled down to its replicas.")
	w.edit(func(d *kit.Deployment) { d.Spec.MinReadySeconds = 5 })
	w.settle()
	require.Equal(t, 5, w.of("b").Spec.MinReadySeconds, "minReadySeconds of the deployment did not reach its ReplicaSet.")
}

// pausedMidway pauses the deployment after the first step of a rollout, changes its replicas,
// which must move nothing, and ends the pause.
func pausedMidway(t *conform.T, w *rollout) {
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = false })
	w.follow()
	w.reconcile()
	w.follow()
	w.obey()
	w.follow()
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.settle()
	a, b := w.of("a").Spec.Replicas, w.of("b").Spec.Replicas
	require.True(t, a > 0 && b > 0, "One step of a rollout was as good as all of it.")
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 9 })
	w.settle()
	require.Equal(t, [2]int{a, b}, [2]int{w.of("a").Spec.Replicas, w.of("b").Spec.Replicas},
		"A deployment that is paused in the midst of a rollout was scaled: nobody knows in which proportion.")
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = false })
	w.settle()
	require.Equal(t, [2]int{0, 9}, [2]int{w.of("a").Spec.Replicas, w.of("b").Spec.Replicas}, "The rollout was not finished when the pause was over.")
}

func checkHistory(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(2, "1", "0", "v1"))
	w.settle()
	for i := 2; i <= 12; i++ {
		w.roll("v" + strconv.Itoa(i))
		w.settle()
	}
	require.Len(t, w.sets.All(), 11, "After twelve templates there are not the current ReplicaSet and ten old ones.")
	for _, rs := range w.sets.All() {
		require.NotEqual(t, "v1", rs.Spec.Template.Spec.Image, "Another ReplicaSet than that of the lowest revision was deleted.")
	}
	w.broken["bad"] = true
	two := 2
	w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &two })
	w.roll("bad")
	w.settle()
	require.Len(t, w.sets.All(), 12, "Old ReplicaSets were deleted before the rollout was complete.")
	w.roll("v13")
	w.settle()
	left := map[string]bool{}
	for _, rs := range w.sets.All() {
		left[rs.Spec.Template.Spec.Image] = true
	}
	require.Equal(t, map[string]bool{"v12": true, "bad": true, "v13": true}, left,
		"With a limit of 2 the current ReplicaSet and the two old ones of the highest revisions are not what is left.")
}

func checkAtRest(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.roll("b")
	w.settle()
	before := w.sets.Changes() + w.deployments.Changes()
	for range 5 {
		w.follow()
		w.reconcile()
		time.Sleep(time.Minute)
	}
	require.Equal(t, before, w.sets.Changes()+w.deployments.Changes(), "Nothing has changed, and Reconcile wrote all the same.")
	// Whatever is refused is made up for.
	refusal := errors.New("the API server is tired")
	weak := tired(1, refusal)
	w.sets.Intercept(weak)
	w.deployments.Intercept(weak)
	w.roll("c")
	for range 100 {
		w.follow()
		w.server.Forget()
		refused := func(q fake.Request) bool { return errors.Is(q.Err, refusal) }
		if _, err := w.try(); err != nil || slices.ContainsFunc(w.server.Requests(), refused) {
			require.ErrorIs(t, err, refusal, "The API server refused something, and Reconcile did not return that error, wrapped or not.")
		}
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	w.sets.Intercept()
	w.deployments.Intercept()
	w.settle()
	require.Equal(t, 4, w.of("c").Spec.Replicas, "After some errors of the API the rollout did not come to its end.")
	w.edit(func(d *kit.Deployment) { d.Spec.MaxSurge = "many" })
	w.follow()
	_, err := w.try()
	require.True(t, kit.IsTerminal(err), "Fenceposts that make no sense are not a terminal error.")
	ghost := kit.Request{Namespace: "ns", Name: "ghost"}
	_, err = conform.Do2(t.Actor, func() (kit.Result, error) { return w.r.Reconcile(t.Context(), ghost) }, "Reconcile(%v)", ghost)
	require.NoError(t, err, "A deployment that does not exist is an error.")
}

func checkDeleted(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.roll("b")
	w.settle()
	w.sets.OnChange(func(e kit.Event[*kit.ReplicaSet], _ []*kit.ReplicaSet) {
		if rs := e.Object; e.Type == kit.Deleted && (rs.Status.Replicas > 0 || rs.Spec.Replicas > 0) {
			t.Errorf("A ReplicaSet was deleted that has pods: they are orphans.")
		}
	})
	sparesSuccessor(t, w)
	sparesUnheard(t, s)
	sparesNamesake(t, s)
	leavesNoOrphans(t, w)
}

// sparesSuccessor deletes the deployment, and creates another of its name before anybody looks.
func sparesSuccessor(t *conform.T, w *rollout) {
	w.deployments.Remove(web.String())
	second := w.deployments.Put(newDeployment(4, "1", "1", "c"))
	w.sSeen.CatchUp()
	_, err := w.try() // the cache still has the first
	require.NoError(t, err, "Reconcile failed though the API server refused nothing.")
	for range 40 {
		w.follow()
		_, err := w.try()
		require.NoError(t, err, "Reconcile failed though the API server refused nothing.")
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	sets := w.sets.All()
	require.Len(t, sets, 1, "The ReplicaSets of a deployment that is gone are still there: orphans.")
	require.Equal(t, second.UID, sets[0].ControllerOf().UID, "The ReplicaSet that is left is not that of the deployment that is left.")
	require.Equal(t, 4, sets[0].Spec.Replicas, "The deployment of the same name does not have its replicas.")
}

// sparesUnheard has a cache that has never heard of the deployment, which is no proof that it
// does not exist.
func sparesUnheard(t *conform.T, s Subject) {
	lagging := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	lagging.settle()
	blind := fake.NewCache(kit.Deployments)
	r := s.NewDeploymentReconciler(DeploymentParts{lagging.deployments, lagging.sets, blind, lagging.sSeen.Cache})
	lagging.follow()
	call := t.Call("Reconcile(%v), with a cache that does not have it yet", web)
	_, err := r.Reconcile(t.Context(), web)
	call.Returned("%v", err)
	require.Equal(t, 4, lagging.of("a").Spec.Replicas, "A lagging cache lacks the deployment, and its ReplicaSet was taken for an orphan.")
}

// leavesNoOrphans deletes the deployment for good, and expects its pods and ReplicaSets to go.
func leavesNoOrphans(t *conform.T, w *rollout) {
	w.deployments.Remove(web.String())
	for range 20 {
		w.follow()
		_, err := w.try()
		require.NoError(t, err, "Reconcile failed though the API server refused nothing.")
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	require.Zero(t, podsOf(w.sets.All()), "The deployment is gone and its pods are not.")
	require.Empty(t, w.sets.All(), "The deployment is gone and its ReplicaSets are not.")
}

// podsOf is how many pods the ReplicaSets report.
func podsOf(sets []*kit.ReplicaSet) (n int) {
	for _, rs := range sets {
		n += rs.Status.Replicas
	}
	return n
}

// sparesNamesake has a cache with an empty ReplicaSet of a deployment that is gone; at the
// API server that name is the ReplicaSet of its successor.
func sparesNamesake(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(0, "1", "1", "a"))
	w.settle()
	old := w.of("a")
	w.deployments.Remove(web.String())
	w.sets.Remove(kit.Key(old))
	second := w.deployments.Put(newDeployment(4, "1", "1", "a"))
	rs := kit.ReplicaSets.DeepCopy(old)
	rs.UID, rs.Spec.Replicas = "", 4
	rs.OwnerReferences[0].UID = second.UID
	rs = w.sets.Put(rs)
	w.dSeen.CatchUp()
	_, _ = w.try() // it may find a conflict, or that there is such a ReplicaSet already
	now := w.sets.Now(kit.Key(old))
	require.NotNil(t, now, "A ReplicaSet of a new deployment was deleted, because the cache still had that of the old one under its name.")
	require.Equal(t, [2]any{rs.UID, 4}, [2]any{now.UID, now.Spec.Replicas}, "The ReplicaSet of a new deployment was changed, because the cache still had that of the old one under its name.")
}

// waitsToSettle asks twice for another number of replicas of a paused deployment, the second
// time before its ReplicaSet has settled.
func waitsToSettle(t *conform.T, w *rollout) {
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 7 })
	w.follow()
	w.reconcile()
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ObservedGeneration = rs.Generation })
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 9 })
	w.follow()
	w.reconcile()
	require.Equal(t, 7, w.of("a").Spec.Replicas, "The ReplicaSet of a paused deployment was scaled though its status.replicas are not its spec.replicas yet.")
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
	w.settle()
}
