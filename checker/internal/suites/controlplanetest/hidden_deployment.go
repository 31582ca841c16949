package controlplanetest

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hiddenDeployment = []conform.Case[Subject]{
	{
		Name:   "unhealthy-old-pods-go-first",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "Old pods that are not available go first, because losing them costs nothing. Pods of the new ReplicaSet that are not available yet do not count as a reserve.",
		Why:    "If the dead pods of a broken template kept their places, no rollout could ever replace it (kubernetes#16737). And if pods that are just starting counted as a reserve, a rollout to a broken template would take down the working ones.",
		Hint: []string{
			"How many pods of an old ReplicaSet can you delete without anybody noticing?",
			"Take all pods, minus those that must be available, minus those of the new one that are not available. You may delete that many and no more.",
		},
		Source: "kubernetes pkg/controller/deployment/rolling.go: cleanupUnhealthyReplicas (and maxScaledDown)",
		Contract: []string{
			"First go pods that are not available, because losing them costs nothing: from each ReplicaSet at most its spec.replicas minus its counted available pods; and in all at most the spec.replicas of all ReplicaSets, the new one included, minus the pods that must be available (spec.replicas - unavailable, at least 0), minus those of the new ReplicaSet that are not available.",
			"Old ReplicaSets are scaled down, the oldest first (by creation time, then by name).",
			"If it has fewer, it is scaled up by the room that the counted pods leave below replicas + surge, and to replicas at most.",
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
			"The counted pods of a ReplicaSet are the larger of spec.replicas and status.replicas, and its counted available pods the smaller of spec.replicas and status.availableReplicas.",
			"If the new ReplicaSet has more than the deployment's replicas, it is scaled down to that number.",
			"Then go available ones: in all at most the counted available pods of all ReplicaSets, the new one included, minus those that must be available.",
			"and replicas is what scaling up (below) would make of 0.",
		},
		Mode:  conform.Virtual,
		Check: checkUnhealthy,
	},
	{
		Name:   "one-change-at-a-time",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "While a ReplicaSet is not observed, Reconcile scales nothing. A ReplicaSet that has not settled is not scaled itself.",
		Why:    "Between the change of a ReplicaSet and the report of its controller nobody knows how many pods there are. A controller that goes on scaling may end with more than allowed.",
		Hint: []string{
			"What does status.replicas say when status.observedGeneration is older than the generation?",
			"Check this before you look at any number: is there a ReplicaSet whose controller has not seen its last change?",
		},
		Source: "own: kubernetes scales by spec.replicas and can exceed the surge for a moment",
		Contract: []string{
			"While one of them is not, its controller may still be acting on an earlier spec, and nobody knows how many pods there are: no spec.replicas is changed and no ReplicaSet created.",
			"spec.replicas of one that has not settled stays as it is: one change at a time.",
			"The counted pods of a ReplicaSet are the larger of spec.replicas and status.replicas",
		},
		Mode:  conform.Virtual,
		Check: checkSettled,
	},
	{
		Name:   "what-was-written-is-waited-for",
		Points: 4,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "While the cache lacks its own writes, Reconcile scales nothing, creates nothing, and asks to be called again. It does not wait for a write whose object is gone from the API server.",
		Why:    "A cache shows a moment in the past. If the user changes the template again in between, each of two templates may get room that the other has already.",
		Hint: []string{
			"Which state do you see if Reconcile runs twice and the watch has brought nothing in between?",
			"Remember the resource version of each ReplicaSet that you write, and compare it, as a number, with that in the cache.",
			"A ReplicaSet that was deleted in the meantime never comes: ask the API server.",
		},
		Source: "kubernetes pkg/controller/util/consistency/consistency.go: ConsistencyStore (since 1.36: read your own writes)",
		Contract: []string{
			"Until all of them have arrived, or the API server says that their object is gone again, Reconcile changes no spec.replicas of this deployment, creates no ReplicaSet for it, and asks to be called again within a second.",
			"At no moment may there be more pods than spec.replicas + surge",
			"It is not called twice at once for one request, but may be called at once for several.",
			"What is said above of own writes, observed, settled and minReadySeconds holds here, too.",
			"An error of the API is returned, wrapped or not",
		},
		Mode:  conform.Virtual,
		Check: checkOwnWrites,
	},
	{
		Name:   "a-rollback-reuses-the-old-replicaset",
		Points: 3,
		Func:   "Undo",
		Look:   []string{"Undo", "DeploymentReconciler.Reconcile"},
		Rule:   "When an old template comes back, its ReplicaSet becomes the new one, with a revision one above the highest. Undo puts the template of a revision back, without the hash.",
		Why:    "Pods of the old template that still run need not start again, and the history does not fill up with copies.",
		Hint: []string{
			"Find the new ReplicaSet by its hash, not by its age.",
			"Which label of the old template must not get into the deployment?",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go: getNewReplicaSet",
		Contract: []string{
			"the controlling owner is this deployment, by UID. The new one has TemplateHash of the deployment's template as its label kit.PodTemplateHash; all others are old.",
			"The new one has the highest.",
			"If it does not (it was just created, or the template of an old one has come back, which is what a rollback is), it gets one more than the highest of the others, and keeps its name and its pods. This holds in a paused deployment, too. The deployment's own annotation is that of the new ReplicaSet.",
			"A ReplicaSet that is being deleted, and kept by a finalizer, is one like any other for as long as it exists: it counts, and may be the new one.",
			"At no moment may there be more pods than spec.replicas + surge",
			"Status sums up the ReplicaSets in the cache: replicas, ready and available of all, updated is the new one's replicas",
			"Undo puts the template of an earlier revision back into a deployment, as kubectl rollout undo does; the reconciler does the rest. Revisions are those of the ReplicaSets that the deployment controls, by its UID. Revision 0 is the highest below the current one, which is that of the ReplicaSet with the deployment's own template.",
			"If there is no such revision, Undo returns an error (kit.IsNotFound). It tries again after a conflict; after five in a row it may give up.",
			"is not put back, and nothing but the template is changed.",
			"Other annotations of both stay.",
		},
		Mode:  conform.Virtual,
		Check: checkRollback,
	},
	{
		Name:   "paused-and-scaled",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "A paused deployment neither starts nor continues a rollout, and still scales if only one ReplicaSet has pods. One that is not paused rolls, and follows replicas up and down.",
		Why:    "People pause a deployment to make several changes one rollout, or to keep a canary. The autoscaler and the user still want their numbers.",
		Hint: []string{
			"What may you do without changing the proportion of old and new?",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go: sync, scale",
		Contract: []string{
			"A paused deployment neither starts nor continues a rollout: only if all but one of its ReplicaSets have spec.replicas 0, that one is scaled to the deployment's replicas; if all have 0, the one with the highest revision.",
			"spec.replicas of one that has not settled stays as it is: one change at a time.",
			"minReadySeconds is the deployment's, and follows it when it changes",
			"If there is no new one, and the deployment is not paused, it is created",
			"If the new ReplicaSet has more than the deployment's replicas, it is scaled down to that number.",
			"The deployment's own annotation is that of the new ReplicaSet.",
		},
		Mode:  conform.Virtual,
		Check: checkPaused,
	},
	{
		Name:   "history-is-limited",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "When a rollout is complete, and not before, Reconcile deletes empty old ReplicaSets beyond revisionHistoryLimit, lowest revision first. By default it keeps ten.",
		Why:    "An old ReplicaSet is the way back. Too many fill etcd. One that is deleted too early makes a rollback impossible; one that is deleted with pods leaves orphans.",
		Hint: []string{
			"When is a rollout complete?",
			"Revisions are numbers: 10 comes after 9.",
			"After a rollback the ReplicaSet that was created first may have the highest revision.",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go: cleanupDeployment",
		Contract: []string{
			"When the new ReplicaSet has all its replicas available and no old one has any (of spec or status), old ones beyond spec.revisionHistoryLimit (nil is 10) are deleted, lowest revision first, in a paused deployment, too.",
			"The deployment's own annotation is that of the new ReplicaSet.",
		},
		Mode:  conform.Virtual,
		Check: checkHistory,
	},
	{
		Name:   "nothing-to-do-is-nothing-written",
		Points: 2,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "In a world at rest Reconcile writes nothing. It returns errors of the API, and the next call starts over. Invalid fenceposts are a terminal error.",
		Why:    "Each write wakes every watcher. A controller that writes an unchanged object wakes itself, for ever.",
		Hint: []string{
			"Compare what you are about to write with what is in the cache.",
			"kit.TerminalError says that trying again is useless.",
		},
		Source: "controller-runtime pkg/reconcile/reconcile.go: TerminalError; kubernetes pkg/controller/deployment/sync.go: syncDeploymentStatus",
		Contract: []string{
			"In a world at rest Reconcile writes nothing.",
			"An error of the API is returned, wrapped or not, and the next call starts over from the caches; Conflict is one of them. Invalid fenceposts are a kit.TerminalError, in a paused deployment, too.",
			"Status sums up the ReplicaSets in the cache: replicas, ready and available of all, updated is the new one's replicas, unavailable is replicas minus available, at least 0; observedGeneration is the generation of the deployment that Reconcile has looked at. The numbers are those of the ReplicaSets' status. Only for unavailable, the sum of spec.replicas may be taken instead of replicas, as Kubernetes does.",
		},
		Mode:  conform.Virtual,
		Check: checkAtRest,
	},
	{
		Name:   "a-deleted-deployment-leaves-no-orphans",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "A deployment that is being deleted is left alone. When it is gone, Reconcile scales its ReplicaSets to 0 and deletes them once they are empty. It does not touch those of a new deployment of the same name, even if the cache does not know that yet.",
		Why:    "Objects without an owner run for ever. And a name is not an identity: a controller that deletes by name deletes the successor.",
		Hint: []string{
			"Which field of the owner reference tells a deployment from its successor?",
			"A lagging cache still knows the old one, or does not know the new one yet. What knows for certain?",
		},
		Source: "kubernetes pkg/controller/garbagecollector/garbagecollector.go: attemptToDeleteItem",
		Contract: []string{
			"When it is gone, even if there is a new one of this name by then, Reconcile scales each ReplicaSet that a deployment of this name controls to 0 once it has settled, and deletes it when it has settled there. Those of the new one are not touched: a lagging cache does not decide that, Reconcile asks the API server.",
			"A deployment that is being deleted is left alone.",
			"As long as an orphan has the name of the new ReplicaSet, Create fails with AlreadyExists, which is returned, too.",
			"An error of the API is returned, wrapped or not",
		},
		Mode:  conform.Virtual,
		Check: checkDeleted,
	},
	{
		Name:   "handlers-name-the-deployment",
		Points: 2,
		Func:   "DeploymentReconciler.ReplicaSetHandler",
		Rule:   "A change of a ReplicaSet enqueues the deployment that controls it, both if it has changed hands, and none for a resync. A change of a deployment enqueues that deployment.",
		Why:    "The status of a ReplicaSet moves a rollout on. If it wakes nobody, the rollout stands still.",
		Hint: []string{
			"Which deployment controls it, before and after?",
		},
		Source: "kubernetes pkg/controller/deployment/deployment_controller.go: updateReplicaSet",
		Contract: []string{
			"DeploymentHandler enqueues every deployment that it hears of.",
			"ReplicaSetHandler enqueues the deployment that controls the ReplicaSet, whether or not that is in the cache; after an update that changed the owner, both of them. An update with the same resource version changes nothing and enqueues nothing.",
		},
		Mode:  conform.Virtual,
		Check: checkHandlers,
	},
}

func checkHandlers(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	queue, heard := t.Named("queue"), map[string]bool{}
	enqueue := func(r kit.Request) {
		queue.Note("enqueue(%s)", r)
		heard[r.String()] = true
	}
	expect := func(what string, want ...string) {
		got := slices.Sorted(maps.Keys(heard))
		t.Require(slices.Equal(got, want), "%s: the handler enqueued %s, and should have enqueued %s.", what, conform.Listed(got), conform.Listed(want))
		clear(heard)
	}
	d := newDeployment(1, "", "", "a")
	dh := w.r.DeploymentHandler(enqueue)
	dh.OnAdd(d, true)
	expect("The deployment ns/web was added", "ns/web")
	dh.OnUpdate(d, d)
	expect("The deployment ns/web was updated", "ns/web")
	dh.OnDelete(d, true)
	expect("The deployment ns/web was deleted", "ns/web")
	rh := w.r.ReplicaSetHandler(enqueue)
	rh.OnAdd(ownedSet("1", "db", "Deployment"), false)
	expect("A ReplicaSet of ns/db, which is not in the cache, was added", "ns/db")
	rh.OnUpdate(ownedSet("1", "web", "Deployment"), ownedSet("2", "web", "Deployment"))
	expect("A ReplicaSet of ns/web was updated", "ns/web")
	rh.OnUpdate(ownedSet("2", "web", "Deployment"), ownedSet("2", "web", "Deployment"))
	expect("A ReplicaSet was resynced, with the same resource version as before")
	rh.OnUpdate(ownedSet("2", "web", "Deployment"), ownedSet("3", "db", "Deployment"))
	expect("A ReplicaSet of ns/web belongs to ns/db now", "ns/db", "ns/web")
	rh.OnUpdate(ownedSet("3", "db", "Deployment"), ownedSet("4", "", ""))
	expect("A ReplicaSet of ns/db has no controller any more", "ns/db")
	rh.OnUpdate(ownedSet("4", "", ""), ownedSet("5", "web", "Deployment"))
	expect("A ReplicaSet that had no controller belongs to ns/web now", "ns/web")
	rh.OnUpdate(ownedSet("5", "", ""), ownedSet("6", "", ""))
	expect("A ReplicaSet that has no controller was updated")
	rh.OnDelete(ownedSet("4", "db", "Deployment"), true)
	rh.OnDelete(ownedSet("4", "web", "Deployment"), false)
	expect("A ReplicaSet of ns/db was deleted, and one of ns/web", "ns/db", "ns/web")
	rh.OnAdd(ownedSet("4", "web", "Deployment"), true)
	expect("A ReplicaSet of ns/web was there from the beginning", "ns/web")
	rh.OnAdd(ownedSet("5", "", ""), false)
	rh.OnAdd(ownedSet("6", "web", "Rollout"), false)
	expect("Two ReplicaSets were added, of which one has no controller and one is controlled by a Rollout")
}

// ownedSet is a ReplicaSet that an owner of this kind controls; with no owner, nobody does.
func ownedSet(version, owner, kind string) *kit.ReplicaSet {
	apiVersion := "apps/v1"
	if kind == "Rollout" {
		apiVersion = "argoproj.io/v1alpha1"
	}
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name, rs.ResourceVersion = "ns", "rs", version
	if owner != "" {
		rs.OwnerReferences = []kit.OwnerReference{
			{APIVersion: "apps/v1", Kind: "Deployment", Name: "bystander", UID: "bystander"},
			{APIVersion: apiVersion, Kind: kind, Name: owner, UID: owner, Controller: true},
		}
	}
	return rs
}
