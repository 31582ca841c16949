package operatortest

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ending is about the end of a Database.
var ending = []conform.Case[Subject]{
	{
		Name:   "deleted-while-it-is-created",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A Database that is deleted while the cloud creates its database keeps its finalizer until that has been created, deleted and is gone, also if GetDatabase does not show it yet.",
		Why:    "Somebody who has made a typing error deletes within seconds. GetDatabase says CloudNotFound then, and an operator that believes it leaks a database.",
		Hint: []string{
			"The database was created a second ago, and GetDatabase says that there is none. Which call knows better?",
			"Ask DeleteDatabase, whatever GetDatabase has said, unless it has shown a stranger's. CloudBusy is a reason to wait.",
		},
		Source: "crossplane-runtime#279, on names that a cache or a cloud does not show yet; the contract of this lab",
		Contract: []string{
			"In every other case DeleteDatabase decides. GetDatabase may be behind, and so its CloudNotFound proves nothing.",
			"When DeleteDatabase succeeds or answers CloudBusy, the Database waits.",
			"a database that was just created may be CloudNotFound",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkDeletedEarly(t, open()) },
	},
	{
		Name:   "cloud-down-finalizer-stays",
		Points: 4,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "While the cloud does not answer, a Database that is being deleted keeps its finalizer, whichever call has failed; Reconcile returns the error, and the conditions say so.",
		Why:    "A finalizer that is taken off so that a namespace may go at last is a bill that nobody can explain.",
		Hint: []string{
			"How many answers of DeleteDatabase are there, and how many of them mean that the database is gone?",
			"Write the one that lets go first, and have a default that keeps.",
		},
		Source: "kubeuser#112, a finalizer that went although the deletion had failed; controller-runtime pkg/finalizer/finalizer.go: finalizers.Finalize (keeps the finalizer of what returned an error)",
		Contract: []string{
			"With every other error Finalizer stays, however long it takes, and what Reconcile says about errors holds.",
			"If it fails with another error than CloudNotFound, nobody knows whose the database is, and DeleteDatabase is not called.",
			"Every other error is returned, wrapped or not, but not as a kit.TerminalError, which nobody would try again. If it is a kit.CloudError, the status says so.",
			"While a Database is being deleted, Ready is False, Deleting, even then.",
			"When DeleteDatabase succeeds or answers CloudBusy, the Database waits.",
			"Finalizer is taken off when DeleteDatabase has answered CloudNotFound, and not before.",
			"In every other case DeleteDatabase decides. GetDatabase may be behind, and so its CloudNotFound proves nothing.",
			"Taking Finalizer off is an Update, and other finalizers stay.",
			"Ready is False, Deleting, if the Database is being deleted.",
			"CloudThrottled is no failure: nothing is returned as an error, no condition changes, the cloud is not called again in this Reconcile, and RequeueAfter is greater than zero, at least the error's RetryAfter, and at most Poll more, or a second more if Poll is shorter.",
			"Both are set by SetCondition, on those that the object has, so that LastTransitionTime moves only when Status does. No other condition is added, changed or taken away.",
			"of the status and of each condition that is set, is the generation of the Database that this Reconcile acted on.",
			"If nothing in it would change, nothing is written.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkDownAtTheEnd(t, open())
			checkLetsGoOfItsOwn(t, open())
			smallWorlds(t, open(), endings())
		},
	},
	{
		Name:   "not-ours-to-finish",
		Points: 2,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "For a Database that is being deleted without our finalizer the cloud is not called and nothing is written.",
		Why:    "It was deleted before we had seen it, or we have finished with it and somebody else has not. The API server would refuse a finalizer now.",
		Hint:   []string{"What has to be true of a Database before its end is our business?"},
		Source: "apimachinery pkg/api/validation/objectmeta.go: ValidateNoNewFinalizers; controller-runtime pkg/controller/controllerutil/controllerutil.go: ContainsFinalizer",
		Contract: []string{
			"A Database that is being deleted and does not have Finalizer is none of our business: the cloud is not called, and nothing is written.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkNotOurs(t, open()) },
	},
	{
		Name:   "strangers-are-left-alone",
		Points: 5,
		Func:   "DatabaseReconciler.Reconcile",
		Rule:   "A database of our name with another owner is never modified and never deleted. The Database says NameTaken, and its deletion lets go without a call of DeleteDatabase.",
		Why:    "A cluster that was restored from a backup has the UIDs of the original. It must not take over, and then delete, what the original still uses.",
		Hint: []string{
			"How do you know that the database GetDatabase shows is yours?",
			"Compare Owner with CloudOwner before you look at anything else, and in both halves: also where you delete.",
		},
		Source: "Kubernetes API conventions, Object references; crossplane-runtime#279; the contract of this lab",
		Contract: []string{
			"The Owner is not CloudOwner: the Database is stuck, NameTaken. What is not ours is never modified and never deleted.",
			"If there is a database whose Owner is not CloudOwner, none of ours can exist: DeleteDatabase is not called, and Finalizer is taken off.",
			"If it fails with another error than CloudNotFound, nobody knows whose the database is, and DeleteDatabase is not called.",
			"That of a stranger's database is never taken.",
			"if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, state := range []kit.CloudState{kit.CloudAvailable, kit.CloudCreating, kit.CloudFailed} {
				checkStrangers(t, open(), state)
			}
			checkStrangerComesLater(t, open())
			smallWorlds(t, open(), strangersWorlds())
		},
	},
}

func checkDeletedEarly(t *conform.T, s Subject) {
	for _, after := range []time.Duration{poll, creationTakes - poll, creationTakes + 2*poll} {
		w := build(t, s)
		w.cloud.Behind(kit.CloudLag)
		db := w.stands("web")
		w.drive(after)
		t.Require(w.cloud.Created(cloudName(db)) == 1, "The database was created %s, and should have been created once.", times(w.cloud.Created(cloudName(db))))
		w.dbs.Drop(key("web"))
		w.drive(creationTakes + deletionTakes + 8*poll)
		w.isGone(db, "the Database was deleted %v after the cloud had begun to create its database, and GetDatabase is %v behind", after, kit.CloudLag)
	}
}

func checkDownAtTheEnd(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.dbs.Drop(key("web"))
	for _, verbs := range [][]string{{remove}, {get, remove}, {get}} {
		for _, code := range []kit.CloudCode{kit.CloudUnavailable, kit.CloudTimeout, kit.CloudInvalid} {
			w.cloud.Intercept(w.cloud.Answer(code, verbs...))
			w.catchUp()
			w.cloud.Forget()
			_, err := w.reconcile("web")
			w.sound()
			if verbs[0] == get {
				w.called(0, remove, "the Database is being deleted, GetDatabase answered %s, and so nobody knows whose the database is", code)
			}
			w.isOf(err, code, "%s answered %s while the Database is being deleted", conform.Listed(verbs), code)
			w.catchUp()
			w.says("web", ready, kit.ConditionFalse, deleting, "the Database is being deleted, and %s answers %s", conform.Listed(verbs), code)
			w.says("web", synced, kit.ConditionFalse, cloudError, "the Database is being deleted, and %s answers %s", conform.Listed(verbs), code)
		}
	}
	w.cloud.Intercept(w.cloud.Answer(kit.CloudBusy, remove))
	w.waits(w.settled("web", "DeleteDatabase was CloudBusy, which is no failure"), "DeleteDatabase was CloudBusy")
	w.says("web", synced, kit.ConditionTrue, inSync, "DeleteDatabase was CloudBusy, which is no failure")
	w.cloud.Intercept(w.cloud.Throttle(time.Hour, get, remove))
	_, err := w.reconcile("web")
	t.Require(err == nil, "The cloud has throttled a call while the Database is being deleted, and Reconcile returned %s.", conform.Said(err))
	w.cloud.Intercept()
	w.drive(deletionTakes + 2*resync)
	w.isGone(db, "the cloud answers again")
}

func checkNotOurs(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs("seen")
	for _, name := range []string{"new"} {
		w.secrets.Put(password(name+"-password", "secret"))
		w.dbs.Put(database(name, func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} }))
		w.dbs.Drop(key(name))
		w.catchUp()
		w.forget()
		w.settled(name, "its end is none of our business")
		w.quiet("the Database is being deleted and does not have our finalizer")
		t.Require(len(w.cloud.Calls()) == 0, "The Database is being deleted and does not have our finalizer, and the cloud was called: %s.", listed(w.cloud.Calls()))
		t.Require(w.dbs.Now(key(name)) != nil, "The Database is gone, though somebody else's finalizer was there.")
	}
}

func checkStrangers(t *conform.T, s Subject, state kit.CloudState) {
	w := build(t, s)
	db := w.stands("web")
	stranger := kit.CloudDatabase{
		Name: cloudName(db), Owner: "staging/" + db.UID, Engine: "postgres", Size: 999, PasswordVersion: "7", State: state, Endpoint: "elsewhere:5432",
	}
	w.cloud.Put(stranger, "theirs")
	w.drive(resync)
	c := w.says("web", synced, kit.ConditionFalse, nameTaken, "the cloud has a database of that name, with the owner %s", stranger.Owner)
	t.Require(c.ObservedGeneration == 1, "ObservedGeneration of Synced is %d, and the Database is at generation 1.", c.ObservedGeneration)
	w.says("web", ready, kit.ConditionFalse, nameTaken, "there is a stranger's database, and none of ours")
	t.Require(w.dbs.Now(key("web")).Status.Endpoint == "", "The status has the Endpoint of somebody else's database.")
	w.rests(w.settled("web", "stuck is no error"), "the name is taken, and only somebody else can help")
	w.dbs.Drop(key("web"))
	w.cloud.Intercept(w.cloud.Answer(kit.CloudUnavailable, get))
	w.drive(time.Minute)
	w.cloud.Intercept()
	w.drive(resync)
	w.isGone(db, "the database of that name in the cloud is somebody else's")
	has, secret, exists := w.cloud.Now(stranger.Name)
	t.Require(exists && has == stranger && secret == "theirs", "Somebody else's database is not what it was, or gone: %s.", fake.ShowCloudDatabase(has))
	t.Require(!slices.ContainsFunc(w.cloud.Calls(), func(c fake.CloudCall) bool { return c.Verb == remove }), "DeleteDatabase was called, and the only database of that name is somebody else's.")
}

// checkStrangerComesLater has a stranger take the name of a database that was ours, and has gone.
func checkStrangerComesLater(t *conform.T, s Subject) {
	w := build(t, s)
	db := w.runs("web")
	w.cloud.Vanish(cloudName(db))
	stranger := kit.CloudDatabase{Name: cloudName(db), Owner: "staging/" + db.UID, Engine: "postgres", Size: 999, State: kit.CloudAvailable, Endpoint: "elsewhere:5432"}
	w.cloud.Put(stranger, "theirs")
	t.Note("the database has gone, and a stranger has taken its name")
	w.drive(resync)
	w.says("web", synced, kit.ConditionFalse, nameTaken, "the database was ours, has gone, and now one of that name belongs to %s", stranger.Owner)
	w.says("web", ready, kit.ConditionFalse, nameTaken, "there is a stranger's database, and none of ours")
	w.dbs.Drop(key("web"))
	w.drive(resync)
	w.isGone(db, "the database of that name in the cloud is somebody else's")
	has, _, _ := w.cloud.Now(stranger.Name)
	t.Require(has == stranger, "Somebody else's database is not what it was, or gone: %s.", fake.ShowCloudDatabase(has))
}
