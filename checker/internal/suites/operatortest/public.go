package operatortest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "conditions-keep-their-time",
		Points: 4,
		Func:   "SetCondition",
		Rule:   "SetCondition moves LastTransitionTime only when Status becomes another one, and reports whether anything has changed. It does not write to the array that was there.",
		Why:    "A time that moves with each look makes each look a write, each write an event, and each event a look. And it hides since when a database is down.",
		Hint: []string{
			"What of c decides, and what of the condition that was there stays?",
			"Compare the condition as it will be with the one that was. Clone the slice before you put it in.",
		},
		Source: "apimachinery pkg/api/meta/conditions.go: SetStatusCondition; Kubernetes API conventions, Typical status properties; multigres-operator#185, which set it to now each time",
		Contract: []string{
			"LastTransitionTime is the moment at which Status became what it is, and that of c is ignored: of a condition that is new, or whose Status was another one, it becomes now; otherwise it stays as it was.",
			"It reports whether it has changed anything.",
			"SetCondition puts c among the conditions, in the place of the one of its type, or at the end if there is none.",
			"Reason, Message and ObservedGeneration become those of c.",
			"Others may share the array of the slice that conditions points to: nothing is written to it, not even behind the last element.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkConditions(t, open())
			checkConditionFields(t, open())
			checkSharedArray(t, open())
			checkItsOwnType(t, open())
			checkTimeOfNobody(t, open())
		},
	},
	{
		Name:   "creates-and-comes-back",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Look:   []string{"DatabaseReconciler.Reconcile", "New"},
		Rule:   "Reconcile has the cloud create a database, asks again within Poll until it is available, and then reports it, with a Secret for the connection.",
		Why:    "A database takes minutes. A worker that waited for it would be missing for everything else.",
		Hint: []string{
			"What does GetDatabase say before, during and after? Each answer needs a line of its own.",
			"CreateDatabase returns at once. Return RequeueAfter: Poll and look again.",
		},
		Source: "controller-runtime pkg/reconcile/reconcile.go: Result; Crossplane documentation, Managed resources; the contract of this lab",
		Contract: []string{
			"Otherwise CreateDatabase is called, with CloudName and CloudOwner, and it waits.",
			"if it waits, RequeueAfter is at least a quarter of Poll and at most Poll",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
			"Zero is 15 seconds.",
			"Zero is 10 minutes.",
			"A call that fails while ctx is not done returns a *CloudError, or an error that wraps one.",
			"It waits for nothing but its own calls; for work that takes the cloud minutes it comes back later.",
			"Its Data is the Endpoint of the cloud under EndpointKey and the password under PasswordKey, and nothing else. It has one owner reference, to the Database, which is its controller.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkCreates(t, open())
			checkCreates(t, open(), func(_ *world, o *Options) { o.Poll, o.Resync = 0, 0 })
			checkCreates(t, open(), func(_ *world, o *Options) { o.Poll, o.Resync = 4*time.Second, 40*time.Second })
			checkCreates(t, open(), func(w *world, _ *Options) { w.cloud.Intercept(fake.CloudWrap) })
			for _, c := range spans {
				checkSpans(t, open(), c.poll, c.resync)
			}
		},
	},
	{
		Name:   "finalizer-first",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "The finalizer is stored in the API server before the cloud is asked to create or modify anything. If it cannot be written, nothing is created. Other finalizers stay.",
		Why:    "A Database that is deleted in between is gone at once, and nobody is left who knows of the database that was just created. Nor of one whose finalizer somebody has taken off.",
		Hint: []string{
			"Which of the two must be there when the process dies between them?",
			"Update with the finalizer, look at its error, and only then ask the cloud.",
		},
		Source: "controller-runtime pkg/controller/controllerutil/controllerutil.go: AddFinalizer; cluster-api-provider-outscale#917, a finalizer that was written after the cloud had been asked",
		Contract: []string{
			"Finalizer is written, by an Update, before any call of CreateDatabase, ModifyDatabase or DeleteDatabase. Other finalizers stay. An Update that fails ends the Reconcile.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkFinalizerFirst(t, open()) },
	},
	{
		Name:   "deletes-and-then-lets-go",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "When a Database is deleted, its database is deleted too, and the finalizer is taken off only when DeleteDatabase says that there is none.",
		Why:    "Taken off too early, the Database is gone while its database still costs money.",
		Hint: []string{
			"DeleteDatabase has succeeded. Is the database gone now?",
			"Take the finalizer off in one place only: where DeleteDatabase has answered CloudNotFound.",
		},
		Source: "controller-runtime pkg/finalizer/finalizer.go: finalizers.Finalize; ocm-work#16, which waits until it is not found",
		Contract: []string{
			"Finalizer is taken off when DeleteDatabase has answered CloudNotFound, and not before.",
			"Taking Finalizer off is an Update, and other finalizers stay.",
			"In every other case DeleteDatabase decides.",
			"Endpoint is that of the cloud once there is one, and then it stays until there is another.",
			"The Secret with the connection is not deleted: it has an owner, and the garbage collector does that.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkDeletes(t, open())
			checkDeletesFailed(t, open())
		},
	},
	{
		Name:   "nothing-new-nothing-written",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A Reconcile that finds everything as it should be writes nothing, neither to the API server nor to the cloud. A status is written through the status client alone.",
		Why:    "A resync of ten thousand Databases must not be ten thousand writes. And an Update of an object with a status subresource leaves the status as it was.",
		Hint: []string{
			"Which client writes the status, and which one the finalizer?",
			"Compute the whole status on a copy, and compare it with the one that is there.",
		},
		Source: "Kubernetes API conventions, Spec and Status; controller-runtime pkg/client/interfaces.go: StatusClient, SubResourceWriter",
		Contract: []string{
			"The status is written by Status, and never by Databases. If nothing in it would change, nothing is written.",
			"ObservedGeneration, of the status and of each condition that is set, is the generation of the Database that this Reconcile acted on.",
			"If its Data is as it should be, nothing is written.",
			"It reads Databases and Secrets from the caches, except where these files say otherwise.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  func(t *conform.T, open func() Subject) { checkQuiet(t, open()) },
	},
	{
		Name:   "retry-after-is-obeyed",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A throttled call ends the Reconcile without an error and without a change of a condition, and RequeueAfter is greater than zero and at least what the cloud has asked for.",
		Why:    "An error would be tried again in milliseconds. An operator that comes too early is throttled again, and everybody else in the account with it.",
		Hint: []string{
			"What happens to a request of which Reconcile returns an error, and when? Lab 19 has the table.",
			"errors.As finds the kit.CloudError, and its RetryAfter is no shorter than what you return.",
		},
		Source: "RFC 6585, 429 Too Many Requests; RFC 9110, Retry-After; controller-runtime pkg/reconcile/reconcile.go: Result",
		Contract: []string{
			"CloudThrottled is no failure: nothing is returned as an error, no condition changes, the cloud is not called again in this Reconcile, and RequeueAfter is greater than zero, at least the error's RetryAfter, and at most Poll more, or a second more if Poll is shorter.",
			"If writing it fails, that error may be returned, unless it is a Conflict: then the Result is that of a throttled call all the same.",
			"A call that fails while ctx is not done returns a *CloudError, or an error that wraps one.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkThrottled(t, open())
			checkThrottledAtFirst(t, open())
			for _, c := range spans {
				checkThrottledSpans(t, open(), c.poll, c.resync)
			}
		},
	},
	{
		Name:   "secrets-wake-their-databases",
		Points: 4,
		Func:   "DatabaseReconciler.SecretHandler",
		Look:   []string{"DatabaseReconciler.SecretHandler", "New"},
		Rule:   "A Secret that changes enqueues the Database that controls it and those that name it, found by an index, and no others. A resync enqueues nothing.",
		Why:    "A password is changed in one Secret, and ten Databases refer to it. No watch on Databases says so.",
		Hint: []string{
			"Two ways lead from a Secret to a Database. Which of them needs an index?",
			"AddIndexers in New: by namespace and PasswordSecret. ByIndex in the handler.",
		},
		Source: "controller-runtime pkg/client/interfaces.go: FieldIndexer; controller-runtime pkg/handler/enqueue_mapped.go: EnqueueRequestsFromMapFunc",
		Contract: []string{
			"A Secret that is added, updated or deleted, whether or not its final state is known,",
			"enqueues the Database that is its controller, by Kind and name, and every Database of its namespace whose spec names it as PasswordSecret. The controller's version and UID do not matter, nor whether DatabaseCache has it. For an update this holds for the controllers of the old and of the new object.",
			"The Databases that name a Secret are found by an index of DatabaseCache; its List and ListKeys, which go through all there are, are not called.",
			"A resync, an update in which the resource version stays the same, enqueues nothing.",
			"They call enqueue for the Databases named below and for no others; they may call it twice for the same one.",
			"It starts no goroutine that outlives a call.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkSecretsWake(t, open())
			checkSecretUpdates(t, open())
			checkHandlesAtOnce(t, open())
			checkLeavesNoEnqueue(t, open(), (*world).tellsOfSecrets)
			checkEachItsEnqueue(t, open(), (*world).tellsOfSecrets)
		},
	},
}

func checkConditions(t *conform.T, s Subject) {
	var conditions []kit.Condition
	set := func(c kit.Condition, want bool, why string) {
		changed := conform.Do(t.Actor, func() bool { return s.SetCondition(&conditions, c) }, "SetCondition(%s: %s %s)", c.Type, c.Status, c.Reason)
		t.Require(changed == want, "SetCondition returned %t, and should have returned %t: %s.", changed, want, why)
	}
	since := func(conditionType string, want time.Time, why string) {
		c := kit.FindCondition(conditions, conditionType)
		t.Require(c != nil, "SetCondition was called for the condition %s, and it is not among the conditions.", conditionType)
		t.Require(c.LastTransitionTime.Equal(want), "LastTransitionTime of %s is %v after the beginning, and should be %v: %s.",
			conditionType, t.Elapsed()-time.Since(c.LastTransitionTime), t.Elapsed()-time.Since(want), why)
	}
	one := kit.Condition{Type: "Ready", Status: kit.ConditionFalse, Reason: "Creating", ObservedGeneration: 1}
	begin := time.Now()
	set(one, true, "there was no such condition")
	since("Ready", begin, "the condition was new then")
	time.Sleep(time.Minute)
	set(one, false, "the condition is as it was")
	since("Ready", begin, "nothing has changed since")
	shared := conditions
	before := slices.Clone(shared)
	one.Reason, one.Message, one.ObservedGeneration, one.LastTransitionTime = "Working", "soon", 2, time.Now()
	set(one, true, "the reason is another one")
	since("Ready", begin, "only the reason has changed, and the Status not")
	c := *kit.FindCondition(conditions, "Ready")
	t.Require(c.Reason == "Working" && c.Message == "soon" && c.ObservedGeneration == 2, "Reason, Message and ObservedGeneration should be those of the condition that was set, and are %q, %q and %d.", c.Reason, c.Message, c.ObservedGeneration)
	one.Status = kit.ConditionTrue
	time.Sleep(time.Minute)
	flip := time.Now()
	set(one, true, "the Status is another one")
	since("Ready", flip, "the Status became True then")
	set(kit.Condition{Type: "Synced", Status: kit.ConditionTrue, Reason: "InSync", LastTransitionTime: begin}, true, "there was no condition of that type")
	since("Synced", flip, "the condition was new then, whatever it said of itself")
	since("Ready", flip, "another condition was set")
	wrote := conform.Changes(before, shared)
	t.Require(wrote == "", "SetCondition has written to the elements of the slice that it was given, which others may share: %s.", wrote)
}

// checkConditionFields sets the first of two conditions again and again, each time with one field changed.
func checkConditionFields(t *conform.T, s Subject) {
	begin := time.Now()
	conditions := []kit.Condition{
		{Type: "Ready", Status: kit.ConditionTrue, Reason: "Working", Message: "soon", ObservedGeneration: 2, LastTransitionTime: begin},
		{Type: "Synced", Status: kit.ConditionTrue, Reason: "InSync", ObservedGeneration: 2, LastTransitionTime: begin},
	}
	one, since := conditions[0], begin
	set := func(what string) {
		changed := conform.Do(t.Actor, func() bool { return s.SetCondition(&conditions, one) }, "SetCondition(Ready, with another %s)", what)
		t.Require(changed, "SetCondition was called with another %s, and returned false.", what)
		want := one
		want.LastTransitionTime = since
		t.Require(len(conditions) == 2 && conditions[0].Type == "Ready", "SetCondition was called for Ready, the first of two conditions. Now there are %d, and the first is %s: each stands in the place of the one of its type.", len(conditions), conditions[0].Type)
		t.Same(want, conditions[0], "SetCondition was called with another %s, and the condition is wrong", what)
	}
	one.Message = ""
	set("Message, an empty one")
	for _, generation := range []int64{3, 1} {
		one.ObservedGeneration = generation
		set(fmt.Sprintf("ObservedGeneration, %d", generation))
	}
	one.Reason = "Idle"
	set("Reason")
	for _, status := range []kit.ConditionStatus{kit.ConditionFalse, kit.ConditionUnknown, kit.ConditionFalse, kit.ConditionTrue} {
		time.Sleep(time.Minute + 1234567*time.Nanosecond)
		one.Status, since = status, time.Now()
		set("Status, " + string(status))
	}
	last := kit.Condition{Type: "Backup", Status: kit.ConditionUnknown}
	changed := conform.Do(t.Actor, func() bool { return s.SetCondition(&conditions, last) }, "SetCondition(Backup: %s)", last.Status)
	t.Require(changed && slices.Equal(types(conditions), []string{"Ready", "Synced", "Backup"}), "SetCondition was called for the condition Backup, which was missing, and returned %t. The conditions are %s: a new one goes to the end.", changed, conform.Listed(types(conditions)))
}

func types(conditions []kit.Condition) []string {
	types := []string{}
	for _, c := range conditions {
		types = append(types, c.Type)
	}
	return types
}

// checkSharedArray sets conditions of a slice whose array has room behind its last element: the one that is there, and a new one.
func checkSharedArray(t *conform.T, s Subject) {
	for _, c := range []kit.Condition{{Type: "Ready", Status: kit.ConditionFalse}, {Type: "Synced", Status: kit.ConditionTrue}} {
		array := make([]kit.Condition, 1, 4)
		array[0] = kit.Condition{Type: "Ready", Status: kit.ConditionTrue, Reason: "Working", LastTransitionTime: time.Now()}
		all := array[:cap(array)]
		before := slices.Clone(all)
		conform.Do(t.Actor, func() bool { return s.SetCondition(&array, c) }, "SetCondition(%s: %s)", c.Type, c.Status)
		wrote := conform.Changes(before, all)
		t.Require(wrote == "", "SetCondition has written behind the last element of the slice that it was given, or to its elements, in an array that others may share: %s. What one append writes there, another one of the same slice overwrites.", wrote)
	}
}

// checkItsOwnType sets a condition where another one has its type in other letters.
func checkItsOwnType(t *conform.T, s Subject) {
	theirs := kit.Condition{Type: "ready", Status: kit.ConditionTrue, Reason: "Theirs", LastTransitionTime: time.Now()}
	conditions := []kit.Condition{theirs}
	conform.Do(t.Actor, func() bool {
		return s.SetCondition(&conditions, kit.Condition{Type: "Ready", Status: kit.ConditionFalse, Reason: "Creating"})
	}, "SetCondition(Ready: False), beside a condition ready")
	t.Require(len(conditions) == 2 && conditions[0] == theirs && conditions[1].Type == "Ready", "There was a condition ready, of somebody else, and SetCondition was called for Ready, which is another type. The conditions should be ready, as it was, and Ready at the end. They are %s.", conform.Listed(types(conditions)))
}

// checkTimeOfNobody sets a condition again whose LastTransitionTime nobody has set. It stays so, or becomes now.
func checkTimeOfNobody(t *conform.T, s Subject) {
	conditions := []kit.Condition{{Type: "Ready", Status: kit.ConditionTrue, Reason: "Working"}}
	yesterday := time.Now().Add(-24 * time.Hour)
	conform.Do(t.Actor, func() bool {
		return s.SetCondition(&conditions, kit.Condition{Type: "Ready", Status: kit.ConditionTrue, Reason: "Idle", LastTransitionTime: yesterday})
	}, "SetCondition(Ready: True, with a LastTransitionTime of yesterday)")
	got := conditions[0].LastTransitionTime
	t.Require(got.IsZero() || got.Equal(time.Now()), "Nobody had set the LastTransitionTime of Ready, and SetCondition was called with one of yesterday. Now it is %v before now: that of c is ignored, and it should still be zero, or be now.", time.Since(got))
}

func checkCreates(t *conform.T, s Subject, edits ...func(w *world, o *Options)) {
	w := build(t, s, edits...)
	db := w.stands("web")
	var result kit.Result
	for range 3 {
		result = w.settled("web", "nothing had failed")
	}
	w.waits(result, "the cloud is creating the database")
	has, secret, exists := w.cloud.Now(cloudName(db))
	t.Require(exists, "Reconcile was called three times, and the cloud has no database %s.", cloudName(db))
	t.Require(has.Owner == cluster+"/"+db.UID && has.Engine == "postgres" && has.Size == 10 && secret == "secret of web",
		"The database was created as %s, with the password %q. It should be postgres with 10 GiB, of %s, with the password of the Secret web-password.", fake.ShowCloudDatabase(has), secret, cluster+"/"+db.UID)
	w.says("web", ready, kit.ConditionFalse, creating, "the cloud is creating the database")
	w.says("web", synced, kit.ConditionTrue, inSync, "nothing is in the way")
	w.drive(creationTakes + 2*poll)
	w.isReady("web", "the cloud has created the database")
	w.isConnected("web", "secret of web", "the database is available")
	w.rests(w.settled("web", "the database is available"), "everything is as it should be")
	t.Require(w.cloud.Created(cloudName(db)) == 1, "The database was created %s.", times(w.cloud.Created(cloudName(db))))
	observed := w.dbs.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 1, "ObservedGeneration in the status is %d, and the Database is at generation 1.", observed)
}

func checkFinalizerFirst(t *conform.T, s Subject) {
	w := build(t, s)
	w.dbs.Intercept(refuse(kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today")))
	w.stands("web", func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} })
	_, err := w.reconcile("web")
	w.sound()
	t.Require(err != nil, "The Update with the finalizer was refused, and Reconcile returned nil.")
	w.called(0, create, "the finalizer could not be written")
	w.dbs.Intercept()
	w.drive(creationTakes + 2*poll)
	w.isReady("web", "the finalizer could be written at last")
	w.isFinalized()
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} })
	t.Note("somebody has taken the finalizer off, and the spec asks for 20 GiB")
	w.drive(modificationTakes + 2*poll)
	w.isReady("web", "somebody had taken the finalizer off, and the spec asks for 20 GiB")
	w.isFinalized()
}

// isFinalized requires that web has our finalizer, and still has that of somebody else.
func (w *world) isFinalized() {
	got := w.dbs.Now(key("web")).Finalizers
	w.t.Require(slices.Contains(got, "somebody/else") && slices.Contains(got, finalizer), "The finalizers of the Database are %s. There should be that of somebody else, which was there, and %s.", conform.Listed(got), finalizer)
}

func checkDeletes(t *conform.T, s Subject) {
	w := build(t, s)
	others := []string{"somebody/else", "databases.book.example/backup"}
	db := w.runs("web", func(db *kit.Database) { db.Finalizers = others })
	w.dbs.Drop(key("web"))
	w.drive(deletionTakes / 2)
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.State == kit.CloudDeleting, "The Database was deleted, and the State of its database in the cloud is %q. It should be %q.", has.State, kit.CloudDeleting)
	w.says("web", ready, kit.ConditionFalse, deleting, "the Database is being deleted")
	t.Require(w.dbs.Now(key("web")).Status.Endpoint != "", "The Database is being deleted, and the Endpoint in its status is gone: it stays until there is another.")
	w.drive(deletionTakes)
	now := w.dbs.Now(key("web"))
	t.Require(now != nil, "The Database is gone, though two finalizers of others were there as well.")
	t.Require(slices.Equal(now.Finalizers, others), "The database in the cloud is gone. The finalizers of the Database are %s, and those of others should be left: %s.%s", conform.Listed(now.Finalizers), conform.Listed(others), w.lastRefusal())
	t.Require(w.secrets.Now(connection(db)) != nil, "The Database was deleted, and so was the Secret with the connection. It has an owner, and the garbage collector deletes it.")
	t.Require(len(w.cloud.Names()) == 0, "The Database was deleted, and the cloud still has %s.", conform.Listed(w.cloud.Names()))
}

// checkDeletesFailed deletes a Database whose database the cloud could not make.
func checkDeletesFailed(t *conform.T, s Subject) {
	w := build(t, s)
	w.cloud.Failing()
	db := w.stands("web")
	w.drive(creationTakes + 2*poll)
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.State == kit.CloudFailed, "The State of the database is %q, and the cloud could not make it.", has.State)
	w.dbs.Drop(key("web"))
	w.drive(deletionTakes + 4*poll)
	w.isGone(db, "its database, which the cloud could not make, is in the way of nobody")
}

func checkQuiet(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs("web")
	w.forget()
	for range 3 {
		time.Sleep(resync)
		w.settled("web", "nothing has happened")
		w.quiet("everything is as it should be")
		asked := w.server.Requests()
		t.Require(len(asked) == 0, "Everything is as it should be, and Reconcile has sent %s to the API server. It reads Databases and Secrets from the caches.", conform.Count(len(asked), "request"))
		w.called(0, create, "the database is there")
	}
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Status.ObservedGeneration = 0 })
	w.settled("web", "somebody has taken ObservedGeneration out of the status")
	observed := w.dbs.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 1, "Somebody has taken ObservedGeneration out of the status, in which nothing else is new. After a Reconcile it is %d, and the Database is at generation 1.", observed)
	t.Require(len(w.cloud.Calls(get)) > 0, "Reconcile was called three times and never called GetDatabase: it cannot know that everything is as it should be.")
}

func checkThrottled(t *conform.T, s Subject) {
	const wait = 2 * time.Minute
	w := build(t, s)
	db := w.runs("web")
	for _, verb := range []string{get, modify} {
		for _, wait := range []time.Duration{wait, 3 * resync} {
			w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size++ })
			w.throttled(verb, wait)
		}
	}
	w.cloud.Intercept(fake.CloudWrap, w.cloud.Throttle(0, get))
	result, err := w.reconcile("web")
	t.Require(err == nil, "%s was throttled, its error wraps a kit.CloudError, and Reconcile returned %s. Too many calls are no failure.", get, conform.Said(err))
	w.within(result, 0, poll, "%s was throttled, with RetryAfter 0, and nobody else comes back", get)
	w.cloud.Intercept()
	w.drive(wait + modificationTakes + 3*poll)
	w.drive(resync)
	w.isReady("web", "the cloud is not throttling any longer")
	w.dbs.Drop(key("web"))
	w.cloud.Intercept(w.cloud.Answer(kit.CloudUnavailable))
	w.drive(time.Minute)
	w.says("web", synced, kit.ConditionFalse, cloudError, "the cloud is down")
	w.throttled(get, wait)
	w.throttled(remove, wait)
	w.cloud.Intercept()
	w.drive(resync + deletionTakes + 2*poll)
	w.isGone(db, "the cloud is not throttling any longer")
}

// throttled reconciles web while the cloud throttles the calls of a verb.
func (w *world) throttled(verb string, wait time.Duration) {
	w.cloud.Intercept(w.cloud.Throttle(wait, verb))
	w.catchUp()
	w.forget()
	before := w.dbs.Now(key("web")).Status
	result, err := w.reconcile("web")
	w.sound()
	w.t.Require(err == nil, "%s was throttled, and Reconcile returned %s. Too many calls are no failure.", verb, conform.Said(err))
	w.within(result, wait-1, wait+poll, "%s was throttled, with RetryAfter %v", verb, wait)
	w.called(1, verb, "it was throttled, and the cloud is not called again")
	w.calledLast(verb, "%s was throttled", verb)
	w.t.Same(before.Conditions, w.dbs.Now(key("web")).Status.Conditions, "%s was throttled, which is no failure and no success, and the conditions have changed", verb)
}

// checkThrottledAtFirst has calls be throttled from the first Reconcile on, which has to write the finalizer.
func checkThrottledAtFirst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.cloud.Intercept(w.cloud.Throttle(time.Hour, get))
	for range 3 {
		w.forget()
		result := w.settled("web", "too many calls are no failure")
		calls := w.cloud.Calls()
		t.Require(len(calls) <= 1, "GetDatabase was throttled, and the cloud was called again in the same Reconcile: %s.", listed(calls))
		if len(calls) == 1 {
			w.within(result, time.Hour-1, time.Hour+poll, "GetDatabase was throttled, with RetryAfter %v", time.Hour)
		}
	}
}

func checkSecretsWake(t *conform.T, s Subject) {
	w := build(t, s)
	shares := func(db *kit.Database) { db.Spec.PasswordSecret = "common" }
	w.stands("web", shares)
	w.stands("api", shares)
	w.stands("other")
	elsewhere := database("far", shares)
	elsewhere.Namespace = "elsewhere"
	w.dbs.Put(elsewhere)
	w.catchUp()
	w.woken()
	n := news{w, w.t.Row()}
	w.secrets.Put(password("common", "one"))
	n.wakes("the Secret common added, from which web and api have their password", key("api"), key("web"))
	w.secrets.Change(key("common"), puts("password", "two"))
	n.wakes("common changed", key("api"), key("web"))
	w.feed.secrets.Resync(key("common"))
	n.wakes("a resync of common")
	owned := password("web-connection", "one")
	owned.OwnerReferences = []kit.OwnerReference{asController(w.dbs.Now(key("web")))}
	w.secrets.Put(owned)
	n.wakes("a Secret added whose controller is web", key("web"))
	w.secrets.Change(key("web-connection"), func(secret *kit.Secret) { secret.OwnerReferences[0].Kind = "Certificate" })
	n.wakes("its controller changed from the Database web to the Certificate web", key("web"))
	w.secrets.Change(key("web-connection"), puts("password", "two"))
	n.wakes("a Secret changed whose controller is the Certificate web")
	w.secrets.Change(key("web-connection"), func(secret *kit.Secret) { secret.OwnerReferences[0].Kind = kit.Databases.Kind })
	n.wakes("its controller changed from the Certificate web to the Database web", key("web"))
	w.secrets.Drop(key("common"))
	n.wakes("common deleted", key("api"), key("web"))
	w.secrets.Put(password("common", "three"))
	n.wakes("common added again", key("api"), key("web"))
	n.wakesByOwner()
	w.feed.secrets.Break(func() { w.secrets.Drop(key("common")) })
	n.wakes("common deleted while the watch was broken, its final state unknown", key("api"), key("web"))
	n.judged()
	w.sound()
}

// wakesByOwner is about controllers that are none, or that the cache does not have, and about the first list.
func (n news) wakesByOwner() {
	w := n.w
	owned := password("web-other", "one")
	owned.OwnerReferences = []kit.OwnerReference{asController(w.dbs.Now(key("web")))}
	owned.OwnerReferences[0].Controller = false
	w.secrets.Put(owned)
	n.wakes("a Secret added of which web is an owner, and not the controller")
	owned = password("ghost-connection", "one")
	owned.OwnerReferences = []kit.OwnerReference{asController(database("ghost"))}
	w.secrets.Put(owned)
	n.wakes("a Secret added whose controller is ghost, which the cache does not have yet", key("ghost"))
	w.r.SecretHandler(w.enqueue).OnAdd(w.secrets.Now(key("common")), true)
	n.wakes("common heard of in the first list", key("api"), key("web"))
}
