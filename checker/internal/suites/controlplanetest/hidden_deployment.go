package controlplanetest

import (
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
		Source: "kubernetes pkg/controller/deployment/rolling.go: cleanupUnhealthyReplicas (and maxScaledDown)",
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
		Source: "kubernetes pkg/controller/util/consistency/consistency.go: ConsistencyStore (since 1.36: read your own writes)",
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
		Source: "kubernetes pkg/controller/deployment/sync.go: getNewReplicaSet",
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
		Source: "kubernetes pkg/controller/deployment/sync.go: sync, scale",
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
		Source: "kubernetes pkg/controller/deployment/sync.go: cleanupDeployment",
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
		Source: "controller-runtime pkg/reconcile/reconcile.go: TerminalError; kubernetes pkg/controller/deployment/sync.go: syncDeploymentStatus",
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
		Source: "kubernetes pkg/controller/garbagecollector/garbagecollector.go: attemptToDeleteItem",
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
		Source: "kubernetes pkg/controller/deployment/deployment_controller.go: updateReplicaSet",
		Check:  checkHandlers,
	},
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
