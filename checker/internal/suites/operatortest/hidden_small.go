package operatortest

import (
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is small worlds by the table: what is so, and what has to come of one Reconcile.

func engine(name string) func(db *kit.Database) {
	return func(db *kit.Database) { db.Spec.Engine = name }
}

func reportsLoss(db *kit.Database) { db.Spec.OnLoss = kit.LossReport }

// smaller has the cloud have less than the spec asks for.
func smaller(has *kit.CloudDatabase) { has.Size = 3 }

// modifications are worlds in which the cloud has to change something, or is at work.
var modifications = []small{
	{what: "The database is smaller than the spec asks for", has: smaller, calls: []string{modify}, ready: available, synced: inSync, also: endpoint("here:5432")},
	{what: "The database is larger than the spec asks for", has: func(has *kit.CloudDatabase) { has.Size = 999 }, calls: []string{modify}, ready: available, synced: inSync},
	{
		what: "The database is larger than the spec asks for, and has no PasswordVersion", calls: []string{modify}, ready: available, synced: inSync,
		has: func(has *kit.CloudDatabase) { has.Size, has.PasswordVersion = 999, "" },
	},
	{what: "The database has no PasswordVersion", has: func(has *kit.CloudDatabase) { has.PasswordVersion = "" }, calls: []string{modify}, ready: available, synced: inSync},
	{
		what: "The database has a PasswordVersion that is greater than that of the Secret", has: func(has *kit.CloudDatabase) { has.PasswordVersion = "999999" },
		calls: []string{modify}, ready: available, synced: inSync,
	},
	{
		what: "The database is smaller than the spec asks for, and CloudError was said at an old generation", has: smaller,
		db: said(available, cloudError, 1, "here:5432"), calls: []string{modify}, ready: available, synced: inSync,
	},
	{
		what: "The database is smaller than the spec asks for, and ModifyDatabase answers CloudBusy", has: smaller,
		db: said(available, cloudError, 1, "here:5432"), cloud: answers(kit.CloudBusy, modify), calls: []string{modify}, ready: available, synced: inSync,
	},
	{
		what: "The spec asks for a Size of 0, and the database has 10 GiB", db: func(db *kit.Database) { db.Spec.Size = 0 },
		has: func(has *kit.CloudDatabase) { has.Size = 10 }, calls: []string{modify}, ready: available, synced: inSync,
	},
	{
		what: "There is no database, and CreateDatabase answers CloudBusy", db: said(creating, cloudError, 1, ""),
		cloud: answers(kit.CloudBusy, create), calls: []string{create}, ready: creating, synced: inSync,
	},
	{
		what: "The cloud is modifying the database, and the spec asks for another engine and size", db: both(engine("mysql"), said(creating, invalid, 1, "")),
		has: func(has *kit.CloudDatabase) { has.State, has.Size = kit.CloudModifying, 3 }, ready: available, synced: inSync, also: endpoint("here:5432"),
	},
	{
		what: "The cloud is creating the database, and there is no password", has: inState(kit.CloudCreating),
		secret: func(secret *kit.Secret) { secret.Data = nil }, ready: creating, synced: inSync,
	},
	{
		what: "Somebody is deleting the database in the cloud, and OnLoss is Report", db: both(reportsLoss, said(available, inSync, 1, "here:5432")),
		has: inState(kit.CloudDeleting), ready: creating, synced: inSync,
	},
	{
		what: "The generation of the Database is less than the one that was observed", db: said(available, inSync, 9, "here:5432"), has: smaller,
		calls: []string{modify}, ready: available, synced: inSync,
	},
}

// settlings are worlds in which the database is as the spec asks, or what the status says holds no longer.
var settlings = []small{
	{what: "The database is as the spec asks, and nothing was reported", has: asAsked, ready: available, synced: inSync, rests: true, also: connected("secret of web")},
	{
		what: "The database is as the spec asks, and its Endpoint is another one than in the status", db: said(available, inSync, 2, "there:5432"), has: asAsked,
		ready: available, synced: inSync, rests: true, also: connected("secret of web"),
	},
	{what: "The database is as the spec asks, and the status says CloudError", db: said(available, cloudError, 2, "here:5432"), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says SecretTaken", db: said(available, secretTaken, 2, "here:5432"), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says Lost", db: both(reportsLoss, said(lost, lost, 2, "here:5432")), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says NameTaken", db: said(nameTaken, nameTaken, 2, ""), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says Failed", db: said(failed, failed, 2, ""), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says EngineChanged", db: said(available, engineChanged, 2, "here:5432"), has: asAsked, ready: available, synced: inSync, rests: true},
	{what: "The database is as the spec asks, and the status says PasswordMissing", db: said(passwordMissing, passwordMissing, 2, ""), has: asAsked, ready: available, synced: inSync, rests: true},
	{
		what: "The database is as the spec asks, and another generation was observed", db: said(available, inSync, 9, "here:5432"), has: asAsked,
		ready: available, synced: inSync, rests: true,
	},
	{
		what: "The database is as the spec asks, and our finalizer is the first of two", has: asAsked, ready: available, synced: inSync, rests: true,
		db:   func(db *kit.Database) { db.Finalizers = []string{finalizer, "somebody/else"} },
		also: letGo(finalizer, "somebody/else"),
	},
	{
		what: "GetDatabase is behind and does not show the database that the cloud is creating", db: said(creating, cloudError, 2, ""), has: inState(kit.CloudCreating),
		cloud: answers(kit.CloudNotFound, get), calls: []string{create}, ready: creating, synced: inSync,
	},
	{
		what: "GetDatabase is behind and does not show the database that the cloud is creating in the place of one that has gone", has: inState(kit.CloudCreating),
		db: said(creating, inSync, 2, "here:5432"), cloud: answers(kit.CloudNotFound, get), calls: []string{create}, ready: creating, synced: inSync,
	},
	{what: "There is none, and the status says Failed", db: said(failed, failed, 2, ""), calls: []string{create}, ready: creating, synced: inSync},
	{what: "There is none, and the status says NameTaken", db: said(nameTaken, nameTaken, 2, ""), calls: []string{create}, ready: creating, synced: inSync},
	{what: "There is none, and the status says Ready", db: said(available, inSync, 2, "here:5432"), calls: []string{create}, ready: creating, synced: inSync, also: endpoint("here:5432")},
	{what: "There is none, and Ready has become True just now", db: both(said(available, inSync, 2, "here:5432"), justNow), calls: []string{create}, ready: creating, synced: inSync},
	{what: "There is none, and the status says CloudError", db: said(creating, cloudError, 1, ""), calls: []string{create}, ready: creating, synced: inSync},
}

// stucks are worlds in which the Database is stuck.
var stucks = []small{
	{
		what: "The database failed, and the spec asks for another engine", db: engine("mysql"), has: inState(kit.CloudFailed), ready: failed, synced: failed, rests: true,
	},
	{
		what: "The spec asks for another engine, and the database is smaller and has no PasswordVersion", db: engine("mysql"), ready: available, synced: engineChanged, rests: true,
		has: func(has *kit.CloudDatabase) { has.Size, has.PasswordVersion = 3, "" },
	},
	{what: "The engine of the spec is postgres in other letters", db: engine("Postgres"), has: asAsked, ready: available, synced: engineChanged, rests: true},
	{what: "The spec names no engine, and the database has one", db: engine(""), has: asAsked, ready: available, synced: engineChanged, rests: true},
	{
		what: "The spec names no Secret", db: func(db *kit.Database) { db.Spec.PasswordSecret = "" }, has: asAsked, ready: available, synced: passwordMissing, rests: true,
		also: endpoint("here:5432"),
	},
	{
		what: "The Secret has no password, but keys of other names", db: said(available, passwordMissing, 1, "there:5432"), has: smaller,
		secret: func(secret *kit.Secret) {
			secret.Data = map[string][]byte{"Password": []byte("one"), "pass": []byte("two")}
		},
		ready: available, synced: passwordMissing, rests: true, also: endpoint("here:5432"),
	},
	{
		what: "There is no database, and the Secret has one key, which is not password", db: said(creating, inSync, 2, ""),
		secret: func(secret *kit.Secret) { secret.Data = map[string][]byte{"token": []byte("one")} },
		ready:  passwordMissing, synced: passwordMissing, rests: true,
	},
	{
		what: "The cloud refuses a size, as it has refused one before for another cause", db: said(available, invalid, 2, "here:5432"), has: smaller,
		cloud: answers(kit.CloudInvalid, modify), calls: []string{modify}, ready: available, synced: invalid, message: fake.CloudMessage(kit.CloudInvalid), rests: true,
	},
	{
		what: "The cloud refuses a password", db: said(available, inSync, 1, "here:5432"), has: func(has *kit.CloudDatabase) { has.PasswordVersion = "1000" },
		cloud: answers(kit.CloudInvalid, modify), calls: []string{modify}, ready: available, synced: invalid, message: fake.CloudMessage(kit.CloudInvalid), rests: true,
	},
	{
		what: "The cloud refuses to create the database", db: said(creating, inSync, 2, ""), cloud: answers(kit.CloudInvalid, create), calls: []string{create},
		ready: invalid, synced: invalid, message: fake.CloudMessage(kit.CloudInvalid), rests: true,
	},
	{
		what: "The cloud refuses a size, and says why at length", has: smaller, cloud: atLength(kit.CloudInvalid, modify), calls: []string{modify},
		ready: available, synced: invalid, message: longMessage, rests: true,
	},
}

// losses are worlds in which the database is gone, or seems to be.
var losses = []small{
	{
		what: "The database is gone, OnLoss is Report, and the status says Ready", db: both(reportsLoss, said(available, inSync, 2, "here:5432")),
		ready: lost, synced: lost, rests: true, also: endpoint("here:5432"),
	},
	{
		what: "The database is gone, OnLoss is Report, and the spec has changed since", db: both(reportsLoss, said(available, inSync, 1, "here:5432")),
		ready: lost, synced: lost, rests: true, also: endpoint("here:5432"),
	},
	{
		what: "The database is gone, OnLoss is Report, and the status says Creating", db: both(reportsLoss, said(creating, inSync, 1, "here:5432")),
		ready: lost, synced: lost, rests: true, also: endpoint("here:5432"),
	},
	{
		what: "The database is gone, OnLoss is Report, and there is no password", db: both(reportsLoss, said(lost, lost, 2, "here:5432")),
		secret: func(secret *kit.Secret) { secret.Data = nil }, ready: lost, synced: lost, rests: true, also: endpoint("here:5432"),
	},
	{
		what: "The database is gone, OnLoss is empty, and the status says Lost", db: said(lost, lost, 1, "here:5432"), calls: []string{create},
		ready: creating, synced: inSync, also: endpoint("here:5432"),
	},
	{
		what: "The database is gone, OnLoss is Report, and somebody has taken our finalizer off", once: true,
		db: both(both(reportsLoss, said(available, inSync, 2, "here:5432")), func(db *kit.Database) { db.Finalizers = nil }),
	},
	{what: "OnLoss is Report, and there was no database before", db: both(reportsLoss, said(available, inSync, 1, "")), calls: []string{create}, ready: creating, synced: inSync},
	{
		what: "The database is gone, OnLoss is Report, and somebody has taken the Endpoint out of the status, which the cache does not show yet",
		db:   both(reportsLoss, said(lost, lost, 2, "here:5432")), calls: []string{create}, once: true,
		unseen: func(w *world, _ *kit.Database) {
			w.dbs.Change(key("web"), func(db *kit.Database) { db.Status.Endpoint = "" })
		},
	},
	unseenLoss,
}

// unseenLoss is a world in which the cache does not show that there was a database.
var unseenLoss = small{
	what: "The database is gone, OnLoss is Report, and the cache does not show the Endpoint in the status yet", db: both(reportsLoss, said(creating, inSync, 2, "")), once: true,
	unseen: func(w *world, _ *kit.Database) {
		w.dbs.Change(key("web"), func(db *kit.Database) { db.Status.Endpoint = "here:5432" })
	},
}

// passwords are worlds that are about the password alone.
var passwords = []small{
	strangePassword("is not UTF-8", "\xff\xfe secret\x00", nil),
	strangePassword("is long", strings.Repeat("secret ", 300), nil),
	strangePassword("is one byte", "x", nil),
	strangePassword("is in a Secret with more keys", "secret", func(secret *kit.Secret) { secret.Data["endpoint"] = []byte("elsewhere"); secret.Data["user"] = nil }),
	strangePassword("is in a Secret that is being deleted", "secret", leaving),
	strangePassword("is in a Secret that another Database controls", "secret", func(secret *kit.Secret) {
		secret.OwnerReferences = []kit.OwnerReference{asController(database("other"))}
	}),
}

// strangePassword is a world in which a password has to reach the cloud as it is.
func strangePassword(what, text string, edit func(secret *kit.Secret)) small {
	return small{
		what: "The password " + what, calls: []string{modify}, ready: available, synced: inSync,
		has: func(has *kit.CloudDatabase) { has.PasswordVersion = "none" },
		secret: func(secret *kit.Secret) {
			puts("password", text)(secret)
			if edit != nil {
				edit(secret)
			}
		},
		also: func(w *world, _, _ *kit.Database) {
			_, got, _ := w.cloud.Now(cloudName(w.dbs.Now(key("web"))))
			w.t.Require(got == text, "The password %s. In the Secret it is %.40q, and ModifyDatabase was called with %.40q.", what, text, got)
		},
	}
}

// failures are worlds in which a call of the cloud fails.
func failures() []small {
	var all []small
	for _, c := range []struct {
		verb  string
		has   func(has *kit.CloudDatabase)
		codes []kit.CloudCode
	}{
		{get, asAsked, []kit.CloudCode{kit.CloudUnavailable, kit.CloudInvalid, kit.CloudTimeout, kit.CloudAlreadyExists, "QuotaExceeded"}},
		{get, nil, []kit.CloudCode{kit.CloudTimeout}},
		{create, nil, []kit.CloudCode{kit.CloudUnavailable, kit.CloudTimeout, kit.CloudNotFound, "QuotaExceeded"}},
		{modify, smaller, []kit.CloudCode{kit.CloudUnavailable, kit.CloudTimeout, kit.CloudNotFound, kit.CloudAlreadyExists, "QuotaExceeded"}},
	} {
		var calls []string
		if c.verb != get {
			calls = []string{c.verb}
		}
		for i, code := range c.codes {
			before := []func(db *kit.Database){nil, said(available, inSync, 1, "here:5432"), said(nameTaken, nameTaken, 2, "")}[i%3]
			all = append(all, small{
				what: c.verb + " answers " + string(code), db: before, has: c.has, cloud: answers(code, c.verb), calls: calls,
				synced: cloudError, err: code, message: fake.CloudMessage(code),
			})
		}
		all = append(all, small{
			what: c.verb + " fails, and says why at length", db: said(available, cloudError, 1, "here:5432"), has: c.has, cloud: atLength(kit.CloudUnavailable, c.verb),
			calls: calls, synced: cloudError, err: kit.CloudUnavailable, message: longMessage,
		})
		for _, wait := range []time.Duration{-1, 1500 * time.Millisecond, 3*time.Hour + aMoment} {
			all = append(all, small{
				what: c.verb + " is throttled, with RetryAfter " + max(wait, 0).String(), db: said(creating, cloudError, 1, ""), has: c.has,
				cloud: throttles(max(wait, 0), c.verb), calls: calls, throttle: wait,
			})
		}
	}
	return all
}

// aMoment is what no rounding down leaves.
const aMoment = 400400400 * time.Nanosecond

// longMessage is what a cloud says that explains itself. It has words in it that are codes elsewhere.
var longMessage = "the quota \"databases\"\n\tof the account is used up, which is not NotFound, AlreadyExists, Throttled, Busy or Invalid: " + strings.Repeat("see the manual. ", 60)

// justNow has Ready and Synced have become what they are just now.
func justNow(db *kit.Database) {
	for _, conditionType := range []string{ready, synced} {
		kit.FindCondition(db.Status.Conditions, conditionType).LastTransitionTime = time.Now()
	}
}

// atLength has the cloud answer some calls with an error that has a long message.
func atLength(code kit.CloudCode, verbs ...string) func(w *world) fake.CloudInterceptor {
	return func(w *world) fake.CloudInterceptor { return w.cloud.Explain(code, longMessage, verbs...) }
}

// endings are worlds in which the Database is being deleted.
func endings() []small {
	all := []small{
		{what: "The Database is being deleted", db: said(available, inSync, 2, "here:5432"), has: asAsked, calls: []string{remove}, ready: deleting, synced: inSync},
		{what: "The Database is being deleted, and that was said", db: said(deleting, inSync, 2, "here:5432"), has: asAsked, calls: []string{remove}, ready: deleting, synced: inSync},
		{what: "The Database is being deleted, and its database failed", db: said(failed, failed, 2, ""), has: inState(kit.CloudFailed), calls: []string{remove}, ready: deleting, synced: inSync},
		{
			what: "The Database is being deleted, and DeleteDatabase answers CloudBusy", db: said(available, cloudError, 1, ""), has: asAsked,
			cloud: answers(kit.CloudBusy, remove), calls: []string{remove}, ready: deleting, synced: inSync,
		},
		{
			what: "The Database is being deleted, GetDatabase still shows its database, and DeleteDatabase answers CloudNotFound", has: asAsked,
			cloud: answers(kit.CloudNotFound, remove), calls: []string{remove}, once: true, also: letGo(),
			before: func(w *world, _ *kit.Database) { w.dbs.OnChange(nil) },
		},
		{
			what: "The Database is being deleted, its spec asks for another engine, and there is no password", db: engine("mysql"), has: asAsked,
			secret: func(secret *kit.Secret) { secret.Data = nil }, calls: []string{remove}, ready: deleting, synced: inSync,
		},
		{
			what: "The Database is being deleted by a clock that is ahead", has: asAsked, calls: []string{remove}, ready: deleting, synced: inSync,
			db: func(db *kit.Database) {
				ahead := time.Now().Add(time.Hour)
				db.DeletionTimestamp = &ahead
			},
		},
	}
	for _, state := range []kit.CloudState{kit.CloudCreating, kit.CloudModifying, kit.CloudDeleting} {
		all = append(all, small{
			what: "The Database is being deleted, and the State of its database is " + string(state), db: said(available, inSync, 2, "here:5432"), has: inState(state),
			maybe: remove, ready: deleting, synced: inSync,
		})
	}
	all = append(all, refusedEndings()...)
	all = append(all, notShown()...)
	for i := range all {
		all[i].dropped = true
	}
	return all
}

// refusedEndings are worlds in which the Database is being deleted and a call fails or is throttled.
func refusedEndings() []small {
	var all []small
	for _, code := range []kit.CloudCode{kit.CloudUnavailable, kit.CloudInvalid, kit.CloudAlreadyExists, "QuotaExceeded"} {
		all = append(all, small{
			what: "The Database was deleted three days ago, and DeleteDatabase answers " + string(code), db: said(creating, inSync, 2, ""), has: asAsked, cloud: answers(code, remove),
			before: daysAgo, calls: []string{remove}, ready: deleting, synced: cloudError, err: code, message: fake.CloudMessage(code),
		})
	}
	for i, verb := range []string{get, remove} {
		all = append(all, small{
			what: "The Database was deleted three days ago, and " + verb + " fails, and says at length that it is not NotFound", has: asAsked, cloud: atLength(kit.CloudUnavailable, verb),
			before: daysAgo, calls: []string{remove}[:i], ready: deleting, synced: cloudError, err: kit.CloudUnavailable, message: longMessage,
		})
	}
	for _, wait := range []time.Duration{-1, time.Hour + aMoment} {
		all = append(all, small{
			what: "The Database is being deleted, and DeleteDatabase is throttled, with RetryAfter " + max(wait, 0).String(), db: said(available, cloudError, 2, "here:5432"), has: asAsked,
			cloud: throttles(max(wait, 0), remove), calls: []string{remove}, throttle: wait,
		}, small{
			what: "The Database is being deleted, and GetDatabase is throttled, with RetryAfter " + max(wait, 0).String(), db: said(available, cloudError, 2, "here:5432"), has: asAsked,
			cloud: throttles(max(wait, 0), get), throttle: wait,
		})
	}
	return all
}

// notShown are worlds in which the Database is being deleted and GetDatabase does not show its database yet.
func notShown() []small {
	var all []small
	for _, reason := range []string{"", creating, deleting, nameTaken, lost, passwordMissing, invalid, failed} {
		m := small{
			what: "The Database is being deleted, and GetDatabase is behind and does not show its database", has: asAsked,
			cloud: answers(kit.CloudNotFound, get), calls: []string{remove}, ready: deleting, synced: inSync,
		}
		if reason != "" {
			m.what += ". The status says " + reason
			m.db = both(reportsLoss, said(reason, reason, 2, map[string]string{lost: "here:5432"}[reason]))
		}
		all = append(all, m)
	}
	old := all[0]
	old.what += ". It was deleted three days ago"
	old.before = daysAgo
	all = append(all, old)
	for _, finalizers := range [][]string{{finalizer, "somebody/else"}, {"somebody/else", finalizer, "third/one"}, {"third/one", finalizer}} {
		all = append(all, small{
			what: "The Database is being deleted, has finalizers of others, and the cloud has no database", db: func(db *kit.Database) { db.Finalizers = finalizers },
			calls: []string{remove}, once: true, also: letGo(without(finalizers)...),
		})
	}
	return all
}

// daysAgo has web have been made ten days ago, and deleted three days ago.
func daysAgo(w *world, _ *kit.Database) {
	ago := time.Now().Add(-72 * time.Hour)
	w.dbs.Change(key("web"), func(db *kit.Database) { db.CreationTimestamp, db.DeletionTimestamp = ago.Add(-168*time.Hour), &ago })
}

// strangersWorlds are worlds in which the database of that name has another owner.
func strangersWorlds() []small {
	var all []small
	for _, owner := range []string{"", "Production/", "production", "production/other-", "staging/"} {
		for _, state := range []kit.CloudState{kit.CloudAvailable, kit.CloudModifying, kit.CloudDeleting} {
			theirs := func(has *kit.CloudDatabase) {
				has.State, has.Size = state, 99
				if owner == "" || owner == "production" {
					has.Owner = owner
				} else {
					has.Owner = owner + has.Owner[len(cluster)+1:]
				}
			}
			what := "The cloud has a database of the name, which is " + string(state) + " and whose Owner begins with \"" + owner + "\""
			if owner == "" {
				what = "The cloud has a database of the name that has no Owner"
			}
			all = append(all,
				small{what: what, db: said(available, inSync, 2, "there:5432"), has: theirs, ready: nameTaken, synced: nameTaken, rests: true, also: endpoint("there:5432")},
				small{what: what + ". The Database is being deleted", has: theirs, dropped: true, once: true, also: letGo()},
			)
			if state != kit.CloudAvailable {
				break
			}
		}
	}
	return append(all, small{
		what: "GetDatabase is behind and does not show that a stranger's database has the name", db: said(creating, inSync, 2, "here:5432"),
		has: func(has *kit.CloudDatabase) { has.Owner = "staging/x" }, cloud: answers(kit.CloudNotFound, get), calls: []string{create}, ready: creating, synced: inSync,
	})
}

// connections are worlds that are about the Secret with the connection alone.
var connections = []small{
	{
		what: "The spec names the Secret of the connection as its password, and nobody controls that", has: asAsked,
		db:     func(db *kit.Database) { db.Spec.PasswordSecret = "web-connection" },
		secret: func(secret *kit.Secret) { secret.Name = "web-connection" }, ready: available, synced: secretTaken, rests: true,
	},
	{
		what: "The connection is as it should be, and the reference to its controller has an older APIVersion", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("secret of web", func(secret *kit.Secret) { secret.OwnerReferences[0].APIVersion = "book.example/v0" }), also: writesNoSecret,
	},
	{
		what: "The connection is as it should be, and the Database, its controller, is the second of its owners", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("secret of web", ownedBefore), also: writesNoSecret,
	},
	{
		what: "The connection has another password, and the Database, its controller, is the second of its owners", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("hunter2", ownedBefore),
		also: func(w *world, _, _ *kit.Database) {
			got := string(w.secrets.Now(key("web-connection")).Data["password"])
			w.t.Require(got == "secret of web", "The Database is the controller of the Secret web-connection, and the second of its owners. Its password should be put right, and is %q.", got)
		},
	},
	{
		what: "The connection has the right password, and no endpoint", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("secret of web", func(secret *kit.Secret) { delete(secret.Data, "endpoint") }), also: connected("secret of web"),
	},
	{
		what: "The connection has no Data", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("secret of web", func(secret *kit.Secret) { secret.Data = nil }), also: connected("secret of web"),
	},
	{
		what: "The connection is as it should be, and being deleted", has: asAsked, ready: available, synced: inSync, rests: true,
		before: hasConnection("secret of web", leaving), also: writesNoSecret,
	},
	{
		what: "The connection has another password, is being deleted, and the status says that all is well", db: said(available, inSync, 2, "here:5432"), has: asAsked,
		before: hasConnection("hunter2", leaving), ready: available, synced: inSync, rests: true, also: connected("secret of web"),
	},
	{
		what: "The connection's Secret is somebody else's, and being deleted", has: asAsked, ready: available, synced: secretTaken, rests: true, also: writesNoSecret,
		before: hasConnection("secret of web", leaving, func(secret *kit.Secret) { secret.OwnerReferences = nil }),
	},
	{
		what: "The Database has owners", has: asAsked, ready: available, synced: inSync, rests: true, also: connected("secret of web"),
		db: func(db *kit.Database) {
			other := asController(database("other"))
			other.Controller = false
			db.OwnerReferences = []kit.OwnerReference{asController(database("parent")), other}
		},
	},
	{
		what: "The connection is there, and the cache does not show it yet", has: asAsked, once: true, unseen: hasConnection("secret of web"),
		also: func(w *world, _, then *kit.Database) {
			c := kit.FindCondition(then.Status.Conditions, synced)
			w.t.Require(c == nil || c.Reason != secretTaken, "The Secret with the connection is the Database's own, the cache does not show it yet, and Synced says %s.", secretTaken)
		},
	},
	{
		what: "A stranger's Secret has the name of the connection, and the cache does not show it yet", has: asAsked, once: true,
		unseen: hasConnection("not yours", func(secret *kit.Secret) { secret.OwnerReferences = nil }),
		also: func(w *world, _, _ *kit.Database) {
			got := string(w.secrets.Now(key("web-connection")).Data["password"])
			w.t.Require(got == "not yours", "A stranger's Secret has the name of the connection, and the cache does not show it yet. Its password was changed to %q.", got)
		},
	},
}

// hasConnection puts a Secret with the connection, which the Database controls.
func hasConnection(text string, edits ...func(secret *kit.Secret)) func(w *world, db *kit.Database) {
	return func(w *world, db *kit.Database) {
		secret := password("web-connection", text)
		secret.Data["endpoint"] = []byte("here:5432")
		secret.OwnerReferences = []kit.OwnerReference{asController(db)}
		for _, edit := range edits {
			edit(secret)
		}
		w.secrets.Put(secret)
	}
}

// leaving is a Secret that is being deleted, and which a finalizer holds.
func leaving(secret *kit.Secret) {
	now := time.Now()
	secret.DeletionTimestamp, secret.Finalizers = &now, []string{"somebody/else"}
}

func writesNoSecret(w *world, _, _ *kit.Database) {
	asked := w.secrets.Requests(fake.Create, fake.Update, fake.Delete)
	w.t.Require(len(asked) == 0, "The Secret with the connection is as it should be, or somebody else's, and Reconcile has asked the API server to %s it.", strings.Join(verbsOf(asked), ", "))
}

func verbsOf(asked []fake.Request) []string {
	var verbs []string
	for _, q := range asked {
		verbs = append(verbs, string(q.Verb))
	}
	return verbs
}

// overtaken are worlds in which the API server has changed, and the cache has not heard of it.
var overtaken = []small{
	newerCondition("and the database is as the spec asks", asAsked, nil),
	newerCondition("and the database has to be created", nil, []string{create}),
	{
		what: "The Database has no finalizer of ours, and the cloud has a stranger's database of the name", once: true,
		db: func(db *kit.Database) { db.Finalizers = nil }, has: func(has *kit.CloudDatabase) { has.Owner = "staging/x" },
	},
	{
		what: "The Database has our finalizer, which the cache does not show yet", db: func(db *kit.Database) { db.Finalizers = nil },
		unseen: func(w *world, _ *kit.Database) { w.dbs.Change(key("web"), finalized) },
		maybe:  create, once: true, also: endsWithItsUpdate,
	},
	{
		what: "The Database has no finalizer of ours, and was deleted, which the cache does not show yet", once: true,
		db: func(db *kit.Database) { db.Finalizers = []string{"somebody/else"} }, unseen: func(w *world, _ *kit.Database) { w.dbs.Drop(key("web")) },
		also: letGo("somebody/else"),
	},
	{
		what: "The Database has no finalizer of ours, and was deleted and made again, which the cache does not show yet", once: true,
		db: func(db *kit.Database) { db.Finalizers = nil },
		unseen: func(w *world, _ *kit.Database) {
			w.dbs.Remove(key("web"))
			w.dbs.Put(database("web"))
		},
		also: letGo(),
	},
}

// endsWithItsUpdate requires that a Reconcile whose Update has failed asks the cloud for nothing.
func endsWithItsUpdate(w *world, _, _ *kit.Database) {
	for _, q := range w.dbs.Requests(fake.Update) {
		calls := w.cloud.Calls(create)
		w.t.Require(q.Err == nil || len(calls) == 0, "The cache does not show yet that the Database has our finalizer. The Update that was to write it failed, %s, and in the same Reconcile CreateDatabase was called. An Update that fails ends the Reconcile.", conform.Said(q.Err))
	}
}

// newerCondition is a world in which somebody has set another condition, and the status has to be written.
func newerCondition(what string, has func(has *kit.CloudDatabase), calls []string) small {
	return small{
		what: "Somebody has set another condition, which the cache does not show yet, " + what, has: has, calls: calls, once: true,
		unseen: func(w *world, _ *kit.Database) {
			w.dbs.Change(key("web"), func(db *kit.Database) { db.Status.Conditions[0].Status = kit.ConditionFalse })
		},
		also: func(w *world, _, then *kit.Database) {
			c := kit.FindCondition(then.Status.Conditions, backup.Type)
			w.t.Require(c != nil && c.Status == kit.ConditionFalse, "Somebody has set the condition %s to False, which the cache does not show yet. After the status was written it is %s.", backup.Type, told(c))
		},
	}
}

// endpoint requires an Endpoint of the status.
func endpoint(want string) func(w *world, db, then *kit.Database) {
	return func(w *world, _, then *kit.Database) {
		w.t.Require(then.Status.Endpoint == want, "The Endpoint in the status is %q, and has to be %q: it is that of the cloud, and stays until there is another.", then.Status.Endpoint, want)
	}
}

// connected requires the connection.
func connected(text string) func(w *world, db, then *kit.Database) {
	return func(w *world, _, _ *kit.Database) {
		endpoint("here:5432")(w, nil, w.dbs.Now(key("web")))
		w.isConnected("web", text, "the database is as the spec asks")
	}
}

// letGo requires that these finalizers are there, and no others.
func letGo(others ...string) func(w *world, db, then *kit.Database) {
	return func(w *world, _, then *kit.Database) {
		if then == nil && len(others) == 0 {
			return
		}
		w.t.Require(then != nil, "The Database is gone, and these finalizers should hold it: %s.", conform.Listed(others))
		w.t.Require(strings.Join(then.Finalizers, " ") == strings.Join(others, " "), "The finalizers of the Database are %s. There should be %s.%s", conform.Listed(then.Finalizers), conform.Listed(others), w.lastRefusal())
	}
}

// without is finalizers without ours.
func without(finalizers []string) []string {
	return slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool { return f == finalizer })
}
