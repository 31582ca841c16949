package operatortest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// reporting is about the status.
var reporting = []conform.Case[Subject]{
	{
		Name:   "same-error-same-status",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "An error of the cloud is returned, and the status says so once: the same error again writes nothing. Ready stays as it was.",
		Why:    "Each request has another ID. With the ID in the message each failure is a write, each write an event, and each event the next try: while the cloud is down, of all times.",
		Hint: []string{
			"Print the error twice. What is different?",
			"errors.As, and the Message of the kit.CloudError alone.",
		},
		Source: "hive#343, a file name that was another each time; cloud-credential-operator#54, where a status after an error used up all requests; Kubernetes API conventions, Typical status properties",
		Contract: []string{
			"It does not contain the RequestID, nor anything else that differs from one try to the next",
			"The Message of a condition whose reason is CloudError or Invalid contains the Message of the kit.CloudError.",
			"If a call of the cloud has failed, Ready stays as it was, missing if it was missing, even if GetDatabase has answered before.",
			"Its ObservedGeneration stays, too.",
			"No other condition is added, changed or taken away.",
			"Beside the CloudNotFound and CloudAlreadyExists that have their place above and in deletion.go, a refusal ends the Reconcile, but for the status",
			"Every other error is returned, wrapped or not, but not as a kit.TerminalError, which nobody would try again. If it is a kit.CloudError, the status says so.",
			"If nothing in it would change, nothing is written.",
			"CloudThrottled is no failure: nothing is returned as an error, no condition changes, the cloud is not called again in this Reconcile, and RequeueAfter is greater than zero, at least the error's RetryAfter, and at most Poll more, or a second more if Poll is shorter.",
			"The rest of the status may change. If writing it fails, that error may be returned, unless it is a Conflict: then the Result is that of a throttled call all the same.",
			"Synced is False if the Database is stuck, with that reason, and if a call of the cloud has failed, CloudError.",
			"A call that fails while ctx is not done returns a *CloudError, or an error that wraps one.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkSameError(t, open())
			checkGoneMeanwhile(t, open())
			checkReadyStays(t, open())
			smallWorlds(t, open(), failures())
			checkBothFail(t, open())
			checkOneIsThrottled(t, open())
			checkThrottledConflict(t, open())
		},
	},
	{
		Name:   "api-errors-come-back",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "An error of the API server is returned, whichever request has failed, and the conditions do not say that it was the cloud. After a Conflict or AlreadyExists, Reconcile comes again within Poll, if that is no error.",
		Why:    "An error that is lost is work that nobody comes back to. One that is blamed on the cloud has somebody look in the wrong place.",
		Hint: []string{
			"How many requests to the API server do you make? Where does the error of each go?",
			"errors.As for a kit.CloudError tells the one kind from the other, in one place, before the status is written.",
		},
		Source: "controller-runtime pkg/reconcile/reconcile.go: TypedReconciler (an error has the request come again)",
		Contract: []string{
			"Errors of the API server are returned.",
			"Conflict, AlreadyExists and NotFound are the exceptions: a cache was behind, and whether that is an error or only a reason to come again within Poll is left open.",
			"Synced is False if the Database is stuck, with that reason, and if a call of the cloud has failed, CloudError. Otherwise it is True, InSync.",
			"So before CreateDatabase the Database is read from the API server itself, by Get or as the answer of an Update of the same Reconcile.",
			"An Update that fails ends the Reconcile.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkAPIErrors(t, open)
			checkStatusErrors(t, open())
			checkRefusals(t, open())
			checkConflictForEver(t, open())
			checkReadsFail(t, open())
			for _, late := range lates {
				checkBehind(t, open(), late)
			}
		},
	},
	{
		Name:   "conditions-tell-it-all",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "From the first status to the last, the two conditions say whether a Database is being created, ready, stuck or being deleted, and since when.",
		Why:    "kubectl wait, a dashboard and the next controller read nothing else.",
		Hint: []string{
			"Which conditions does somebody see who looks every minute, from the first minute on?",
			"Two switches: one for Ready, one for Synced. Neither looks at the other's result.",
		},
		Source: "Kubernetes API conventions, Typical status properties; apimachinery pkg/apis/meta/v1/types.go: Condition",
		Contract: []string{
			"Ready is False, Deleting, if the Database is being deleted. Otherwise it is True, Available, if GetDatabase has shown a database with the Owner CloudOwner whose State is CloudAvailable or CloudModifying. Otherwise it is False, and its reason is that for which the Database is stuck, or else Creating.",
			"Both are set by SetCondition, on those that the object has, so that LastTransitionTime moves only when Status does. No other condition is added, changed or taken away.",
			"of the status and of each condition that is set, is the generation of the Database that this Reconcile acted on.",
			"GetDatabase is asked about CloudName.",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
			"Endpoint is that of the cloud once there is one, and then it stays until there is another.",
			"If nothing in it would change, nothing is written.",
			"Otherwise the connection is written, as connection.go says, and it is in sync.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkTellAll(t, open())
			smallWorlds(t, open(), settlings)
		},
	},
	{
		Name:   "conflict-names-its-generation",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "When somebody changes the spec during a Reconcile, its status names the generation that it began with and not the new one, and the new spec is not taken back.",
		Why:    "kubectl wait and pipelines compare observedGeneration with generation. If it is written too early they go on with the old size.",
		Hint: []string{
			"Which generation did this Reconcile compare with the cloud?",
			"Return the Conflict. Or read afresh, and keep the ObservedGeneration of the object you began with.",
		},
		Source: "Kubernetes API conventions, Typical status properties (observedGeneration); kubernetes pkg/controller/replicaset/replica_set_utils.go: updateReplicaSetStatus",
		Contract: []string{
			"The ObservedGeneration stays that of what was acted on.",
			"After a Conflict nothing is forced.",
			"An Update that fails ends the Reconcile.",
			"If the spec that was read is not that of the cache, either may be acted on.",
			"of the status and of each condition that is set, is the generation of the Database that this Reconcile acted on.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkGeneration(t, open())
			checkFinalizerForcesNothing(t, open())
			checkCreatedGeneration(t, open())
			checkOneSpec(t, open())
		},
	},
	{
		Name:   "late-cache-moves-no-time",
		Points: 2,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A Reconcile whose cache does not show the last status yet does not move LastTransitionTime, and takes nothing of that status back.",
		Why:    "The cache lags behind the operator's own writes. What is computed from an old condition says that the database became ready just now, each time.",
		Hint: []string{
			"On which conditions does SetCondition work after a Conflict: those of the cache, or those that you have just read?",
		},
		Source: "Kubernetes API conventions, Concurrency Control and Consistency; client-go util/retry/util.go: RetryOnConflict",
		Contract: []string{
			"Reconcile returns the Conflict (unless the cloud has throttled it), or comes again within Poll, or reads the Database afresh and, if the UID is the same, sets the conditions on those that it finds there.",
			"After a Conflict nothing is forced.",
			"An Update that fails ends the Reconcile.",
			"GetDatabase is asked about CloudName.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkLateCache(t, open())
			checkLateFirstStatus(t, open())
			checkStatusOfAnother(t, open())
			smallWorlds(t, open(), overtaken)
		},
	},
	{
		Name:   "caches-stay-as-they-are",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "The operator never writes to an object from a cache.",
		Why:    "All controllers of the process share it. A finalizer that is appended in place is one that no API server has seen, and the next Reconcile believes that it is there.",
		Hint: []string{
			"Finalizers, conditions and Data all begin with an object from a cache. DeepCopy is their first step.",
			"A copy of the struct still shares its slices and maps.",
		},
		Source:   "client-go tools/cache/mutation_detector.go: MutationDetector (KUBE_CACHE_MUTATION_DETECTOR)",
		Contract: []string{"The objects they return are shared and must not be changed: nothing is written to their slices and maps, not even behind the last element of a slice."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkUntouched(t, open())
			checkUntouchedInSmallWorlds(t, open())
		},
	},
}

func checkSameError(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs("web")
	was := w.says("web", ready, kit.ConditionTrue, available, "nothing was in the way")
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	for _, code := range []kit.CloudCode{kit.CloudUnavailable, kit.CloudTimeout} {
		w.cloud.Intercept(fake.CloudWrap, w.cloud.Answer(code))
		changes := w.dbs.Changes()
		for i := range 4 {
			time.Sleep(time.Minute)
			w.catchUp()
			_, err := w.reconcile("web")
			w.isOf(err, code, "GetDatabase answers %s", code)
			c := w.says("web", synced, kit.ConditionFalse, cloudError, "GetDatabase answers %s", code)
			t.Require(strings.Contains(c.Message, fake.CloudMessage(code)), "GetDatabase answers %s. The Message of Synced is %q, and should contain what the cloud says, %q.", code, c.Message, fake.CloudMessage(code))
			t.Require(w.dbs.Changes() == changes+1, "GetDatabase has answered %s %s, and the status was written %s. The first time says it, and from then on nothing in it changes.",
				code, times(i+1), times(w.dbs.Changes()-changes))
		}
		c := w.says("web", synced, kit.ConditionFalse, cloudError, "GetDatabase answers %s", code)
		r := w.says("web", ready, kit.ConditionTrue, available, "nobody knows anything else: the cloud does not answer")
		t.Require(r.LastTransitionTime.Equal(was.LastTransitionTime), "LastTransitionTime of Ready has moved, though its Status is what it was.")
		t.Require(r.ObservedGeneration == 1 && c.ObservedGeneration == 2, "The database was last seen at generation 1. The Database is at generation 2 now, and GetDatabase answers %s. ObservedGeneration of Ready, which stays as it was, should be 1 and is %d; that of Synced should be 2 and is %d.",
			code, r.ObservedGeneration, c.ObservedGeneration)
	}
	observed := w.dbs.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 2, "The Database is at generation 2, the cloud does not answer, and ObservedGeneration of the status is %d: it is the generation that this Reconcile acted on.", observed)
	w.cloud.Intercept()
	w.drive(resync)
	w.settled("web", "the cloud answers again")
	w.isReady("web", "the cloud answers again")
	w.cloud.Intercept(w.cloud.Answer(kit.CloudUnavailable))
	w.stands("new")
	w.drive(time.Minute)
	w.says("new", synced, kit.ConditionFalse, cloudError, "the cloud has been down since the Database was added")
	invented := kit.FindCondition(w.dbs.Now(key("new")).Status.Conditions, ready)
	t.Require(invented == nil, "The cloud has been down since the Database new was added, and nobody knows whether it is ready. The condition Ready was missing, and is there now.")
}

// checkGoneMeanwhile has a database go that GetDatabase still shows.
func checkGoneMeanwhile(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.cloud.Behind(kit.CloudLag)
	w.drive(resync)
	w.cloud.Vanish(cloudName(db))
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 20 })
	w.catchUp()
	_, err := w.reconcile("web")
	w.sound()
	w.isOf(err, kit.CloudNotFound, "The database has gone, GetDatabase is behind and still shows it, and ModifyDatabase answered CloudNotFound")
	w.catchUp()
	w.says("web", synced, kit.ConditionFalse, cloudError, "ModifyDatabase answered CloudNotFound")
	w.cloud.Intercept(w.cloud.Answer(kit.CloudAlreadyExists, modify))
	_, err = w.reconcile("web")
	w.isOf(err, kit.CloudAlreadyExists, "ModifyDatabase answered CloudAlreadyExists, which is no failure of CreateDatabase alone")
	w.cloud.Intercept()
	w.drive(creationTakes + resync)
	w.isReady("web", "the database had gone, and was created again")
}

// checkAPIErrors has each kind of request fail at a time at which it has to be made.
func checkAPIErrors(t *conform.T, open func() Subject) {
	refused := kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today")
	returns := func(w *world, what string) {
		w.catchUp()
		_, err := w.reconcile("web")
		w.catchUp()
		w.sound()
		t.Require(err != nil, "%s, the API server refused that with an InternalError, and Reconcile returned nil.", what)
		t.Require(kit.ReasonFor(err) == kit.ReasonInternalError, "%s, the API server refused that with an InternalError, and Reconcile returned the error %q, in which errors.As finds no kit.StatusError. Errors of the API server are returned.", what, err)
	}
	w := build(t, open())
	w.runs("web")
	blamesNobody := func(what string) {
		returns(w, what)
		w.says("web", synced, kit.ConditionTrue, inSync, "%s, and the API server refused that: every call of the cloud has succeeded", what)
	}
	w.secrets.Intercept(refuse(refused))
	w.secrets.Change(key("web-connection"), puts("password", "hunter2"))
	blamesNobody("The Data of the Secret with the connection had to be put right")
	w.secrets.Drop(key("web-connection"))
	blamesNobody("The Secret with the connection had to be created")
	w.secrets.Intercept()
	w.drive(resync)
	w.isConnected("web", "secret of web", "the API server answers again")

	w = build(t, open())
	db := w.stands("web", finalized)
	w.dbs.Intercept(fake.Refuse(refused, fake.Get, fake.Update))
	w.catchUp()
	_, err := w.reconcile("web")
	created := w.cloud.Created(cloudName(db))
	t.Require(err != nil || created > 0, "Before CreateDatabase the Database had to be read from the API server, which refused that with an InternalError. Reconcile created nothing, which is right, and returned nil.")
}

// checkStatusErrors has the write of the status fail, whatever the status says.
func checkStatusErrors(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.dbs.Intercept(fake.Refuse(kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today"), fake.Status))
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"that the Endpoint is another one, and nothing else that is new", func() { moved(w, db) }},
		{"that it is stuck, EngineChanged", func() { edit(w, func(spec *kit.DatabaseSpec) { spec.Engine = "mysql" }) }},
		{"that it is in sync at a new generation", func() { edit(w, func(spec *kit.DatabaseSpec) { spec.Engine = "postgres" }) }},
		{"that the cloud is at work on a new generation", func() { edit(w, func(spec *kit.DatabaseSpec) { spec.Size++ }) }},
		{"that it is being deleted", func() { w.dbs.Drop(key("web")) }},
	} {
		c.change()
		w.catchUp()
		_, err := w.reconcile("web")
		w.catchUp()
		w.sound()
		t.Require(err != nil, "The status of the Database had to say %s, the API server refused that with an InternalError, and Reconcile returned nil.", c.what)
	}
}

// late is a change that the caches have not heard of when a request is made, and which does not wake anybody.
type late struct {
	what   string // what has to be written, and how that is refused, as a sentence
	shown  func(w *world, db *kit.Database)
	unseen func(w *world, db *kit.Database)
	done   func(w *world, db *kit.Database) bool // it was done all the same: the object was read afresh
}

func labelled(w *world, db *kit.Database) {
	w.dbs.Change(kit.Key(db), func(db *kit.Database) { db.Labels = map[string]string{"team": "web"} })
}

// moved has the cloud move the database of db to another endpoint, and isMoved is whether the status says so.
func moved(w *world, db *kit.Database) {
	w.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.Endpoint = "moved:5432" })
}

func isMoved(w *world, db *kit.Database) bool {
	return w.dbs.Now(kit.Key(db)).Status.Endpoint == "moved:5432"
}

var lates = []late{
	{what: "Of the status the Endpoint alone had to be written, and that is a Conflict", shown: moved, unseen: labelled, done: isMoved},
	{
		what:  "Of the status the Endpoint alone had to be written, and that is a Conflict, because a greater ObservedGeneration was written",
		shown: moved,
		unseen: func(w *world, db *kit.Database) {
			w.dbs.Change(kit.Key(db), func(db *kit.Database) { db.Status.ObservedGeneration = 9 })
		},
		done: isMoved,
	},
	{
		what: "The finalizer had to be written before a call of ModifyDatabase, and the Update is a Conflict",
		shown: func(w *world, db *kit.Database) {
			w.dbs.Change(kit.Key(db), func(db *kit.Database) { db.Finalizers, db.Spec.Size = nil, 20 })
		},
		unseen: labelled,
		done: func(w *world, db *kit.Database) bool {
			return slices.Contains(w.dbs.Now(kit.Key(db)).Finalizers, finalizer)
		},
	},
	{
		what: "The finalizer had to be taken off, and the Update is a Conflict",
		shown: func(w *world, db *kit.Database) {
			w.cloud.Vanish(cloudName(db))
			w.dbs.Drop(kit.Key(db))
		},
		unseen: labelled,
		done:   func(w *world, db *kit.Database) bool { return w.dbs.Now(kit.Key(db)) == nil },
	},
	{
		what:   "The Secret with the connection had to be created, and AlreadyExists says that somebody else has its name",
		shown:  func(w *world, db *kit.Database) { w.secrets.Drop(connection(db)) },
		unseen: func(w *world, db *kit.Database) { w.secrets.Put(password("web-connection", "not yours")) },
		done: func(w *world, db *kit.Database) bool {
			c := kit.FindCondition(w.dbs.Now(kit.Key(db)).Status.Conditions, synced)
			return c != nil && c.Reason == secretTaken
		},
	},
	{
		what:   "The status had to be written, and that is a Conflict",
		shown:  func(w *world, db *kit.Database) { edit(w, func(spec *kit.DatabaseSpec) { spec.Engine = "mysql" }) },
		unseen: labelled,
		done: func(w *world, db *kit.Database) bool {
			return kit.FindCondition(w.dbs.Now(kit.Key(db)).Status.Conditions, synced).Reason == engineChanged
		},
	},
	{
		what: "The Data of the Secret with the connection had to be put right, and the Update is NotFound",
		shown: func(w *world, db *kit.Database) {
			w.secrets.Change(connection(db), puts("password", "hunter2"))
		},
		unseen: func(w *world, db *kit.Database) { w.secrets.Remove(connection(db)) },
		done:   func(w *world, db *kit.Database) bool { return w.secrets.Now(connection(db)) != nil },
	},
	{
		what: "The Data of the Secret with the connection had to be put right, and the Update is a Conflict",
		shown: func(w *world, db *kit.Database) {
			w.secrets.Change(connection(db), puts("password", "hunter2"))
		},
		unseen: func(w *world, db *kit.Database) {
			w.secrets.Change(connection(db), func(secret *kit.Secret) { secret.Labels = map[string]string{"team": "web"} })
		},
		done: func(w *world, db *kit.Database) bool {
			return string(w.secrets.Now(connection(db)).Data["password"]) == "secret of web"
		},
	},
}

// checkBehind has a request fail because a cache is behind.
func checkBehind(t *conform.T, s Subject, late late) {
	w := build(t, s)
	db := w.runs("web")
	late.shown(w, db)
	w.catchUp()
	late.unseen(w, db)
	result, err := w.reconcile("web")
	w.sound()
	t.Require(late.done(w, db) || w.comesAgain(result, err), "%s: a cache was behind. Reconcile returned no error and RequeueAfter %v. It should return the error, or come again within Poll, %v.", late.what, result.RequeueAfter, w.poll)
}

func checkTellAll(t *conform.T, s Subject) {
	w := build(t, s)
	w.dbs.Put(database("web"))
	w.drive(time.Minute)
	w.says("web", ready, kit.ConditionFalse, passwordMissing, "there is no password")
	w.says("web", synced, kit.ConditionFalse, passwordMissing, "there is no password")
	w.secrets.Put(password("web-password", "secret"))
	w.drive(time.Minute)
	begun := w.says("web", ready, kit.ConditionFalse, creating, "the cloud is creating the database")
	w.says("web", synced, kit.ConditionTrue, inSync, "the cloud is creating the database, and nothing is in the way")
	t.Require(begun.LastTransitionTime.Before(time.Now().Add(-time.Minute+time.Second)), "Ready was False before the password came, and its LastTransitionTime moved when the reason changed.")
	w.drive(creationTakes)
	up := w.says("web", ready, kit.ConditionTrue, available, "the database is available")
	w.dbs.Change(key("web"), func(db *kit.Database) {
		db.Status.Conditions = append(slices.Clone(db.Status.Conditions), kit.Condition{Type: "Backup", Status: kit.ConditionTrue, Reason: "Nightly"})
	})
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Engine = "mysql" })
	w.drive(time.Minute)
	w.says("web", synced, kit.ConditionFalse, engineChanged, "the spec asks for another engine")
	w.says("web", "Backup", kit.ConditionTrue, "Nightly", "somebody else has set this condition, and only Ready and Synced are ours")
	still := w.says("web", ready, kit.ConditionTrue, available, "the database serves as before")
	t.Require(still.LastTransitionTime.Equal(up.LastTransitionTime), "LastTransitionTime of Ready has moved, though its Status is what it was.")
	t.Require(still.ObservedGeneration == 2, "ObservedGeneration of Ready is %d, and the Database is at generation 2.", still.ObservedGeneration)
	w.dbs.Drop(key("web"))
	w.drive(time.Minute)
	down := w.says("web", ready, kit.ConditionFalse, deleting, "the Database is being deleted")
	t.Require(down.LastTransitionTime.After(up.LastTransitionTime), "Ready has become False, and its LastTransitionTime is that of becoming True.")
	w.says("web", synced, kit.ConditionTrue, inSync, "the cloud is deleting the database, and nothing is in the way")
	w.drive(deletionTakes + poll)
	t.Require(w.dbs.Now(key("web")) == nil, "The Database was deleted, nothing is in the way, and it is still there.")
}

func checkGeneration(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.cloud.Intercept(func(_ context.Context, c *fake.CloudCall, next func() error) error {
		err := next()
		if c.Verb == get && w.dbs.Now(key("web")).Generation == 2 {
			w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 30 })
		}
		return err
	})
	early := ""
	w.dbs.OnChange(func(event kit.Event[*kit.Database], _ []*kit.Database) {
		if event.Object.Status.ObservedGeneration == 3 && early == "" {
			early = showDatabase(event.Object)
		}
	})
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
	w.catchUp()
	_, _ = w.reconcile("web")
	w.sound()
	t.Require(early == "", "The spec was changed to 30 GiB, generation 3, during a Reconcile that had begun with 20 GiB, generation 2. Its status names generation 3: %s.", early)
	w.cloud.Intercept()
	w.dbs.OnChange(w.lookForLeaks)
	w.drive(2*modificationTakes + resync)
	now := w.dbs.Now(key("web"))
	t.Require(now.Spec.Size == 30, "Somebody has changed the size to 30 during a Reconcile, and the spec says %d now.", now.Spec.Size)
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.Size == 30, "The spec asks for 30 GiB, and the database has %d.", has.Size)
	t.Require(now.Status.ObservedGeneration == 3, "ObservedGeneration is %d in the end, and the Database is at generation 3.", now.Status.ObservedGeneration)
}

func checkLateCache(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands("web")
	w.drive(creationTakes - poll)
	w.says("web", ready, kit.ConditionFalse, creating, "the cloud is creating the database")
	w.catchUp()
	time.Sleep(3 * poll)
	_, _ = w.reconcile("web")
	w.feed.secrets.CatchUp()
	c := w.says("web", ready, kit.ConditionTrue, available, "the database is available")
	for range 3 {
		time.Sleep(time.Minute)
		_, _ = w.reconcile("web")
		now := w.says("web", ready, kit.ConditionTrue, available, "the database is available, and the cache does not show the last status yet")
		t.Require(now.LastTransitionTime.Equal(c.LastTransitionTime), "Ready has been True since the last Reconcile, whose status the cache does not show yet. Its LastTransitionTime has moved by %v.", now.LastTransitionTime.Sub(c.LastTransitionTime))
	}
	w.drive(resync)
	w.isReady("web", "the cache shows everything")
}
