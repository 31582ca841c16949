package controlplanetest

import (
	"errors"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hiddenDeployment = []conform.Case[Subject]{
	{
		Name:   "unhealthy-old-pods-go-first",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "Old pods that are not available are taken away first, whatever it costs nothing to lose; those of the new ReplicaSet that are not available yet are not counted as a reserve.",
		Why:    "A rollout to a broken template could never be left behind if its dead pods kept their places (kubernetes#16737); and if pods that are just starting counted as a reserve, a rollout to a broken template would take down the working ones.",
		Hint: []string{
			"How many pods of an old ReplicaSet can be deleted without anybody noticing?",
			"All pods, minus those that must be available, minus those of the new one that are not: so many may go, and no more.",
		},
		Source: "kubernetes pkg/controller/deployment/rolling.go cleanupUnhealthyReplicas and maxScaledDown",
		Check:  checkUnhealthy,
	},
	{
		Name:   "one-change-at-a-time",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "While a ReplicaSet is not observed nothing is scaled, and one that has not settled is not scaled itself.",
		Why:    "Between the change of a ReplicaSet and the report of its controller nobody knows how many pods there are; whoever steers on can end with more than he was allowed.",
		Hint: []string{
			"What does status.replicas say when status.observedGeneration is older than the generation?",
			"Ask this before you look at any number: is there a ReplicaSet whose controller has not seen its last change?",
		},
		Source: "own: kubernetes scales by spec.replicas and can exceed the surge for a moment",
		Check:  checkSettled,
	},
	{
		Name:   "what-was-written-is-waited-for",
		Points: 4,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "As long as the cache lacks what Reconcile has written itself, it scales nothing and creates nothing, and it asks to be called again; what is gone from the API server is not waited for.",
		Why:    "A cache shows a moment in the past. If the user changes his mind in between, each of two templates may be given room that the other has already.",
		Hint: []string{
			"Which state do you see if Reconcile is called twice and the watch has brought nothing in between?",
			"Remember the resource version of each ReplicaSet that you write, and compare it, as a number, with that in the cache.",
			"A ReplicaSet that was deleted in the meantime never comes: ask the API server.",
		},
		Source: "kubernetes pkg/controller ConsistencyStore, since 1.36 (read your own writes)",
		Check:  checkOwnWrites,
	},
	{
		Name:   "a-rollback-reuses-the-old-replicaset",
		Points: 3,
		Func:   "Undo",
		Rule:   "When an old template comes back its ReplicaSet becomes the new one, with a revision one above the highest; Undo puts the template of a revision back, without the hash.",
		Why:    "Pods of the old template that still run need not be started again, and the history does not fill up with copies.",
		Hint: []string{
			"The new ReplicaSet is found by its hash, not by its age.",
			"Which label of the old template must not get into the deployment?",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go getNewReplicaSet; kubectl rollout undo",
		Check:  checkRollback,
	},
	{
		Name:   "paused-and-scaled",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "A paused deployment starts no rollout and goes on with none, and still scales if only one ReplicaSet has pods; an unpaused one rolls, and follows replicas up and down.",
		Why:    "Pausing is how several changes are made one rollout, and how a canary is kept; the cluster autoscaler and the user still want their numbers.",
		Hint: []string{
			"What may be done without touching the proportion of old and new?",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go sync, scale",
		Check:  checkPaused,
	},
	{
		Name:   "history-is-limited",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "When a rollout is complete, and not before, empty old ReplicaSets beyond revisionHistoryLimit are deleted, lowest revision first; by default ten are kept.",
		Why:    "An old ReplicaSet is the way back. Too many fill etcd; one deleted too early, or with pods, is a rollback that is not possible, or orphans.",
		Hint: []string{
			"When is a rollout complete?",
			"Revisions are numbers: 10 comes after 9.",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go cleanupDeployment",
		Check:  checkHistory,
	},
	{
		Name:   "nothing-to-do-is-nothing-written",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "In a world at rest Reconcile writes nothing; errors of the API are returned, and the next call makes up for them; fenceposts that make no sense are a terminal error.",
		Why:    "Each write wakes every watcher. A controller that writes what stands there already wakes itself, for ever.",
		Hint: []string{
			"Compare what you are about to write with what is in the cache.",
			"kit.TerminalError says that trying again is of no use.",
		},
		Source: "controller-runtime reconcile.TerminalError; kubernetes pkg/controller/deployment/sync.go syncDeploymentStatus",
		Check:  checkAtRest,
	},
	{
		Name:   "a-deleted-deployment-leaves-no-orphans",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "When a deployment is gone, its ReplicaSets are scaled to 0 and deleted once they are empty; those of a new deployment of the same name are not touched, also if the cache does not know it yet.",
		Why:    "What nobody owns runs for ever. And a name is not an identity: who deletes by name deletes the successor.",
		Hint: []string{
			"Which field of the owner reference tells a deployment from its successor?",
			"A cache that lags knows the old one still, or the new one not yet. Who knows for certain?",
		},
		Source: "kubernetes pkg/controller/garbagecollector, in small",
		Check:  checkDeleted,
	},
	{
		Name:   "handlers-name-the-deployment",
		Points: 2,
		Func:   "DeploymentReconciler.ReplicaSetHandler",
		Rule:   "A change of a ReplicaSet enqueues the deployment that controls it, both if it has changed hands, and none for a resync; a change of a deployment enqueues it.",
		Why:    "The status of a ReplicaSet is what moves a rollout on. If it wakes nobody the rollout stands still.",
		Hint: []string{
			"Whose child is it, before and after?",
		},
		Source: "kubernetes pkg/controller/deployment/deployment_controller.go updateReplicaSet",
		Check:  checkHandlers,
	},
}

func checkUnhealthy(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
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
		w.sets.change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 6, 6 })
		w.roll("bad")
		w.settle()
		require.Equal(t, 8, w.of("a").Spec.Replicas,
			"Four old pods are not available, nor are the new ones: pods of the new ReplicaSet that are not available were counted as a reserve.")
	})
}

func checkSettled(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
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
			w.sets.change(kit.Key(rs), func(rs *kit.ReplicaSet) {
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
	})
}

func checkOwnWrites(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
		// A creation that the cache does not show is not made again, and nothing else is.
		w.reconcile()
		before := w.sets.count()
		for range 3 {
			w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image += "x" })
			w.dCache.follow(w.deployments)
			result := w.reconcile()
			require.Equal(t, before, w.sets.count(), "Reconcile wrote to ReplicaSets though its cache does not have the one that it has created.")
			require.Positive(t, result.RequeueAfter, "Reconcile waits for its cache, and does not ask to be called again.")
			require.LessOrEqual(t, result.RequeueAfter, time.Second, "Reconcile waits for its cache, and does not ask to be called again within a second.")
		}
		w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = "a" })
		w.settle()
		// In the middle of a rollout the user goes back, and the cache of ReplicaSets
		// stands still.
		w.roll("b")
		w.follow()
		w.reconcile()
		w.follow()
		w.obey()
		w.follow()
		w.obey()
		w.sCache.follow(w.sets)
		w.forget()
		for _, image := range []string{"b", "a", "b", "a"} {
			w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
			w.dCache.follow(w.deployments)
			_, _ = w.try()
			require.LessOrEqual(t, w.most, 12, "Two templates were each given room that the other had: the cache did not show what Reconcile had written.")
		}
		w.settle()
		// What was written and is gone never comes.
		w.roll("c")
		w.follow()
		w.reconcile()
		w.sets.drop(kit.Key(w.of("c")))
		time.Sleep(time.Second)
		w.settle()
		require.Equal(t, 10, w.of("c").Spec.Replicas, "A ReplicaSet was deleted before the cache had it, and the rollout waits for it for ever.")
	})
}

func checkRollback(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		w.settle()
		for _, image := range []string{"b", "c"} {
			w.roll(image)
			w.settle()
		}
		first := w.of("a")
		time.Sleep(time.Minute)
		undo := func(revision int64) error {
			call := t.Call("Undo(ns, web, %d)", revision)
			err := s.Undo(t.Context(), w.api(), "ns", "web", revision)
			call.Returned("%v", err)
			return err
		}
		require.NoError(t, undo(1), "Undo refused revision 1, which exists.")
		require.Equal(t, "a", w.web().Spec.Template.Spec.Image, "Undo put another template back than that of revision 1.")
		require.Equal(t, map[string]string{"app": "web"}, w.web().Spec.Template.Labels, "Undo did not leave the labels of the template as the user wrote them.")
		w.settle()
		require.Len(t, w.sets.all(), 3, "A rollback made a ReplicaSet, though there is one for its template.")
		require.Equal(t, first.UID, w.of("a").UID, "A rollback made a new ReplicaSet in the place of the old one.")
		require.Equal(t, 4, w.of("a").Spec.Replicas, "The rollback came to rest before all pods were those of the old template.")
		require.Equal(t, "4", w.of("a").Annotations[kit.RevisionAnnotation], "The revision of a template that has come back is not one above the highest.")
		require.Equal(t, "4", w.web().Annotations[kit.RevisionAnnotation], "The deployment does not carry the revision of its ReplicaSet.")
		require.NoError(t, undo(0), "Undo found no revision before the current one.")
		require.Equal(t, "c", w.web().Spec.Template.Spec.Image, "Undo(0) put another template back than that of the highest revision below the current one.")
		w.settle()
		require.True(t, kit.IsNotFound(undo(77)), "Undo of a revision that does not exist did not say NotFound.")
		conflicts := 2
		w.deployments.refusing(func(verb string, _ *kit.Deployment) error {
			if verb == "update" && conflicts > 0 {
				conflicts--
				return kit.NewConflict("deployments", web.String())
			}
			return nil
		})
		require.NoError(t, undo(2), "Undo gave up at a conflict.")
		w.settle()
		require.Equal(t, 4, w.of("b").Spec.Replicas, "The rollback came to rest before all pods were those of the old template.")
	})
}

func checkPaused(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		w.settle()
		w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
		w.roll("b")
		w.settle()
		require.Len(t, w.sets.all(), 1, "A paused deployment started a rollout.")
		w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
		w.settle()
		require.Equal(t, 6, w.of("a").Spec.Replicas, "A paused deployment did not scale its only ReplicaSet.")
		require.Equal(t, w.web().Generation, w.web().Status.ObservedGeneration, "The status of a paused deployment is not kept up.")
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
		w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 2 })
		w.settle()
		require.Equal(t, 2, w.of("b").Spec.Replicas, "The deployment was not scaled down to its replicas.")
		w.edit(func(d *kit.Deployment) { d.Spec.MinReadySeconds = 5 })
		w.settle()
		require.Equal(t, 5, w.of("b").Spec.MinReadySeconds, "minReadySeconds of the deployment did not reach its ReplicaSet.")
	})
}

func checkHistory(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(2, "1", "0", "v1"))
		w.settle()
		for i := 2; i <= 12; i++ {
			w.roll("v" + strconv.Itoa(i))
			w.settle()
		}
		require.Len(t, w.sets.all(), 11, "After twelve templates there are not the current ReplicaSet and ten old ones.")
		for _, rs := range w.sets.all() {
			require.NotEqual(t, "v1", rs.Spec.Template.Spec.Image, "Another ReplicaSet than that of the lowest revision was deleted.")
		}
		w.broken["bad"] = true
		two := 2
		w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &two })
		w.roll("bad")
		w.settle()
		require.Len(t, w.sets.all(), 12, "Old ReplicaSets were deleted before the rollout was complete.")
		w.roll("v13")
		w.settle()
		left := map[string]bool{}
		for _, rs := range w.sets.all() {
			left[rs.Spec.Template.Spec.Image] = true
		}
		require.Equal(t, map[string]bool{"v12": true, "bad": true, "v13": true}, left,
			"With a limit of 2 the current ReplicaSet and the two old ones of the highest revisions are not what is left.")
	})
}

func checkAtRest(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		w.settle()
		w.roll("b")
		w.settle()
		before := w.sets.count() + w.deployments.count()
		for range 5 {
			w.follow()
			w.reconcile()
			time.Sleep(time.Minute)
		}
		require.Equal(t, before, w.sets.count()+w.deployments.count(), "Nothing has changed, and Reconcile wrote all the same.")
		// Whatever is refused is made up for.
		refusal := errors.New("the API server is tired")
		var refused refusals
		w.sets.refusing(func(string, *kit.ReplicaSet) error { return refused.of(1, refusal) })
		w.deployments.refusing(func(string, *kit.Deployment) error { return refused.of(1, refusal) })
		w.roll("c")
		for range 100 {
			w.follow()
			before := refused.count()
			if _, err := w.try(); err != nil || refused.count() > before {
				require.ErrorIs(t, err, refusal, "The API server refused something, and Reconcile did not return that error, wrapped or not.")
			}
			w.follow()
			w.obey()
			time.Sleep(time.Second)
		}
		w.sets.refusing(nil)
		w.deployments.refusing(nil)
		w.settle()
		require.Equal(t, 4, w.of("c").Spec.Replicas, "After some errors of the API the rollout did not come to its end.")
		w.edit(func(d *kit.Deployment) { d.Spec.MaxSurge = "many" })
		w.follow()
		_, err := w.try()
		require.True(t, kit.IsTerminal(err), "Fenceposts that make no sense are not a terminal error.")
		ghost := kit.Request{Namespace: "ns", Name: "ghost"}
		call := t.Call("Reconcile(%v)", ghost)
		_, err = w.r.Reconcile(t.Context(), ghost)
		call.Returned("%v", err)
		require.NoError(t, err, "A deployment that does not exist is an error.")
	})
}

func checkDeleted(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		w.settle()
		w.roll("b")
		w.settle()
		pods := func() (n int) {
			for _, rs := range w.sets.all() {
				n += rs.Status.Replicas
			}
			return n
		}
		w.sets.telling(func(verb string, rs *kit.ReplicaSet) {
			if verb == "delete" && (rs.Status.Replicas > 0 || rs.Spec.Replicas > 0) {
				t.Errorf("A ReplicaSet was deleted that has pods: they are orphans.")
			}
		})
		// The deployment goes, and another of its name comes before anybody looks.
		w.deployments.drop(web.String())
		second := w.deployments.put(newDeployment(4, "1", "1", "c"))
		w.sCache.follow(w.sets)
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
		sets := w.sets.all()
		require.Len(t, sets, 1, "The ReplicaSets of a deployment that is gone are still there: orphans.")
		require.Equal(t, second.UID, sets[0].ControllerOf().UID, "The ReplicaSet that is left is not that of the deployment that is left.")
		require.Equal(t, 4, sets[0].Spec.Replicas, "The deployment of the same name does not have its replicas.")
		// A cache that has never heard of the deployment is no proof that it does not exist.
		lagging := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		lagging.settle()
		blind := newCache(kit.Deployments, nil)
		r := s.NewDeploymentReconciler(DeploymentParts{lagging.deployments, lagging.sets, blind, lagging.sCache})
		lagging.follow()
		call := t.Call("Reconcile(%v), with a cache that does not have it yet", web)
		_, err = r.Reconcile(t.Context(), web)
		call.Returned("%v", err)
		require.Equal(t, 4, lagging.of("a").Spec.Replicas, "A lagging cache lacks the deployment, and its ReplicaSet was taken for an orphan.")
		// Gone for good.
		w.deployments.drop(web.String())
		for range 20 {
			w.follow()
			_, err := w.try()
			require.NoError(t, err, "Reconcile failed though the API server refused nothing.")
			w.follow()
			w.obey()
			time.Sleep(time.Second)
		}
		require.Zero(t, pods(), "The deployment is gone and its pods are not.")
		require.Empty(t, w.sets.all(), "The deployment is gone and its ReplicaSets are not.")
	})
}

func checkHandlers(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) {
		w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
		heard := map[string]bool{}
		enqueue := func(r kit.Request) { heard[r.String()] = true }
		expect := func(sentence string, want ...string) {
			all := map[string]bool{}
			for _, name := range want {
				all[name] = true
			}
			require.Equal(t, all, heard, sentence)
			clear(heard)
		}
		d := newDeployment(1, "", "", "a")
		dh := w.r.DeploymentHandler(enqueue)
		dh.OnAdd(d, true)
		expect("A deployment that was added is not what was enqueued.", "ns/web")
		dh.OnUpdate(d, d)
		expect("A deployment that was updated is not what was enqueued.", "ns/web")
		dh.OnDelete(d, true)
		expect("A deployment that was deleted is not what was enqueued.", "ns/web")
		set := func(version, owner, kind string) *kit.ReplicaSet {
			rs := kit.ReplicaSets.New()
			rs.Namespace, rs.Name, rs.ResourceVersion = "ns", "rs", version
			if owner != "" {
				rs.OwnerReferences = []kit.OwnerReference{{Kind: "Deployment", Name: "bystander"}, {Kind: kind, Name: owner, UID: owner, Controller: true}}
			}
			return rs
		}
		rh := w.r.ReplicaSetHandler(enqueue)
		rh.OnAdd(set("1", "web", "Deployment"), false)
		expect("The deployment of a ReplicaSet that was added is not what was enqueued.", "ns/web")
		rh.OnUpdate(set("1", "web", "Deployment"), set("2", "web", "Deployment"))
		expect("The deployment of a ReplicaSet that was updated is not what was enqueued.", "ns/web")
		rh.OnUpdate(set("2", "web", "Deployment"), set("2", "web", "Deployment"))
		expect("A resync enqueued something.")
		rh.OnUpdate(set("2", "web", "Deployment"), set("3", "db", "Deployment"))
		expect("A ReplicaSet changed hands, and not both deployments were enqueued.", "ns/web", "ns/db")
		rh.OnUpdate(set("3", "db", "Deployment"), set("4", "", ""))
		expect("A ReplicaSet was given up, and its deployment was not enqueued.", "ns/db")
		rh.OnDelete(set("4", "db", "Deployment"), true)
		expect("The deployment of a ReplicaSet that was deleted is not what was enqueued.", "ns/db")
		rh.OnAdd(set("5", "", ""), false)
		rh.OnAdd(set("6", "web", "Rollout"), false)
		expect("A ReplicaSet that no deployment controls enqueued one.")
	})
}
