package replicasettest

import (
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// owning is about adoption and release.
var owning = []conform.Case[Subject]{
	{
		Name:   "adopts-orphans",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Reconcile adopts an active pod without controller that the selector matches, and counts it at once. If an adoption fails, it creates and deletes nothing.",
		Why:    "Adoption lets pods move from one ReplicaSet to another without a restart. Two owners of one pod would fight over it.",
		Hint: []string{
			"Which pods may not be adopted although the selector matches them?",
			"Update with the pod as the cache shows it: if it has changed since, the API server says Conflict.",
			"That the pod is gone is no error. Every other error ends the Reconcile.",
		},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: ClaimPods, AdoptPod",
		Contract: []string{
			"A pod without a controller that its selector matches is adopted: Update adds a reference like that of a created pod. Other references stay. If that succeeds, the pod is a replica from this Reconcile on.",
			"An Update that fails is an error, and Reconcile still looks at all other pods. That the pod is NotFound is no error, and the pod is no replica.",
			"With an error it stops here and returns it: nothing is created or deleted.",
			"for pods that of creations and adoptions",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkAdopts(t, open()) },
	},
	{
		Name:   "looks-before-it-adopts",
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Before it adopts, Reconcile reads the ReplicaSet from the API server itself. If it is gone, is being deleted or has another UID, nothing is adopted.",
		Why:    "kubernetes#42639: a ReplicaSet that was deleted without its pods adopted them again, because the cache did not know that it was being deleted.",
		Hint: []string{
			"The cache says that the ReplicaSet is alive. What knows for certain?",
			"Call Get on the client, once in a Reconcile, and compare the UID and the deletion timestamp.",
		},
		Source: "kubernetes#42639; kubernetes pkg/controller/controller_ref_manager.go: CanAdopt, RecheckDeletionTimestamp",
		Contract: []string{
			"Before the first adoption of a Reconcile, Get reads the ReplicaSet afresh. If it is gone, has another UID or is being deleted, nothing is adopted and Reconcile returns an error",
			"It reads from the caches, except where claim.go and status.go say otherwise.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkLooks(t, open()) },
	},
	{
		Name:   "releases-what-does-not-match",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A pod whose labels no longer match is released: it is no replica, and another pod replaces it.",
		Why:    "People change a label to take a pod out of service and look at it, without killing it.",
		Hint: []string{
			"You may remove only one of the pod's owner references.",
		},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: ReleasePod",
		Contract: []string{
			"Reconcile looks only at active pods (Pod.Active) of its namespace",
			"A pod that it controls and that its selector does not match is released: Update removes the reference, and the pod is no replica.",
			"An Update that fails is an error, and Reconcile still looks at all other pods. That the pod is NotFound is no error, and the pod is no replica.",
			"With an error it stops here and returns it: nothing is created or deleted.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkReleases(t, open()) },
	},
	{
		Name:   "being-deleted-does-nothing",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A ReplicaSet that is being deleted creates, deletes, adopts and releases nothing.",
		Why:    "It waits for the garbage collector to delete its pods. A controller that replaces them works against that.",
		Hint: []string{
			"In how many places of a Reconcile does the deletion timestamp matter?",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: syncReplicaSet; kubernetes pkg/controller/controller_ref_manager.go: ClaimObject",
		Contract: []string{
			"It writes the status (status.go): also if it has done nothing in 5",
			"A ReplicaSet that is being deleted according to the cache neither adopts nor releases, and that is no error.",
			"If the expectations were satisfied and the ReplicaSet is not being deleted, and the replicas are too few or too many, it creates or deletes the difference",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkBeingDeleted(t, open()) },
	},
	{
		Name:   "wakes-both-owners",
		Points: 2,
		Func:   "ReplicaSetReconciler.PodHandler",
		Rule:   "A pod that changes hands wakes its former owner and its new one. A pod without owner wakes every ReplicaSet that might adopt it, and is nobody's creation.",
		Why:    "Now one of them has a pod too few and the other a pod too many, and neither hears of it otherwise.",
		Hint: []string{
			"OnUpdate has two pods. Which owner does each of them have?",
			"An orphan: every ReplicaSet in its namespace whose selector matches.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: addPod, updatePod, getPodReplicaSets",
		Contract: []string{
			"The owner of a pod is the ReplicaSet in the cache to which its controller reference points: Kind, name and UID are the same.",
			"In every other update the owner is enqueued, and if the pod now has another owner or none, the former owner too. If it has no controller, and its labels or its controller have changed, every ReplicaSet whose selector matches is enqueued. An update is never a creation observed.",
			"Without any controller it is nobody's creation: every ReplicaSet of the namespace whose selector matches is enqueued, to adopt it.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkBothOwners(t, open()) },
	},
}

// another is a reference that controls nothing.
var another = kit.OwnerReference{APIVersion: "v1", Kind: "Note", Name: "n", UID: "uid-note"}

func checkAdopts(t *conform.T, s Subject) {
	w := build(t, s)
	rs, other := w.stands(set("web", 4)), w.stands(set("db", 0))
	w.lone("web", "a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{another} })
	w.lone("web", "b")
	w.lone("web", "ended", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed })
	w.lone("cron", "c")
	w.lone("web", "abroad", func(p *kit.Pod) { p.Namespace = "elsewhere" })
	w.runs(other, "theirs", func(p *kit.Pod) { p.Labels = labels("web") })
	w.settled("web")
	require.ElementsMatch(t, []kit.OwnerReference{another, ref(rs)}, w.pods.Now(key("a")).OwnerReferences, "An orphan that the selector matches was not adopted, or lost another reference.")
	require.Len(t, w.live(rs), 4, "Two pods can be adopted, four are wanted: two have to be created.")
	require.Equal(t, 2, w.created(), "Pods that were just adopted count at once. Other numbers of pods were created than are missing.")
	require.Len(t, w.pods.Requests(fake.Update), 2, "Pods were written that were not to be adopted.")
	checkAdoptionFails(t, s)
	w = build(t, s, versions)
	w.stands(set("web", 1))
	w.lone("web", "a")
	w.settled("web")
	w.setFeed.CatchUp()
	w.stale(s, "a pod was adopted at a version that the cache of pods has not reached")
}

func checkAdoptionFails(t *conform.T, s Subject) {
	for _, c := range []struct {
		replicas int
		err      error
		created  int
	}{
		{4, kit.NewConflict("pods", "shop/x"), 0},
		{4, kit.NewStatusError(kit.ReasonInternalError, "no"), 0},
		{4, kit.NewNotFound("pods", "shop/x"), 3},
		{0, kit.NewConflict("pods", "shop/x"), 0},
	} {
		oneAdoptionFails(t, s, c.replicas, c.err, c.created, "a", "b")
		oneAdoptionFails(t, s, c.replicas, c.err, c.created, "b", "a") // one of the two is looked at first
	}
	w := build(t, s)
	w.stands(set("web", 1))
	w.lone("web", "a")
	db := w.stands(set("db", 0))
	w.pods.Change(key("a"), func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(db)} })
	t.Note("another ReplicaSet has adopted the pod meanwhile, which the cache does not know")
	_, _ = w.reconcile("web")
	require.Equal(t, []kit.OwnerReference{ref(db)}, w.pods.Now(key("a")).OwnerReferences, "A pod that another ReplicaSet has adopted meanwhile was taken away from it.")
}

// oneAdoptionFails has two orphans, of which bad cannot be adopted.
func oneAdoptionFails(t *conform.T, s Subject, replicas int, refusal error, created int, bad, good string) {
	w := build(t, s)
	w.stands(set("web", replicas))
	w.lone("web", bad)
	w.lone("web", good)
	w.refuseUpdates(bad, refusal)
	_, err := w.reconcile("web")
	require.Equal(t, created, w.created(), "The adoption of one pod of two fails (%v). Another number of pods was created than should be.", refusal)
	require.Empty(t, w.deleted(), "An adoption has failed, and pods were deleted.")
	require.NotNil(t, w.pods.Now(key(good)).ControllerOf(), "The adoption of one pod has failed, and the other was not adopted.")
	if kit.IsNotFound(refusal) {
		require.NoError(t, err, "The pod to be adopted was not found. That is no error.")
		return
	}
	require.ErrorIs(t, err, refusal, "An adoption has failed, and Reconcile did not return its error.")
	require.Empty(t, w.sets.Requests(fake.Update), "An adoption has failed, and the status was written of replicas that nobody knows.")
}

// refuseUpdates has the server refuse every update of one pod.
func (w *world) refuseUpdates(pod string, err error) {
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && q.Key == key(pod) {
			return err
		}
		return nil
	}))
}

func checkLooks(t *conform.T, s Subject) {
	for _, c := range []struct {
		what string
		do   func(w *world)
	}{
		{"is being deleted", func(w *world) { w.sets.Graceful = true; w.sets.Drop(key("web")) }},
		{"is gone", func(w *world) { w.sets.Remove(key("web")) }},
		{"is another one", func(w *world) { w.sets.Remove(key("web")); w.sets.Put(set("web", 3)) }},
	} {
		w := build(t, s)
		w.stands(set("web", 3))
		w.lone("web", "a")
		w.lone("web", "b")
		c.do(w)
		t.Note("the ReplicaSet %s, which its cache does not know", c.what)
		w.mayNotAdopt(c.what)
	}
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.settled("web")
	require.Empty(t, w.sets.Requests(fake.Get), "Nothing was to be adopted, and the ReplicaSet was read from the API server.")
	w.catchUp()
	w.lone("web", "b")
	w.settled("web")
	w.catchUp()
	w.lone("web", "c")
	w.sets.Remove(key("web"))
	t.Note("the ReplicaSet has adopted once; now it is gone, which its cache does not know")
	w.mayNotAdopt("is gone")
}

// mayNotAdopt demands that a Reconcile of web, of which its cache does not know enough, is an
// error and writes to no pod.
func (w *world) mayNotAdopt(what string) {
	w.server.Forget()
	_, err := w.reconcile("web")
	require.Error(w.t, err, "The ReplicaSet %s. It may not adopt, and Reconcile returned no error.", what)
	require.Empty(w.t, w.pods.Requests(fake.Update), "The ReplicaSet %s, and has adopted a pod.", what)
	require.Zero(w.t, w.created(), "The ReplicaSet %s and may not adopt. It has created a pod in place of that.", what)
}

func checkReleases(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	w.runs(rs, "a")
	w.runs(rs, "b", func(p *kit.Pod) { p.OwnerReferences = append(p.OwnerReferences, another) })
	w.runs(rs, "ended", func(p *kit.Pod) { p.Labels, p.Status.Phase = labels("debug"), kit.PodSucceeded })
	w.pods.Change(key("b"), func(p *kit.Pod) { p.Labels = labels("debug") })
	w.catchUp()
	w.settled("web")
	require.Equal(t, []kit.OwnerReference{another}, w.pods.Now(key("b")).OwnerReferences, "A pod whose labels do not match any more was not released, or lost another reference.")
	require.Equal(t, 1, w.created(), "A pod that was released was not replaced by one other.")
	require.Empty(t, w.deleted(), "A pod was deleted in place of being released.")
	require.Len(t, w.pods.Requests(fake.Update), 1, "One active pod does not match any more, and another number of pods was written.")
	checkReleaseFails(t, s)
}

func checkReleaseFails(t *conform.T, s Subject) {
	for _, c := range []struct {
		err     error
		created int
	}{{kit.NewNotFound("pods", "shop/b"), 1}, {kit.NewStatusError(kit.ReasonInternalError, "no"), 0}} {
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.runs(rs, "b", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.pods.Intercept(fake.Refuse(c.err, fake.Update))
		_, err := w.reconcile("web")
		require.Equal(t, c.created, w.created(), "The release of a pod fails (%v). Another number of pods was created than should be.", c.err)
		require.Equal(t, c.created == 0, err != nil, "The release of a pod fails (%v), and Reconcile returned %v.", c.err, err)
	}
	for _, bad := range []string{"a", "b"} { // in whatever order they are looked at, one of them is not the last
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.runs(rs, "a", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.runs(rs, "b", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.refuseUpdates(bad, errRefused)
		_, err := w.reconcile("web")
		require.ErrorIs(t, err, errRefused, "The release of one pod of two fails, and Reconcile did not return its error.")
		require.Equal(t, []string{bad}, w.live(rs), "The release of pod %s fails, and the other pod was not released.", bad)
	}
}

func checkBeingDeleted(t *conform.T, s Subject) {
	for _, replicas := range []int{0, 6} {
		w := build(t, s)
		w.sets.Graceful = true
		rs := w.stands(set("web", replicas))
		w.runs(rs, "a")
		w.settled("web")
		w.catchUp()
		require.Len(t, w.live(rs), replicas, "The ReplicaSet has another number of pods than it asks for, before anybody deletes it.")
		w.runs(rs, "b")
		w.runs(rs, "debug", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.lone("web", "c")
		w.sets.Drop(key("web"))
		w.catchUp()
		w.server.Forget()
		w.settled("web")
		require.Zero(t, w.created(), "A ReplicaSet that is being deleted has created pods.")
		require.Empty(t, w.deleted(), "A ReplicaSet that is being deleted has deleted pods.")
		require.Empty(t, w.pods.Requests(fake.Update), "A ReplicaSet that is being deleted has adopted or released pods.")
		require.Equal(t, replicas+1, w.sets.Now(key("web")).Status.Replicas, "A ReplicaSet that is being deleted has another number of replicas than its status says.")
	}
}

func checkBothOwners(t *conform.T, s Subject) {
	w := build(t, s)
	rs, other := w.stands(set("web", 1)), w.stands(set("db", 1))
	twin := set("web-2", 1)
	twin.Spec.Selector.MatchLabels = labels("web")
	w.stands(twin)
	w.runs(rs, "a")
	w.woken()
	w.becomes("a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(other)} }, "another owner", "shop/db", "shop/web")
	w.becomes("a", func(p *kit.Pod) { p.OwnerReferences = nil }, "no owner", "shop/db", "shop/web", "shop/web-2")
	w.becomes("a", func(p *kit.Pod) { p.Status.Ready = false }, "not ready, and has no owner")
	w.becomes("a", func(p *kit.Pod) { p.Labels = labels("db") }, "other labels", "shop/db")
	w.becomes("a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} }, "an owner", "shop/web")
	w.lone("web", "b")
	require.Equal(t, []string{"shop/web", "shop/web-2"}, w.woken(), "A pod without owner was added. Just those whose selector matches should be enqueued.")
	w.lone("web", "c", func(p *kit.Pod) { p.Namespace = "elsewhere" })
	require.Empty(t, w.woken(), "A pod of another namespace has enqueued a ReplicaSet.")
	checkNobodysCreation(t, s)
}

// becomes changes a pod and says who should be woken.
func (w *world) becomes(name string, edit func(p *kit.Pod), what string, want ...string) {
	w.pods.Change(key(name), edit)
	w.podFeed.CatchUp()
	if want == nil {
		want = []string{}
	}
	require.Equal(w.t, want, w.woken(), "The pod has %s now. Others were enqueued than should be.", what)
}

// checkNobodysCreation lets orphans and updates come while creations are outstanding.
func checkNobodysCreation(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	p := w.runs(rs, "a")
	w.settled("web")
	w.podFeed.Lose() // the creation is not heard of
	for _, q := range []*kit.Pod{p.DeepCopy(), p.DeepCopy()} {
		q.ResourceVersion += "0"
		w.podFeed.Bring(q)
	}
	orphan := p.DeepCopy()
	orphan.Name, orphan.OwnerReferences, orphan.Labels = "orphan", nil, labels("cron")
	w.podFeed.Bring(orphan)
	namesakes := p.DeepCopy()
	namesakes.Name, namesakes.OwnerReferences[0].UID = "namesakes", "uid-of-the-old-web"
	w.podFeed.Bring(namesakes)
	orphan = orphan.DeepCopy()
	orphan.Name, orphan.Labels, orphan.Status.Phase = "ended", labels("web"), kit.PodFailed
	w.podFeed.Bring(orphan)
	w.settled("web")
	require.Equal(t, 1, w.created(), "An update, or a pod without owner or of another one, has been taken for the creation that was expected.")
}
