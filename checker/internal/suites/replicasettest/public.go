package replicasettest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "creates-what-is-missing",
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Reconcile creates exactly the missing pods from the template, each controlled by its ReplicaSet.",
		Why:    "By the owner reference the controller finds its pods, and the garbage collector knows what goes with the ReplicaSet.",
		Hint: []string{
			"Which fields of a pod come from the template, which from the ReplicaSet, and which from the API server?",
			"Namespace and GenerateName from the ReplicaSet; labels, annotations and spec from the template, as copies; one owner reference with Controller set.",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: GetPodFromTemplate",
		Contract: []string{
			"the replicas are too few or too many, it creates or deletes the difference, but at most Burst.",
			`A pod is in the namespace of the ReplicaSet, and has the template's labels, annotations and spec, and nothing else of it; a GenerateName, which is the name of the ReplicaSet and "-"; and one owner reference, to the ReplicaSet, which is its controller. APIVersion and Kind of the reference are those of kit.ReplicaSets, even if the object in the cache has none: many caches leave them out.`,
			"A pod without a controller that its selector matches is adopted: Update adds a reference like that of a created pod.",
			"Each pod created or deleted is a Normal event about the ReplicaSet",
			"It starts no goroutine that outlives a call.",
			"several reconcilers may be made over one cache, one after the other.",
			"Of the metadata only labels and annotations count.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkCreates(t, open()) },
	},
	{
		Name:   "deletes-what-is-too-many",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "If there are too many active pods, Reconcile deletes just the difference. Pods that have ended or are being deleted do not count, nor do those of other owners.",
		Why:    "A failed pod serves nobody and has to be replaced. It need not be deleted: somebody may want to know why it failed.",
		Hint: []string{
			"Which pods are replicas? Begin with Pod.Active and the UID of the controller.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: manageReplicas (FilterActivePods)",
		Contract: []string{
			"The reference names the ReplicaSet by UID.",
			"the replicas are too few or too many, it creates or deletes the difference, but at most Burst.",
			"Reconcile looks only at active pods (Pod.Active) of its namespace",
			"A pod that another object controls is ignored, whatever its labels.",
			"Each pod created or deleted is a Normal event about the ReplicaSet",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkDeletes(t, open()) },
	},
	{
		Name:   "waits-for-its-own-pods",
		Points: 5,
		Func:   "ReplicaSetReconciler.Reconcile",
		Look:   []string{"ReplicaSetReconciler.Reconcile", "ReplicaSetReconciler.PodHandler"},
		Rule:   "Until the cache has shown every pod that was created, Reconcile creates no more, however often it is called.",
		Why:    "The cache lags behind by milliseconds or by minutes. A controller that counts it all the same creates everything twice.",
		Hint: []string{
			"The second Reconcile reads the same cache as the first. What has to be different?",
			"ExpectCreations before creating, CreationObserved in the handler's OnAdd, SatisfiedExpectations before managing.",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: ControllerExpectations",
		Contract: []string{
			"If the expectations were satisfied and the ReplicaSet is not being deleted, and the replicas are too few or too many, it creates or deletes the difference",
			"It calls the Expect method before the first request goes out.",
			"A pod that is added is a creation observed for its owner",
			"As long as something is expected, the cache is known to lag, and nobody may count it.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkWaits(t, open()) },
	},
	{
		Name:   "expectations-add-up",
		Points: 4,
		Func:   "Expectations",
		Look:   []string{"Expectations.ExpectCreations", "Expectations.ExpectDeletions", "Expectations.CreationObserved", "Expectations.SatisfiedExpectations"},
		Rule:   "Expectations are satisfied if nothing was ever expected or nothing is outstanding. Keys are independent, and a new Expect call replaces what was expected before.",
		Why:    "Each wrong count is a ReplicaSet that stands still for five minutes, or one that creates pods twice.",
		Hint: []string{
			"Creations are a number, deletions are a set. Which calls may change which?",
			"CreationObserved must not make an entry for a key without expectations.",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: UIDTrackingControllerExpectations",
		Contract: []string{
			"They may fall below zero, because pods may appear that nobody expected. If nothing was ever expected for key, it does nothing.",
			"CreationObserved lowers the expected creations of key by one.",
			"A string that comes twice is one pod. ExpectDeletions replaces earlier expectations of key, and does not keep the slice.",
			"A pod that is not among them, or no longer, changes nothing: each counts once.",
			"nothing was ever expected for key, or no creation and no deletion is outstanding",
			"DeleteExpectations forgets key, as if nothing had ever been expected.",
			"GetExpectations returns how many creations and deletions are outstanding (fewer than none, if they have fallen below zero), and whether anything was ever expected for key: an Expect method was called, even with 0 or no pods, and key was not forgotten since.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkExpectations(t, open()) },
	},
	{
		Name:   "slow-start-doubles",
		Points: 3,
		Func:   "SlowStartBatch",
		Rule:   "While no call fails, batches double until everything is done, and the calls of one batch run at the same time.",
		Why:    "Five hundred requests one after the other take minutes. Nine batches take nine round trips.",
		Hint: []string{
			"Ten calls are wanted. How large is the last batch? 1, 2, 4 and then?",
			"Use min(2*size, count-done), and a WaitGroup between one batch and the next.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: slowStartBatch",
		Contract: []string{
			"the first has initialBatchSize calls, each further one twice as many as the one before, and the last has what is left. The calls of one batch run at the same time, and a batch begins when all calls of the one before have returned.",
			"SlowStartBatch returns how many calls have returned nil",
			"With a count of zero or less it calls nothing.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkDoubling(t, open()) },
	},
	{
		Name:   "status-counts-replicas",
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "The status says how many replicas the cache shows, how many are ready and which generation was acted on. Reconcile writes it only if it has changed.",
		Why:    "Deployments and people read it. A write that changes nothing wakes every watcher, and first of all this controller.",
		Hint: []string{
			"Do pods count that you have just created and that are not in the cache yet?",
			"Compare the whole status, ObservedGeneration included, with the one in the cache, before you write.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set_utils.go: calculateStatus, updateReplicaSetStatus",
		Contract: []string{
			"The status counts the replicas of claim.go. A pod that has just been created does not count until the cache shows it, and one that has just been deleted counts until the cache shows that.",
			"ReadyReplicas is how many of them are ready.",
			"ObservedGeneration is the generation of the ReplicaSet that was acted on: the one in the cache.",
			"If none of this differs from the status in the cache, nothing is written. Otherwise Update writes the ReplicaSet, with nothing changed but its status.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkStatus(t, open()) },
	},
	{
		Name:   "pods-wake-their-owner",
		Points: 3,
		Func:   "ReplicaSetReconciler.PodHandler",
		Look:   []string{"ReplicaSetReconciler.PodHandler", "ReplicaSetReconciler.ReplicaSetHandler"},
		Rule:   "A pod that is added, changed or deleted enqueues the ReplicaSet that controls it, by UID, and no other. A resync enqueues nothing.",
		Why:    "The work queue holds names of ReplicaSets, and events are about pods. With ten thousand pods a resync would be ten thousand needless wake-ups.",
		Hint: []string{
			"What must you compare beside the name to get from the pod's controller reference to the ReplicaSet?",
			"If the resource versions are equal, nothing has happened.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: addPod, updatePod, deletePod, resolveControllerRef",
		Contract: []string{
			"It enqueues every ReplicaSet that is added, updated or deleted; a resync is an update, too.",
			"The owner of a pod is the ReplicaSet of its namespace in the cache to which its controller reference points: Kind, name and UID are the same, whatever its APIVersion.",
			"An update in which the resource version stays the same is a resync: nothing is enqueued. In every other update the owner is enqueued",
			"A pod that is added is a creation observed for its owner, which is enqueued.",
			"They call enqueue for the ReplicaSets named below and for no others",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkWakes(t, open()) },
	},
}

func checkCreates(t *conform.T, s Subject) {
	w := build(t, s)
	rs := set("web", 3)
	rs.Spec.Template.Name, rs.Spec.Template.Finalizers = "a-template", []string{"example.com/keep"}
	rs = w.stands(rs)
	w.settled("web")
	pods := w.pods.All()
	t.Require(len(pods) == 3, "The ReplicaSet shop/web asks for 3 pods and had none. After one Reconcile there are %d.", len(pods))
	for _, p := range pods {
		w.isMadeFrom(rs, p)
	}
	w.hasSaid("Three pods were created", map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 3})

	checkUnrecorded(t, s)
	checkUntyped(t, s)
	checkSecondReconciler(t, s)
	checkTemplate(t, s)
}

// checkUnrecorded has no recorder, and each event that there is.
func checkUnrecorded(t *conform.T, s Subject) {
	w := build(t, s, func(_ *world, o *Options) { o.Recorder = nil })
	w.stands(set("web", 1))
	w.settled("web")
	w.hasCreated(1, "1 is wanted. Options.Recorder is nil, so the events go nowhere")
	for _, replicas := range []int{2, 0} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = replicas })
		w.catchUp()
		w.pods.Intercept(fake.Refuse(errRefused))
		_, err := w.reconcile("web")
		t.Require(errors.Is(err, errRefused), "Options.Recorder is nil, so the events go nowhere. The only request for a pod failed with the error %q. Reconcile should have returned that error, and returned %s.", errRefused, conform.Said(err))
		w.pods.Intercept()
	}
	w.settled("web")
	w.hasDeleted(2, "none is wanted. Options.Recorder is nil, so the events go nowhere, and the deletion that failed is tried again")
}

// isMadeFrom requires that p is what rs makes from its template.
func (w *world) isMadeFrom(rs *kit.ReplicaSet, p *kit.Pod) {
	t, template := w.t, rs.Spec.Template
	t.Require(p.Namespace == namespace, "The pod %s was created in the namespace %q, and its ReplicaSet is in %q.", p.Name, p.Namespace, namespace)
	t.Require(p.GenerateName == rs.Name+"-", "A pod of the ReplicaSet %s was created with the GenerateName %q. It should be the name of the ReplicaSet and a hyphen, %q.", rs.Name, p.GenerateName, rs.Name+"-")
	t.Same(template.Labels, p.Labels, "The labels of the new pod %s are not those of the template", p.Name)
	t.Same(template.Annotations, p.Annotations, "The annotations of the new pod %s are not those of the template", p.Name)
	t.Same(template.Spec, p.Spec, "The spec of the new pod %s is not that of the template", p.Name)
	t.Require(p.Name != "a-template" && len(p.Finalizers) == 0, "The new pod %s has the finalizers %s. Of the template's metadata only labels and annotations count, and not its name and finalizers.",
		p.Name, conform.Listed(p.Finalizers))
	t.Require(slices.Equal(p.OwnerReferences, []kit.OwnerReference{ref(rs)}), "The owner references of the new pod %s are: %s. There should be one, to its ReplicaSet, which is its controller: %s.",
		p.Name, refs(p.OwnerReferences), refs([]kit.OwnerReference{ref(rs)}))
}

// checkTemplate has a ReplicaSet with a long name, and a template with a node, with more labels
// than are selected, and with metadata that do not count.
func checkTemplate(t *conform.T, s Subject) {
	w := build(t, s)
	rs := set(strings.Repeat("long-", 14)+"name", 1)
	template := &rs.Spec.Template
	template.Labels = map[string]string{"app": rs.Name, "tier": "front"}
	template.Spec.NodeName = "node-1"
	template.Namespace = "elsewhere"
	template.OwnerReferences = []kit.OwnerReference{{APIVersion: "v1", Kind: "Note", Name: "n", UID: "uid-note"}}
	rs = w.stands(rs)
	w.settled(rs.Name)
	w.hasCreated(1, "1 is wanted, and there was none")
	for _, p := range w.pods.All() {
		w.isMadeFrom(rs, p)
	}
}

// checkUntyped has a ReplicaSet in the cache that does not say what it is.
func checkUntyped(t *conform.T, s Subject) {
	typedAs(t, s, "leaves out APIVersion and Kind, as many caches do", kit.TypeMeta{})
	typedAs(t, s, "has another APIVersion", kit.TypeMeta{APIVersion: "extensions/v1beta1", Kind: "ReplicaSet"})
}

// typedAs has a ReplicaSet in the cache that says this of what it is.
func typedAs(t *conform.T, s Subject, says string, typed kit.TypeMeta) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	w.lone("web", "orphan")
	cached := rs.DeepCopy()
	cached.TypeMeta = typed
	w.setFeed.Bring(cached)
	t.Note("the ReplicaSet in the cache %s", says)
	w.settled("web")
	pods := w.pods.All()
	t.Require(len(pods) == 2, "2 are wanted, and there was one pod, to be adopted. After one Reconcile there are %d.", len(pods))
	for _, p := range pods {
		t.Require(slices.Equal(p.OwnerReferences, []kit.OwnerReference{ref(rs)}), "The object in the cache %s. "+
			"The owner references of the pod %s are: %s. APIVersion and Kind should be those of kit.ReplicaSets all the same: %s.", says, p.Name, refs(p.OwnerReferences), refs([]kit.OwnerReference{ref(rs)}))
	}
	w.hasSaid("The object in the cache "+says+", and an event is about a ReplicaSet all the same. One pod was created", map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 1})
}

// checkSecondReconciler makes two reconcilers over the same caches, one after the other.
func checkSecondReconciler(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.restart(s)
	w.settled("web")
	w.hasCreated(1, "1 is wanted. This is the second reconciler over these caches")
}

func checkDeletes(t *conform.T, s Subject) {
	w := build(t, s)
	rs, other := w.stands(set("web", 2)), w.stands(set("db", 1))
	w.runs(rs, "a")
	w.runs(rs, "b")
	w.runs(rs, "c", func(p *kit.Pod) { p.OwnerReferences[0].APIVersion = "extensions/v1beta1" })
	w.runs(rs, "failed", failed)
	w.runs(other, "db-1", func(p *kit.Pod) { p.Labels = labels("web") })
	w.runs(rs, "namesake-1", func(p *kit.Pod) { p.OwnerReferences[0].UID = "uid-of-the-old-web" })
	w.runs(rs, "abroad", elsewhere)
	w.settled("web")
	w.hasDeleted(1, "2 replicas are wanted, and it controls 3 active pods: a, b and c, of which c names it by UID and with an older APIVersion. The failed pod does not count, nor do those of other owners, "+
		"nor does elsewhere/abroad, which names it by UID from another namespace")
	w.hasLive(rs, 2, "one of its 3 active pods had to go, and %s went", conform.Listed(w.deleted()))
	w.hasCreated(0, "it has a pod too many")
	w.catchUp()
	w.pods.Change(key(w.live(rs)[0]), func(p *kit.Pod) { p.Status.Phase = kit.PodSucceeded })
	w.catchUp()
	w.settled("web")
	w.hasCreated(1, "one of its 2 pods has ended, and has to be replaced")
	w.hasDeleted(1, "a pod that has ended is no replica, and is not deleted either")
	w.hasSaid("One pod was deleted and one created", map[string]int{"Normal SuccessfulDelete ReplicaSet/web": 1, "Normal SuccessfulCreate ReplicaSet/web": 1})
}

func checkWaits(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 3))
	w.settled("web")
	for range 3 {
		time.Sleep(time.Second)
		w.settled("web")
		w.hasCreated(3, "the first Reconcile created all 3, and the cache has shown none of them yet, so nobody may count it")
	}
	w.podFeed.Deliver(2)
	w.settled("web")
	w.hasCreated(3, "3 were created, and the cache has shown only 2 of them, so nobody may count it")
	w.catchUp()
	w.settled("web")
	w.hasCreated(3, "3 are wanted, and all 3 are in the cache")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 5 })
	w.catchUp()
	w.settled("web")
	w.hasCreated(5, "the cache has shown all 3 pods, so no creation is outstanding, and now 5 are wanted")

	w = build(t, s)
	w.stands(set("web", 1))
	w.settled("web")
	p := w.pods.All()[0]
	w.podFeed.Lose()
	w.podFeed.Cache.Store(p)
	t.Do(func() { w.onPods.OnAdd(p, true) }, "OnAdd(%s), of the initial list", p.Name)
	w.pods.Change(kit.Key(p), failed)
	w.catchUp()
	w.settled("web")
	w.hasCreated(2, "1 is wanted, and the one that was created has failed. PodHandler had heard of it by OnAdd, as a pod of the initial list, "+
		"which is a creation observed like any other, so nothing is outstanding")
	checkChangedWhenAdded(t, s)
	checkNameAgain(t, s)
	checkScaledDown(t, s)
}

// checkScaledDown has a ReplicaSet that is scaled down while creations are outstanding.
func checkScaledDown(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 4))
	w.runs(rs, "a")
	w.runs(rs, "b")
	w.settled("web")
	w.hasCreated(2, "4 are wanted, and it has a and b")
	for _, wanted := range []int{1, 2, 5, 2, 1} {
		w.scaledTo(wanted)
		const lags = "%d are wanted now, and the cache shows a and b. 2 more were created, which it has not shown yet, so nobody may count it, whatever was wanted meanwhile"
		w.hasDeleted(0, lags, wanted)
		w.hasCreated(2, lags, wanted)
	}
	checkScaledUp(t, s)
}

// checkScaledUp has a ReplicaSet that is scaled up while deletions are outstanding.
func checkScaledUp(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	for _, name := range []string{"a", "b", "c"} {
		w.runs(rs, name)
	}
	w.settled("web")
	w.hasDeleted(2, "1 is wanted, and it has a, b and c")
	for _, wanted := range []int{5, 3, 1, 3, 5} {
		w.scaledTo(wanted)
		const lags = "%d are wanted now, and the cache shows a, b and c. 2 of these were deleted, which it has not shown yet, so nobody may count it, whatever was wanted meanwhile"
		w.hasCreated(0, lags, wanted)
		w.hasDeleted(2, lags, wanted)
	}
}

// scaledTo reconciles shop/web when another number is wanted, as its cache shows.
func (w *world) scaledTo(wanted int) {
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = wanted })
	w.setFeed.CatchUp()
	w.settled("web")
}

// checkNameAgain has a pod that is deleted, and a new one of the same name.
func checkNameAgain(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.settled("web")
	w.catchUp()
	old := w.pods.All()[0]
	w.pods.Remove(kit.Key(old))
	w.catchUp()
	w.settled("web")
	w.hasCreated(2, "1 is wanted, and the only pod was deleted by a user")
	w.podFeed.Lose()
	next := w.pods.All()[0].DeepCopy()
	next.Name = old.Name
	t.Note("the second pod got the name of the first, and PodHandler hears of it by OnAdd")
	w.podFeed.Bring(next)
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.catchUp()
	w.settled("web")
	w.hasCreated(3, "2 are wanted now. The second pod was added under the name of the first, which is gone. A pod that is added is a creation observed, so nothing is outstanding and 1 is missing")
}

// checkChangedWhenAdded has a new pod that is not what it was when the handler first hears of it.
func checkChangedWhenAdded(t *conform.T, s Subject) {
	for _, c := range []struct {
		what string
		edit func(p *kit.Pod)
	}{
		{"has failed already", failed},
		{"has other labels already, so that it is released", func(p *kit.Pod) { p.Labels = labels("debug") }},
	} {
		w := build(t, s)
		w.stands(set("web", 1))
		w.settled("web")
		p := w.pods.All()[0]
		w.podFeed.Lose()
		w.pods.Change(kit.Key(p), c.edit)
		w.catchUp()
		w.settled("web")
		w.hasCreated(2, "1 is wanted. The one that was created %s, when PodHandler hears of it by OnAdd. A pod that is added is a creation observed for its owner, so nothing is outstanding, and no replica is left", c.what)
	}
}

func checkExpectations(t *conform.T, s Subject) {
	e := expecting(t, s)
	e.requires("shop/web", true, "nothing was ever expected")
	e.created("shop/web")
	adds, dels, exists := e.get("shop/web")
	t.Require(!exists, "CreationObserved(shop/web) was called for a key for which nothing was ever expected, and now GetExpectations says that something was.")
	t.Require(adds == 0 && dels == 0, "Nothing was ever expected for shop/web, and GetExpectations says that %s and %s are outstanding.", conform.Some(adds, "creation"), conform.Some(dels, "deletion"))
	e.expectCreations("shop/web", 2)
	e.requires("shop/web", false, "two creations are outstanding")
	e.requires("shop/db", true, "that key never expected anything")
	e.created("shop/db")
	e.created("shop/web")
	e.requires("shop/web", false, "one creation is outstanding")
	e.created("shop/web")
	e.requires("shop/web", true, "both creations were observed")
	e.created("shop/web")
	e.outstanding("shop/web", -1, 0, "two creations were expected and three observed")
	e.requires("shop/web", true, "more creations were observed than expected, and none is outstanding")
	e.expectCreations("shop/web", 1)
	e.requires("shop/web", false, "one creation is newly expected, and what was before is forgotten")
	e.expectDeletions("shop/web", "a", "b")
	e.outstanding("shop/web", 0, 2, "two deletions are newly expected, and nothing else")
	e.created("shop/web")
	e.deleted("shop/web", "z")
	e.deleted("shop/web", "a")
	e.deleted("shop/web", "a")
	e.requires("shop/web", false, "the deletion of b is outstanding: a was observed twice and z was not waited for")
	e.deleted("shop/web", "b")
	e.requires("shop/web", true, "both deletions were observed")
	mine := []string{"c", "d"}
	e.expectDeletions("shop/web", mine...)
	mine[0], mine[1] = "x", "y"
	t.Note("the caller writes x and y into the slice that it has passed to ExpectDeletions")
	e.deleted("shop/web", "c")
	e.deleted("shop/web", "d")
	e.outstanding("shop/web", 0, 0, "the deletions of c and d were expected and observed. "+
		"What the caller has written into its slice since does not matter: ExpectDeletions does not keep it")
	e.expectDeletions("shop/web", "c")
	e.expectCreations("shop/web", 0)
	e.requires("shop/web", true, "ExpectCreations forgets the deletions that were expected")
	e.expectCreations("shop/web", 7)
	e.delete("shop/web")
	e.requires("shop/web", true, "the expectations were deleted")
	e.expectsNone()
}

// expectsNone expects a creation, and then the deletion of no pods, and more on another key.
func (x expectations) expectsNone() {
	x.expectCreations("shop/none", 1)
	x.expectDeletions("shop/none")
	x.requires("shop/none", true, "ExpectDeletions of no pods forgets the creation that was expected")
	x.outstanding("shop/none", 0, 0, "ExpectDeletions was called, be it with no pods")
	x.expectDeletions("shop/nothing")
	x.outstanding("shop/nothing", 0, 0, "ExpectDeletions was called, be it with no pods")
	x.expectCreations("shop/nothing-either", 0)
	x.outstanding("shop/nothing-either", 0, 0, "ExpectCreations was called, be it with 0")
	x.replacesAndForgets()
}

// replacesAndForgets expects deletions twice, and forgets them.
func (x expectations) replacesAndForgets() {
	const key = "shop/cron"
	x.deleted(key, "a")
	x.knowsNothing(key, "a deletion was observed, and nothing was ever expected: that changes nothing")
	x.expectCreations(key, 3)
	x.expectCreations(key, 2)
	x.outstanding(key, 2, 0, "2 creations are newly expected, and the 3 from before no longer")
	x.expectDeletions(key, "a")
	x.expectDeletions(key, "b", "b")
	x.outstanding(key, 0, 1, "the deletion of b is newly expected, which is one pod though it is named twice, and that of a no longer")
	x.created(key)
	x.outstanding(key, -1, 1, "no creation was expected, and one observed: the expected creations may fall below zero")
	x.deleted(key, "b")
	x.outstanding(key, -1, 0, "the deletion of b was expected and observed")
	x.deleted(key, "early")
	x.expectDeletions(key, "early")
	x.outstanding(key, 0, 1, "the deletion of early is newly expected. That it was observed before, when it was not expected, changes nothing")
	x.delete(key)
	x.knowsNothing(key, "its expectations were deleted")
	x.created(key)
	x.knowsNothing(key, "its expectations were deleted, and a creation observed after that")
	x.onOtherKeys()
}

// onOtherKeys expects the same on keys of one name and of one namespace, and observes it for one of them.
func (x expectations) onOtherKeys() {
	const one, namesake, neighbour = "shop/pair", "elsewhere/pair", "shop/other"
	x.expectCreations(one, 1)
	x.requires(namesake, true, "that key never expected anything. Keys are independent, and shop/pair is another one")
	for _, key := range []string{one, namesake, neighbour} {
		x.expectDeletions(key, "a")
	}
	x.deleted(one, "a")
	x.created(one)
	for _, key := range []string{namesake, neighbour} {
		x.outstanding(key, 0, 1, "the deletion of a was expected for each of three keys, and observed for shop/pair alone. Keys are independent")
	}
	x.expectCreations(neighbour, 0)
	x.outstanding(neighbour, 0, 0, "ExpectCreations was called, be it with 0")
	x.outstanding(one, -1, 0, "the deletion of a was expected for each of three keys, and observed for shop/pair alone, as was a creation")
}

// knowsNothing demands what GetExpectations has to answer for a key without expectations.
func (x expectations) knowsNothing(key, why string) {
	adds, dels, exists := x.get(key)
	x.t.Require(!exists && adds == 0 && dels == 0, "GetExpectations(%s) returned %d, %d, %t, and should have returned 0, 0, false, as if nothing had ever been expected: %s.", key, adds, dels, exists, why)
}

func checkDoubling(t *conform.T, s Subject) {
	for _, c := range []struct {
		count, initial int
		batches        []int
	}{{7, 1, []int{1, 2, 4}}, {10, 1, []int{1, 2, 4, 3}}, {5, 2, []int{2, 3}}, {14, 2, []int{2, 4, 8}}, {3, 8, []int{3}}, {20, 5, []int{5, 10, 5}}, {0, 1, nil}, {-1, 1, nil},
		{511, 1, []int{1, 2, 4, 8, 16, 32, 64, 128, 256}}} {
		b := counting(t, nil)
		done, err := b.run(s, c.count, c.initial)
		t.Require(err == nil, "Every call of f returned nil, and SlowStartBatch(%d, %d, f) returned %s.", c.count, c.initial, conform.Said(err))
		b.wants(c.batches, fmt.Sprintf("%d calls are asked for, the first batch has %d, a call takes 1s or 2s, and each batch has twice as many as the one before", c.count, c.initial))
		t.Require(done == max(c.count, 0), "%d calls of f returned nil, and SlowStartBatch(%d, %d, f) returned %d.", max(c.count, 0), c.count, c.initial, done)
	}
}

func checkStatus(t *conform.T, s Subject) {
	w := build(t, s)
	noted := set("web", 4)
	noted.Labels, noted.Annotations, noted.Finalizers = labels("front"), map[string]string{"note": "by a user"}, []string{"example.com/keep"}
	rs := w.stands(noted)
	w.runs(rs, "a")
	w.runs(rs, "b", func(p *kit.Pod) { p.Status.Ready = false })
	w.runs(rs, "c", failed)
	w.settled("web")
	got := w.sets.Now(key("web"))
	t.Same(kit.ReplicaSetStatus{Replicas: 2, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}, got.Status,
		"The cache shows 2 active pods, of which 1 is ready, and the ReplicaSet at generation 1. The 2 that were just created do not count yet. The status that was written is wrong")
	t.Same(rs.Spec, got.Spec, "The Update that wrote the status has changed the spec too")
	got.ResourceVersion = rs.ResourceVersion
	t.Same(rs.ObjectMeta, got.ObjectMeta, "The Update that wrote the status has changed the metadata too")
	w.catchUp()
	w.settled("web")
	replicas := w.sets.Now(key("web")).Status.Replicas
	t.Require(replicas == 4, "The cache shows all 4 pods now, and after a Reconcile the status still says %d replicas.", replicas)
	w.catchUp()
	w.server.Forget()
	for range 3 {
		w.settled("web")
	}
	t.Require(w.changes() == 0, "Nothing had changed, and three calls of Reconcile made %s. A status that is as it was is not written.", conform.Some(w.changes(), "write"))
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Template.Spec.Image = "new" })
	w.catchUp()
	w.settled("web")
	observed := w.sets.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 2, "The template has changed, which makes generation 2 and needs no pod. After a Reconcile ObservedGeneration in the status is %d, and should be 2.", observed)
	checkStatusOfDeleted(t, s)
	checkStatusWhileWaiting(t, s)
}

// checkStatusWhileWaiting has a ReplicaSet that is changed while creations are outstanding.
func checkStatusWhileWaiting(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	w.settled("web")
	w.podFeed.Lose()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Template.Spec.Image = "new" })
	w.catchUp()
	w.runs(rs, "a", func(p *kit.Pod) { p.Status.Ready = false })
	w.settled("web")
	w.hasCreated(2, "2 were created, and only one pod was added since then")
	t.Same(kit.ReplicaSetStatus{Replicas: 1, ObservedGeneration: 2}, w.sets.Now(key("web")).Status,
		"One more creation is outstanding. The cache shows 1 pod, which is not ready, and the ReplicaSet at generation 2. Reconcile writes the status also if it has created nothing. The status is wrong")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Status = kit.ReplicaSetStatus{} })
	w.catchUp()
	w.settled("web")
	t.Same(kit.ReplicaSetStatus{Replicas: 1, ObservedGeneration: 2}, w.sets.Now(key("web")).Status,
		"Somebody else has written an empty status after that, which the cache shows, so that it differs from what Reconcile counts. After a Reconcile the status is wrong")
}

// checkStatusOfDeleted has pods that are deleted in the Reconcile that counts them. One is ready
// though its node is silent.
func checkStatusOfDeleted(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.runs(rs, "b")
	w.runs(rs, "c", func(p *kit.Pod) { p.Status.Phase = kit.PodUnknown })
	w.settled("web")
	w.hasDeleted(2, "1 is wanted, and it has a, b and c")
	t.Same(kit.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, ObservedGeneration: 1}, w.sets.Now(key("web")).Status,
		"The cache shows 3 active pods, which are ready. The 2 that were just deleted count until the cache shows that. The status that was written is wrong")
	w.catchUp()
	w.settled("web")
	replicas := w.sets.Now(key("web")).Status.Replicas
	t.Require(replicas == 1, "The cache shows that 1 pod is left, and after a Reconcile the status says %d replicas.", replicas)
	w.pods.Remove(key(w.live(rs)[0]))
	w.catchUp()
	w.settled("web")
	replicas = w.sets.Now(key("web")).Status.Replicas
	t.Require(replicas == 0, "The cache shows that no pod is left, and after a Reconcile the status says %d replicas.", replicas)
}

func checkWakes(t *conform.T, s Subject) {
	w := build(t, s)
	n := news{w, w.t.Row()}
	rs := w.stands(set("web", 1))
	w.stands(set("db", 1))
	n.wakes("the ReplicaSets web and db added", "shop/db", "shop/web")
	w.runs(rs, "a")
	n.wakes("a pod of web added", "shop/web")
	n.becomes("a", func(p *kit.Pod) { p.Status.Ready = false }, "a pod of web not ready any more", "shop/web")
	w.podFeed.Resync(key("a"))
	w.podFeed.CatchUp()
	n.wakes("a resync of a pod of web, with the same resource version")
	w.setFeed.Resync(key("db"))
	w.setFeed.CatchUp()
	n.wakes("a resync of the ReplicaSet db, which is an update of it", "shop/db")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Labels = labels("another") })
	w.setFeed.CatchUp()
	n.wakes("the ReplicaSet web with other labels, at the same generation", "shop/web")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Status.Replicas = 7 })
	w.setFeed.CatchUp()
	n.wakes("the ReplicaSet web with another status, and nothing else", "shop/web")
	t.Do(func() { w.onSets.OnAdd(w.sets.Now(key("web")), true) }, "OnAdd(web, isInInitialList true)")
	n.wakes("the ReplicaSet web added as one of the initial list", "shop/web")
	w.pods.Drop(key("a"))
	w.catchUp()
	n.wakes("a pod of web deleted", "shop/web")
	w.sets.Drop(key("db"))
	w.catchUp()
	n.wakes("the ReplicaSet db deleted", "shop/db")
	w.runs(rs, "stranger", func(p *kit.Pod) { p.OwnerReferences[0].UID = "uid-of-the-old-web" })
	n.wakes("a pod added of an older web, with another UID")
	w.runs(rs, "job", func(p *kit.Pod) { p.OwnerReferences[0].Kind = "Job" })
	n.wakes("a pod added that a Job controls")
	w.runs(rs, "alias", func(p *kit.Pod) { p.OwnerReferences[0].Name = "another" })
	n.wakes("a pod added whose controller reference has the UID of web and another name")
	w.runs(rs, "veteran", func(p *kit.Pod) { p.OwnerReferences[0].APIVersion = "extensions/v1beta1" })
	n.wakes("a pod of web added whose controller reference has an older APIVersion", "shop/web")
	w.runs(rs, "shared", func(p *kit.Pod) {
		p.OwnerReferences = []kit.OwnerReference{{APIVersion: "v1", Kind: "Note", Name: "n", UID: "uid-note"}, ref(rs)}
	})
	n.wakes("a pod of web added whose controller reference is the second of two", "shop/web")
	n.wakesInAnyState(rs)
	n.judged()
	checkTwoQueues(t, s)
}

// checkTwoQueues makes handlers for another queue, and has the first ones hear of events, and then
// the others.
func checkTwoQueues(t *conform.T, s Subject) {
	w := build(t, s)
	second := &world{queue: t.Named("second queue"), queued: map[kit.Request]bool{}}
	var pods kit.ResourceEventHandler[*kit.Pod]
	var sets kit.ResourceEventHandler[*kit.ReplicaSet]
	t.Do(func() { pods, sets = w.r.PodHandler(second.note), w.r.ReplicaSetHandler(second.note) }, "PodHandler and ReplicaSetHandler, with the enqueue of a second queue")
	enqueued := func(what string, first, other []string) {
		d := conform.Differ(map[string][]string{"first": first, "second": other}, map[string][]string{"first": w.woken(), "second": second.woken()})
		t.Require(d == "", "Each handler has an enqueue of its own: the one it was made with. %s. What was enqueued: %s.", what, d)
	}
	web, none := []string{"shop/web"}, []string{}
	rs := w.stands(set("web", 1))
	enqueued("The first ReplicaSetHandler has heard of web", web, none)
	p := w.runs(rs, "a")
	enqueued("The first PodHandler has heard of a pod of web", web, none)
	t.Do(func() { sets.OnAdd(rs, false) }, "OnAdd(web), of the second ReplicaSetHandler")
	enqueued("The second ReplicaSetHandler has heard of web", none, web)
	t.Do(func() { pods.OnAdd(p, false) }, "OnAdd(a), of the second PodHandler")
	enqueued("The second PodHandler has heard of a pod of web", none, web)
}

// wakesInAnyState has events of pods that are no replicas, and of an owner that is being deleted.
func (n news) wakesInAnyState(rs *kit.ReplicaSet) {
	now := time.Now()
	n.w.runs(rs, "abroad", elsewhere)
	n.wakes("a pod added in another namespace, whose controller reference has the UID of web")
	n.w.runs(rs, "failed", failed)
	n.wakes("a pod of web added that has failed already", "shop/web")
	n.becomes("failed", func(p *kit.Pod) { p.Annotations = map[string]string{"seen-by": "a user"} }, "a pod of web that has failed got an annotation", "shop/web")
	n.becomes("failed", leaving, "a pod of web being deleted now", "shop/web")
	n.w.podFeed.Resync(key("failed"))
	n.w.podFeed.CatchUp()
	n.wakes("a resync of a pod of web that is being deleted, with the same resource version")
	n.w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.DeletionTimestamp = &now })
	n.w.setFeed.CatchUp()
	n.wakes("the ReplicaSet web being deleted now", "shop/web")
	n.w.runs(rs, "late")
	n.wakes("a pod of web added, while web is being deleted", "shop/web")
}
