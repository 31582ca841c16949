package operatortest

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// deciding is about what to do, and what to leave.
var deciding = []conform.Case[Subject]{
	{
		Name:   "lost-answers-make-no-second",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "When the cloud has done what was asked and its answer is lost, the error is returned, and the next tries find what was done: there is one database, modified or deleted as asked.",
		Why:    "A timeout says nothing about what has happened. Taken for a no, it makes a second database. Taken for a yes, it may leave a Database waiting for ever.",
		Hint: []string{
			"Two calls of CreateDatabase with the same name: what does the second one say, and what does that mean?",
			"CloudAlreadyExists is no failure. It is the answer that was lost.",
		},
		Source: "ack#2062, where an interrupted creation was made again; crossplane-runtime#279; the contract of this lab",
		Contract: []string{
			"CloudAlreadyExists is no failure: GetDatabase is behind, and will show whose it is.",
			"Every other error is returned, wrapped or not, but not as a kit.TerminalError, which nobody would try again.",
			"CreateDatabase is called, with CloudName and CloudOwner",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkLostAnswers(t, open()) },
	},
	{
		Name:   "a-stale-cache-creates-nothing",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "Before CreateDatabase the Database is read from the API server itself. If it is gone, is being deleted, has another UID or lost its finalizer, nothing is created.",
		Why:    "After a failover a cache may show what was deleted minutes ago. What is created for it has no owner who could ever delete it.",
		Hint: []string{
			"The cache shows a Database with its finalizer. Which request would show that it is long gone?",
			"Get it by Databases right before CreateDatabase, and compare the UID: another one may have the name by now.",
		},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: RecheckDeletionTimestamp; crossplane-runtime#279, which writes an annotation first, so that a stale read fails",
		Contract: []string{
			"So before CreateDatabase the Database is read from the API server itself, by Get or as the answer of an Update of the same Reconcile.",
			"If it is gone, has another UID, is being deleted or does not have Finalizer, nothing is created, and whether that is an error is left open.",
			"A Database that DatabaseCache does not have is gone. There is nothing to do: that is no error, and the Result is zero.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkStaleCreates(t, open())
			checkNotInTheCache(t, open())
		},
	},
	{
		Name:   "drift-is-put-right",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "What was changed in the cloud by hand is noticed within Resync and put right. So is a change of the spec. While the cloud is at work, nothing is forced.",
		Why:    "The cloud sends no events. Only a look at it from time to time shows that somebody has been there.",
		Hint: []string{
			"Nothing in the cluster has changed. Who calls Reconcile, and when?",
			"Compare what GetDatabase shows with the spec each time, and not the spec with what you have once asked for.",
		},
		Source: "ACK documentation, Recovering from Drift; ack#1107, a change that came while the database was being modified",
		Contract: []string{
			"The Size is not that of the spec, or PasswordVersion not that of the Secret: ModifyDatabase, and it waits.",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
			"CloudBusy is no failure: it waits. Any call but GetDatabase may answer it.",
			"The State is CloudCreating, CloudModifying or CloudDeleting: it waits.",
			"From here the first that fits is done:",
			"if it waits, RequeueAfter is at least a quarter of Poll and at most Poll",
			"Both are set by SetCondition, on those that the object has, so that LastTransitionTime moves only when Status does. No other condition is added, changed or taken away.",
			"Otherwise it is True, Available, if GetDatabase has shown a database with the Owner CloudOwner whose State is CloudAvailable or CloudModifying. Otherwise it is False, and its reason is that for which the Database is stuck, or else Creating.",
			"of the status and of each condition that is set, is the generation of the Database that this Reconcile acted on.",
			"If nothing in it would change, nothing is written.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkDrift(t, open())
			checkWaitsFirst(t, open())
			checkDeletedInTheCloud(t, open())
			smallWorlds(t, open(), modifications)
		},
	},
	{
		Name:   "loss-follows-the-policy",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A database that was available and has gone is created again, or reported as Lost and not created, as OnLoss says.",
		Why:    "A new database is empty. For a cache that is right; for the books of a company it hides the loss of the data.",
		Hint: []string{
			"CloudNotFound can mean that it was never created, and that it has gone. Where is it written down which of them?",
			"The status has an Endpoint once the database was available.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Again the first that fits is done:",
			"If its status, as it was just read, has an Endpoint, there was a database, and it is lost: with kit.LossReport the Database is stuck, Lost, also if Finalizer was written just now.",
			"Endpoint is that of the cloud once there is one, and then it stays until there is another.",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
			"If nothing in it would change, nothing is written.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkLoss(t, open())
			checkLossUnseen(t, open())
			smallWorlds(t, open(), losses)
		},
	},
	{
		Name:   "stuck-is-no-storm",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "What only somebody else can put right is a condition with its reason, and no error: Reconcile comes again after more than Poll. When it is put right, the Database goes on.",
		Why:    "An error is tried again for ever, a thousand times an hour over all Databases, each try a call of the cloud. And a terminal state that is never left is as bad.",
		Hint: []string{
			"Will the next try have another outcome if nobody changes anything?",
			"Return nil and RequeueAfter: Resync, and decide anew each time: nothing may depend on the condition that you wrote before.",
		},
		Source: "ack#3006, an invalid update that was tried for ever; ack#1139, a terminal condition that a new spec did not end; controller-runtime pkg/reconcile/reconcile.go: TerminalError",
		Contract: []string{
			"Stuck is no error: to try again soon would help nobody.",
			"if it waits, RequeueAfter is at least a quarter of Poll and at most Poll",
			"CloudBusy is no failure: it waits. Any call but GetDatabase may answer it.",
			"CloudInvalid, from CreateDatabase or ModifyDatabase: it is stuck, Invalid.",
			"From here the first that fits is done:",
			"The Engine is not that of the spec: it is stuck, EngineChanged, and nothing is modified.",
			"The password is under PasswordKey in the Secret that the spec names, in SecretCache, and is not empty.",
			"The Message of a condition whose reason is CloudError or Invalid contains the Message of the kit.CloudError. It does not contain the RequestID, nor anything else that differs from one try to the next",
			"Without a password it is stuck, PasswordMissing.",
			"There is no password: it is stuck, PasswordMissing, and nothing is modified.",
			"The State is CloudFailed: it is stuck, Failed.",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
			"Otherwise it is True, Available, if GetDatabase has shown a database with the Owner CloudOwner whose State is CloudAvailable or CloudModifying. Otherwise it is False, and its reason is that for which the Database is stuck, or else Creating.",
			"Endpoint is that of the cloud once there is one, and then it stays until there is another.",
			"Both are set by SetCondition, on those that the object has, so that LastTransitionTime moves only when Status does. No other condition is added, changed or taken away.",
			"If nothing in it would change, nothing is written.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkStuck(t, open())
			checkAsksAgain(t, open())
			checkWithoutPassword(t, open())
			checkManyStuck(t, open())
			for _, c := range spans {
				checkStuckSpans(t, open(), c.poll, c.resync)
			}
			smallWorlds(t, open(), stucks)
		},
	},
	{
		Name:   "password-reaches-the-cloud",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Look:   []string{"DatabaseReconciler.Reconcile", "DatabaseReconciler.SecretHandler"},
		Rule:   "When the Secret with the password changes, the database gets the new password, and then the connection does.",
		Why:    "The password is not in the spec. A controller that watches only its own kind never hears that it was changed.",
		Hint: []string{
			"The cloud never shows a password. By what do you know that it has an old one?",
			"PasswordVersion is the resource version of the Secret. If the two differ, modify.",
		},
		Source: "controller-runtime pkg/handler/enqueue_mapped.go: EnqueueRequestsFromMapFunc; the contract of this lab",
		Contract: []string{
			"PasswordVersion is the resource version of that Secret.",
			"It is used as it stands there, with all white space.",
			"If its controller is the Database, and its Data is not as it should be, an Update puts Data right and leaves the rest as it is.",
			"The password is under PasswordKey in the Secret that the spec names, in SecretCache, and is not empty.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkPassword(t, open())
			smallWorlds(t, open(), passwords)
		},
	},
	{
		Name:   "connection-is-owned",
		Points: 3,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "The connection's Secret is put right when somebody has changed or deleted it. A Secret of that name that the Database does not control, by UID, is not touched, and the Database says SecretTaken.",
		Why:    "Somebody else's Secret may hold the only copy of something. And the Secret of a Database that was deleted and made again is about to be garbage collected.",
		Hint: []string{
			"There is a Secret of that name. Whose is it?",
			"ControllerOf, and its UID. Compare before you write.",
		},
		Source: "controller-runtime pkg/controller/controllerutil/controllerutil.go: SetControllerReference, AlreadyOwnedError; kubernetes#69376, the same name twice",
		Contract: []string{
			"If SecretCache has none, it is created.",
			"If its controller is the Database, and its Data is not as it should be, an Update puts Data right and leaves the rest as it is.",
			"Its Data is the Endpoint of the cloud under EndpointKey and the password under PasswordKey, and nothing else.",
			"Errors of the API server are returned.",
			"If its controller is not the Database, by UID, or if it has none, it is somebody else's: it is not touched, and the Database is stuck, SecretTaken. That holds whatever its Data is.",
			"If its Data is as it should be, nothing is written.",
			"It has one owner reference, to the Database, which is its controller.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkConnection(t, open())
			checkTakenBefore(t, open())
			smallWorlds(t, open(), connections)
			checkLongName(t, open())
		},
	},
}

func checkLostAnswers(t *conform.T, s Subject) {
	w := build(t, s)
	w.cloud.Behind(20 * time.Second)
	db := w.stands("web")
	w.cloud.Intercept(w.cloud.Lose(create))
	var err error
	for range 3 {
		if _, err = w.reconcile("web"); err != nil {
			break
		}
		w.catchUp()
	}
	w.sound()
	w.isOf(err, kit.CloudTimeout, "The answer of CreateDatabase was lost, so that nobody knows what was done")
	w.cloud.Intercept()
	w.waits(w.settled("web", "CloudAlreadyExists is no failure"), "the database was created, and GetDatabase does not show it yet")
	w.says("web", synced, kit.ConditionTrue, inSync, "CloudAlreadyExists is no failure")
	w.drive(creationTakes + 6*poll)
	w.isReady("web", "the answer of CreateDatabase was lost, and the database was created")
	w.cloud.Intercept(w.cloud.Lose(modify))
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
	w.drive(modificationTakes + 6*poll)
	w.cloud.Intercept()
	w.drive(resync + poll)
	w.isReady("web", "the answer of ModifyDatabase was lost, and the database was modified")
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.Size == 20, "The spec asks for 20 GiB, and the database has %d.", has.Size)
	w.dbs.Drop(key("web"))
	w.cloud.Intercept(w.cloud.Lose(remove))
	w.drive(poll)
	w.cloud.Intercept()
	w.drive(deletionTakes + resync)
	w.isGone(db, "the answer of DeleteDatabase was lost, and the database was deleted")
	t.Require(w.cloud.Created(cloudName(db)) == 1, "The database was created %s.", times(w.cloud.Created(cloudName(db))))
}

// overtakings are what becomes of a Database that the cache goes on to show with its finalizer.
var overtakings = []struct {
	what string
	then func(w *world)
}{
	{"is gone by now", func(w *world) { w.dbs.Remove(key("web")) }},
	{"is being deleted by now", func(w *world) { w.dbs.Drop(key("web")) }},
	{"was deleted and made again by now, with another UID", func(w *world) {
		w.dbs.Remove(key("web"))
		w.dbs.Put(database("web", finalized))
	}},
	{"has lost its finalizer by now", func(w *world) {
		w.dbs.Change(key("web"), func(db *kit.Database) { db.Finalizers = nil })
	}},
	{"has a finalizer of somebody else by now, and not ours", func(w *world) {
		w.dbs.Change(key("web"), func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} })
	}},
}

func checkStaleCreates(t *conform.T, s Subject) {
	for _, c := range overtakings {
		w := build(t, s)
		w.stands("web", finalized)
		w.drive(creationTakes + 2*poll)
		w.cloud.Vanish(cloudName(w.dbs.Now(key("web"))))
		w.catchUp()
		w.createsNothing(c.what, "what the operator itself has reported", c.then)
		for _, before := range reported() {
			w := build(t, s)
			w.stands("web", finalized, before.db)
			w.createsNothing(c.what, before.what, c.then)
		}
	}
	w := build(t, s)
	w.stands("web", finalized)
	w.drive(creationTakes + 2*poll)
	w.isReady("web", "the Database is there, with its finalizer")
}

// createsNothing has something befall the Database web, of which the cache does not hear, and requires that nothing is created for it.
func (w *world) createsNothing(what, reported string, then func(w *world)) {
	w.t.Note("the Database %s, and the cache has not heard of it", what)
	then(w)
	_, _ = w.reconcile("web")
	w.t.Require(len(w.cloud.Names()) == 0, "The Database %s, which the cache has not heard of. The cloud was asked to create %s. Before CreateDatabase the Database is read from the API server itself, whatever its status says, in this case %s.", what, conform.Listed(w.cloud.Names()), reported)
	w.sound()
}

func checkDrift(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	sized := func(want int, why string) {
		has, _, _ := w.cloud.Now(cloudName(db))
		t.Require(has.Size == want, "The database has %d GiB, and should have %d: %s.", has.Size, want, why)
		w.isReady("web", "%s", why)
	}
	w.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.Size = 3 })
	w.drive(resync + modificationTakes + 2*poll)
	sized(10, "somebody had changed it to 3, and the spec asks for 10")
	w.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.PasswordVersion = "" })
	w.forget()
	w.drive(resync + modificationTakes + 2*poll)
	t.Require(len(w.cloud.Calls(modify)) > 0, "Somebody had cleared the PasswordVersion of the database, which is not that of the Secret then, and ModifyDatabase was not called. What was asked for before does not count: each time the cloud is compared with the spec.")
	sized(10, "the password was set anew")
	w.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.Endpoint = "moved:5432" })
	w.forget()
	w.drive(resync + 2*poll)
	sized(10, "the cloud has moved the database to another endpoint")
	w.isConnected("web", "secret of web", "the cloud has moved the database to another endpoint")
	updates := len(w.dbs.Requests(fake.Update))
	t.Require(updates == 0, "Nothing but the status of the Database had to be written, and Databases.Update was called %s. The status is written by Status, and never by Databases.", times(updates))
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 20 })
	w.drive(poll)
	has, _, _ := w.cloud.Now(cloudName(db))
	t.Require(has.State == kit.CloudModifying && has.Size == 20, "The spec asks for 20 GiB now, and the database is %s.", fake.ShowCloudDatabase(has))
	w.says("web", ready, kit.ConditionTrue, available, "the cloud is modifying the database, which serves meanwhile")
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 30 })
	w.drive(2*modificationTakes + 4*poll)
	sized(30, "the spec was changed to 30 while the cloud was modifying the database to 20")
	w.cloud.Behind(kit.CloudLag)
	w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.Size = 40 })
	w.catchUp()
	w.waits(w.settled("web", "nothing has failed"), "ModifyDatabase was called")
	w.waits(w.settled("web", "CloudBusy is no failure"), "GetDatabase is behind and shows the database as before, and ModifyDatabase is CloudBusy")
	w.says("web", synced, kit.ConditionTrue, inSync, "CloudBusy is no failure")
	w.drive(modificationTakes + resync)
	sized(40, "the spec asks for 40")
	observed := w.dbs.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 4, "ObservedGeneration in the status is %d, and the Database is at generation 4.", observed)
}

func checkLoss(t *conform.T, s Subject) {
	for _, policy := range []kit.LossPolicy{"", kit.LossRecreate, kit.LossReport} {
		w := build(t, s)
		w.cloud.Behind(20 * time.Second)
		db := w.stands("web", func(db *kit.Database) { db.Spec.OnLoss = policy })
		w.drive(creationTakes + 8*poll)
		w.isReady("web", "nothing was in the way")
		w.cloud.Vanish(cloudName(db))
		w.keepsEndpoint(resync + creationTakes + 8*poll)
		if policy != kit.LossReport {
			w.isReady("web", "the database had gone, and OnLoss is %q", policy)
			w.isConnected("web", "secret of web", "the database was created again, and has another endpoint")
			continue
		}
		t.Require(w.cloud.Created(cloudName(db)) == 1, "CreateDatabase was called again for a database that has gone, and OnLoss is %q: the Database should be stuck, Lost.", policy)
		w.says("web", ready, kit.ConditionFalse, lost, "the database has gone, and OnLoss is %q", policy)
		w.says("web", synced, kit.ConditionFalse, lost, "the database has gone, and OnLoss is %q", policy)
		w.rests(w.settled("web", "stuck is no error"), "the database is lost")
		w.secrets.Remove(key("web-password"))
		w.drive(resync)
		w.says("web", synced, kit.ConditionFalse, lost, "the database has gone, which comes first, and there is no password either")
		w.secrets.Put(password("web-password", "secret of web"))
		w.dbs.Change(key("web"), func(db *kit.Database) { db.Spec.OnLoss = kit.LossRecreate })
		w.drive(creationTakes + 8*poll)
		w.isReady("web", "OnLoss was changed to %q", kit.LossRecreate)
	}
}

// keepsEndpoint is drive while the Endpoint in the status of web may change only to another one.
func (w *world) keepsEndpoint(d time.Duration) {
	last := w.dbs.Now(key("web")).Status.Endpoint
	for range d / poll {
		w.drive(poll)
		now := w.dbs.Now(key("web")).Status.Endpoint
		w.t.Require(now != "", "The Endpoint in the status was %q, and is empty now. It stays until there is another.", last)
		last = now
	}
}

// checkLossUnseen is about a database that goes before the cache shows that it was there.
func checkLossUnseen(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.stands("web", func(db *kit.Database) { db.Spec.OnLoss = kit.LossReport })
	w.drive(creationTakes - poll)
	w.catchUp()
	time.Sleep(3 * poll)
	for range 2 {
		_, _ = w.reconcile("web")
		w.feed.secrets.CatchUp()
	}
	endpoint := w.dbs.Now(key("web")).Status.Endpoint
	t.Require(endpoint != "", "The database is available, and the status has no Endpoint.")
	w.cloud.Vanish(cloudName(db))
	t.Note("the API server knows the Endpoint of the Database, and the cache has not heard of it")
	_, _ = w.reconcile("web")
	t.Require(w.cloud.Created(cloudName(db)) == 1, "CreateDatabase was called for a database that is lost, and OnLoss is %q: the Database should be stuck, Lost. The cache does not show the Endpoint in its status yet, and the API server has it: %s.", kit.LossReport, endpoint)
	w.drive(resync)
	w.says("web", synced, kit.ConditionFalse, lost, "the database has gone, and OnLoss is %q", kit.LossReport)
}

// trouble is a way to be stuck, and what ends it.
type trouble struct {
	reason string
	begins func(w *world, db *kit.Database)
	ends   func(w *world, db *kit.Database)
	usable bool // the database can be used all the same
}

func hasPassword(w *world, text string) {
	w.secrets.Change(key("web-password"), puts("password", text))
}

var troubles = []trouble{
	{
		reason: engineChanged, usable: true,
		begins: func(w *world, _ *kit.Database) { edit(w, func(s *kit.DatabaseSpec) { s.Engine, s.Size = "mysql", 11 }) },
		ends: func(w *world, _ *kit.Database) {
			edit(w, func(s *kit.DatabaseSpec) { s.Engine, s.Size = "postgres", 10 })
		},
	},
	{
		reason: invalid, usable: true,
		begins: func(w *world, _ *kit.Database) {
			w.cloud.Intercept(w.cloud.Answer(kit.CloudInvalid, modify))
			edit(w, func(s *kit.DatabaseSpec) { s.Size = 7 })
		},
		ends: func(w *world, _ *kit.Database) {
			w.cloud.Intercept()
			edit(w, func(s *kit.DatabaseSpec) { s.Size = 12 })
		},
	},
	{
		reason: passwordMissing, usable: true,
		begins: func(w *world, _ *kit.Database) { w.secrets.Remove(key("web-password")) },
		ends:   func(w *world, _ *kit.Database) { w.secrets.Put(password("web-password", "secret of web")) },
	},
	{
		reason: passwordMissing, usable: true,
		begins: func(w *world, _ *kit.Database) { hasPassword(w, "") },
		ends:   func(w *world, _ *kit.Database) { hasPassword(w, "another secret") },
	},
	{
		reason: engineChanged, usable: true,
		begins: func(w *world, _ *kit.Database) {
			w.secrets.Remove(key("web-password"))
			edit(w, func(s *kit.DatabaseSpec) { s.Engine = "mysql" })
		},
		ends: func(w *world, _ *kit.Database) {
			w.secrets.Put(password("web-password", "secret of web"))
			edit(w, func(s *kit.DatabaseSpec) { s.Engine = "postgres" })
		},
	},
	{
		reason: passwordMissing,
		begins: func(w *world, db *kit.Database) {
			w.secrets.Remove(key("web-password"))
			w.cloud.Vanish(cloudName(db))
		},
		ends: func(w *world, _ *kit.Database) { w.secrets.Put(password("web-password", "secret of web")) },
	},
	{
		reason: invalid,
		begins: func(w *world, db *kit.Database) {
			w.cloud.Intercept(w.cloud.Answer(kit.CloudInvalid, create))
			w.cloud.Vanish(cloudName(db))
		},
		ends: func(w *world, _ *kit.Database) { w.cloud.Intercept() },
	},
	{
		reason: failed,
		begins: func(w *world, db *kit.Database) {
			w.cloud.Failing()
			w.cloud.Vanish(cloudName(db))
		},
		ends: func(w *world, db *kit.Database) {
			w.t.Note("somebody has deleted the database that failed, and made another by hand")
			w.cloud.Put(kit.CloudDatabase{
				Name: cloudName(db), Owner: cluster + "/" + db.UID, Engine: "postgres", Size: 9, State: kit.CloudAvailable, Endpoint: "by-hand.cloud.example:5432",
			}, "made up")
		},
	},
}

func checkStuck(t *conform.T, s Subject) {
	for _, trouble := range troubles {
		w := build(t, s)
		db := w.runs("web")
		w.forget()
		trouble.begins(w, db)
		w.drive(resync + creationTakes + 2*poll)
		c := w.says("web", synced, kit.ConditionFalse, trouble.reason, "%s was in the way", trouble.reason)
		if trouble.usable {
			w.says("web", ready, kit.ConditionTrue, available, "the database can be used, though it is stuck: %s", trouble.reason)
		} else {
			w.says("web", ready, kit.ConditionFalse, trouble.reason, "there is no database that can be used, and it is stuck: %s", trouble.reason)
		}
		t.Require(trouble.reason != invalid || strings.Contains(c.Message, fake.CloudMessage(kit.CloudInvalid)),
			"The Message of Synced is %q, and the cloud says %q.", c.Message, fake.CloudMessage(kit.CloudInvalid))
		now := w.dbs.Now(key("web"))
		t.Require(c.ObservedGeneration == now.Generation, "ObservedGeneration of Synced is %d, and the Database is at generation %d.", c.ObservedGeneration, now.Generation)
		w.rests(w.settled("web", "stuck is no error: %s", trouble.reason), "it is stuck: %s", trouble.reason)
		w.forget()
		changes := w.dbs.Changes()
		n := w.drive(2*time.Hour - time.Second)
		most := int(2 * time.Hour / poll)
		t.Require(n <= most, "The Database is stuck, %s, and nobody has changed anything. In two hours Reconcile had to be called %s.", trouble.reason, times(n))
		fake.Untouched(t, "one of these calls of Reconcile", w.feed.dbs.Cache, w.feed.secrets.Cache)
		t.Require(w.dbs.Changes() == changes, "The Database is stuck, %s, and nobody has changed anything. In two hours its status was written %s.", trouble.reason, times(w.dbs.Changes()-changes))
		trouble.ends(w, db)
		w.drive(resync + creationTakes + modificationTakes + 4*poll)
		w.isReady("web", "%s is not in the way any longer", trouble.reason)
	}
}

func checkPassword(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	for _, text := range []string{" new secret 0\n", " new secret 1\n", "  "} {
		w.secrets.Change(key("web-password"), puts("password", text))
		w.drive(modificationTakes + 2*poll)
		_, got, _ := w.cloud.Now(cloudName(db))
		t.Require(got == text, "The password in the Secret is %q now, and that of the database is %q.", text, got)
		w.isReady("web", "the password was changed")
		w.isConnected("web", text, "the password was changed")
	}
	w.forget()
	w.settled("web", "nothing has happened")
	w.quiet("the database has the password of the Secret")
}

func checkConnection(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.secrets.Change(connection(db), func(secret *kit.Secret) {
		secret.Data = map[string][]byte{"password": []byte("hunter2"), "more": nil}
		secret.Labels = map[string]string{"team": "web"}
	})
	w.drive(poll)
	w.isConnected("web", "secret of web", "somebody had changed it")
	label := w.secrets.Now(connection(db)).Labels["team"]
	t.Require(label == "web", "Somebody has put the label team=web on the connection's Secret, and it is gone. Only Data is ours.")
	w.secrets.Change(connection(db), puts("more", "mine"))
	w.drive(poll)
	w.isConnected("web", "secret of web", "somebody had added to it, and only the two keys belong there")
	w.keepsTheRest(db)
	w.leavesWhatItHasNotSeen(db)
	w.secrets.Remove(connection(db))
	w.secrets.Intercept(refuse(kit.NewStatusError(kit.ReasonInternalError, "etcd is slow today")))
	w.catchUp()
	_, err := w.reconcile("web")
	t.Require(err != nil, "The Secret with the connection could not be created, and Reconcile returned nil.")
	w.secrets.Intercept()
	w.drive(poll)
	w.isConnected("web", "secret of web", "somebody had deleted it")
	w.leavesForeignSecrets(db)
	w.secrets.Remove(connection(db))
	w.drive(resync)
	w.isConnected("web", "secret of web", "the Secret that was in the way is gone")
	w.isReady("web", "the Secret that was in the way is gone")
}

// checkLongName is about a Database whose name is as long as a label of a DNS name may be.
func checkLongName(t *conform.T, s Subject) {
	w := build(t, s)
	long := strings.Repeat("a", 63)
	w.runs(long)
	w.isConnected(long, "secret of "+long, "the database is available")
}

// leavesForeignSecrets requires that a Secret that has the connection's name and is somebody
// else's is not touched.
func (w *world) leavesForeignSecrets(db *kit.Database) {
	old, among := asController(db), asController(db)
	old.UID = "uid-of-the-old-web"
	among.Controller = false
	other := kit.OwnerReference{APIVersion: "book.example/v1", Kind: "Certificate", Name: "web", UID: "uid-of-a-certificate", Controller: true}
	for _, c := range []struct {
		owners   []kit.OwnerReference
		password string
		whose    string
	}{
		{nil, "not yours", "it has no owner"},
		{nil, "secret of web", "it has no owner, though its Data is that of the connection"},
		{[]kit.OwnerReference{old}, "not yours", fmt.Sprintf("its controller is a Database web with another UID (%q, and not %q)", old.UID, db.UID)},
		{[]kit.OwnerReference{among, other}, "not yours", "the Database is one of its owners, and a Certificate is its controller"},
	} {
		w.secrets.Remove(connection(db))
		foreign := password("web-connection", c.password)
		foreign.Data["endpoint"] = []byte(w.dbs.Now(key("web")).Status.Endpoint)
		foreign.OwnerReferences = c.owners
		foreign = w.secrets.Put(foreign)
		w.drive(resync)
		w.says("web", synced, kit.ConditionFalse, secretTaken, "there is a Secret %s, and %s", connection(db), c.whose)
		w.says("web", ready, kit.ConditionTrue, available, "the database itself can be used")
		w.t.Same(foreign, w.secrets.Now(connection(db)), "The Secret %s is somebody else's (%s), and was written to", connection(db), c.whose)
		w.rests(w.settled("web", "stuck is no error"), "the Secret with the connection is somebody else's")
	}
	edit(w, func(spec *kit.DatabaseSpec) { spec.Size = 17 })
	w.drive(modificationTakes + 2*poll)
	has, _, _ := w.cloud.Now(cloudName(db))
	w.t.Require(has.Size == 17, "The spec asks for 17 GiB now, the Secret %s is somebody else's, and the database has %d. ModifyDatabase comes before the connection.", connection(db), has.Size)
}

// keepsTheRest has somebody add to the connection what is none of ours, and spoil its Data.
func (w *world) keepsTheRest(db *kit.Database) {
	other := kit.OwnerReference{APIVersion: "book.example/v1", Kind: "Certificate", Name: "web", UID: "uid-of-a-certificate"}
	was := w.secrets.Change(connection(db), func(secret *kit.Secret) {
		puts("password", "hunter2")(secret)
		secret.OwnerReferences = append(secret.OwnerReferences, other)
		secret.Annotations = map[string]string{"team": "web"}
		secret.Finalizers = []string{"somebody/else"}
	})
	w.drive(poll)
	now := w.secrets.Now(connection(db))
	w.t.Require(string(now.Data["password"]) == "secret of web", "Somebody had changed the Data of the Secret %s, and the password in it is %q.", connection(db), now.Data["password"])
	was.ResourceVersion = now.ResourceVersion
	w.t.Same(was.ObjectMeta, now.ObjectMeta, "The Data of the Secret %s was put right by an Update, which should leave the rest as it is, and has changed it", connection(db))
	w.secrets.Change(connection(db), func(secret *kit.Secret) {
		secret.OwnerReferences, secret.Finalizers = secret.OwnerReferences[:1], nil
	})
	w.drive(poll)
}

// leavesWhatItHasNotSeen has the cache show our Secret with wrong Data, where the API server has somebody else's.
func (w *world) leavesWhatItHasNotSeen(db *kit.Database) {
	w.secrets.Change(connection(db), puts("password", "hunter2"))
	w.catchUp()
	w.secrets.Remove(connection(db))
	foreign := w.secrets.Put(password("web-connection", "not yours"))
	_, _ = w.reconcile("web")
	w.t.Same(foreign, w.secrets.Now(connection(db)), "The cache shows the Secret %s with wrong Data, which was deleted and made again by somebody else. That one was written to", connection(db))
	w.secrets.Remove(connection(db))
	w.drive(resync)
	w.isConnected("web", "secret of web", "the Secret that was in the way is gone")
}
