package realtest

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

const operatorFunc = "DatabaseReconciler.Reconcile"

var operatorCases = []Case{
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "finalizer-at-the-server-first", Points: 5, Func: operatorFunc,
		Rule:   "When the cloud is asked to create a database, client-go finds the finalizer on its Database.",
		Why:    "A finalizer in your memory keeps nobody from deleting the object. Only one that the server has stored does.",
		Hint:   []string{"Which request to the server comes before the first CreateDatabase? The history has both.", "Update with the finalizer, look at its error, and only then ask the cloud."},
		Source: "controller-runtime pkg/controller/controllerutil/controllerutil.go: AddFinalizer; cluster-api-provider-outscale#917",
		Check:  begin(finalizerAtTheServerFirst),
	}},
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "status-of-its-generation", Points: 10, Func: operatorFunc, Look: []string{"how the status is written"},
		Rule:   "The status reaches the server through its subresource, with both conditions, and names the generation that the server counts: a label counts nothing, two changes at once count two.",
		Why:    "The server ignores a status in a write of the object, and answers 200. And nobody but the server counts generations: whoever waits for yours compares it with that one.",
		Hint:   []string{"Which client wrote the status, and what does client-go see afterwards?", "metadata.generation of the object that you acted on is the number. How often you have seen it change is another."},
		Source: "Kubernetes API conventions, spec and status, Typical status properties; apiextensions-apiserver pkg/registry/customresource/strategy.go: PrepareForUpdate",
		Check:  begin(statusOfItsGeneration),
	}},
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "what-others-wrote-stays", Points: 5, Func: operatorFunc, Look: conform.Anywhere,
		Rule:   "What others have written to a Database, to its status and to the connection's Secret stays: fields that kit does not know, conditions, labels, finalizers, managedFields.",
		Why:    "An object has many writers. A controller that writes what it knows in the place of what there is takes away what it does not know.",
		Hint:   []string{"Start from the object as it is, and change your own fields.", "SetCondition puts a condition among the others."},
		Source: "Kubernetes API conventions, unknown fields; RFC 7386",
		Check:  begin(whatOthersWroteStays),
	}},
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "deletion-waits-for-the-cloud", Points: 10, Func: operatorFunc, Look: []string{"the deletion"},
		Rule:   "A Database that client-go has deleted stays until the cloud has nothing of it, says Deleting at the generation that the deletion made, and then goes, with what it owns. One of the same name begins anew.",
		Why:    "The server only marks an object that has finalizers. What happens after the last one is off is nobody's business any longer.",
		Hint:   []string{"DeleteDatabase has succeeded when the work has begun. Which answer says that it is done?", "The deletion is a change of the object for the server, and so a generation."},
		Source: "apiserver pkg/registry/generic/registry/store.go: Delete, markAsDeleting; Kubernetes documentation, Finalizers",
		Check:  begin(deletionWaitsForTheCloud),
	}},
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "a-second-writer-is-faster", Points: 10, Func: operatorFunc, Look: []string{"what follows a Conflict"},
		Rule:   "When a second writer is faster, the server answers 409, and nothing is forced: that writer's change stays and is acted on, and no status names a generation that its Reconcile did not begin with.",
		Why:    "A Conflict says that what you decided on is no longer so. To write it all the same is to report of one spec what was done for another.",
		Hint:   []string{"What does Reconcile do between the 409 and the next write? The history has both.", "Return the Conflict, or come again soon: the next Reconcile begins with what is there."},
		Source: "Kubernetes API conventions, concurrency control and consistency; apimachinery pkg/api/errors/errors.go: IsConflict",
		Check:  begin(aSecondWriterIsFaster),
	}},
	{Labs: operatorLabs, Own: true, Case: conform.Case[Subject]{
		Name: "operator-and-server-die", Points: 10, Func: operatorFunc, Look: []string{"what is remembered between two Reconciles"},
		Rule:   "Kill the operator when the cloud has begun to create, and when it has begun to delete, and the server in between: one database was created, the Database says so, and in the end nothing is left.",
		Why:    "Both die on an ordinary day: a node is drained, a control plane is upgraded. What was in memory only is gone.",
		Hint:   []string{"What does the next operator know of the call that the last one did not hear the answer of?", "It knows the API server and the cloud, and nothing else."},
		Source: "crossplane-runtime#279; ack#2062; the contract of lab 23",
		Check:  begin(operatorAndServerDie),
	}},
	{Labs: operatorLabs, Case: conform.Case[Subject]{
		Name: "drift-without-an-event", Points: 5, Func: operatorFunc, Look: []string{"the Result"},
		Rule:   "What somebody changes in the cloud is put right within Resync, though the server has no event for it. A Secret that somebody changes or deletes is an event, and put right too.",
		Why:    "An informer tells you about the cluster. About everything else you have to ask.",
		Hint:   []string{"Which Result makes the queue come again though nothing is to be done?", "If only the Secrets fail: is SecretHandler added, and what does it enqueue?"},
		Source: "controller-runtime pkg/reconcile/reconcile.go: Result; ACK, drift recovery",
		Check:  begin(driftWithoutAnEvent),
	}},
}

func finalizerAtTheServerFirst(s *scene, open func() Subject) {
	e := newEstate(s, open())
	for _, name := range []string{"web", "api"} {
		e.wants(name, nil)
	}
	o := e.start()
	defer o.stop()
	e.wants("late", nil)
	for _, name := range []string{"web", "api", "late"} {
		e.stands(name)
	}
	e.onlyTheirs()
}

// onlyTheirs requires that the cloud has one database for each Database, created once.
func (e *estate) onlyTheirs() {
	names := e.cloud.Names()
	dbs := e.s.list(databaseKind)
	if len(names) != len(dbs) {
		e.s.t.Fatalf("The server has %s, and the cloud has %s.", conform.Some(len(dbs), "Database"), conform.Listed(names))
	}
	for name, db := range dbs {
		if n := e.cloud.Created(cloudName(db)); n != 1 {
			e.s.t.Fatalf("The cloud has created the database of %s %d times.", name, n)
		}
	}
	e.sound()
}

func (e *estate) resize(name string, size int) object {
	return e.s.merge(databaseKind, name, "", object{"spec": map[string]any{"size": size}})
}

func statusOfItsGeneration(s *scene, open func() Subject) {
	e := newEstate(s, open())
	e.wants("web", nil)
	o := e.start()
	defer func() { o.stop() }()
	e.stands("web")
	s.merge(databaseKind, "web", "", object{"metadata": map[string]any{"labels": map[string]any{"team": "shop"}}})
	e.resize("web", 20)
	e.resize("web", 30)
	e.stands("web")
	o.stop()
	e.resize("web", 40)
	e.resize("web", 50)
	o = e.start()
	e.stands("web")
	if generation := s.get(databaseKind, "web").at("metadata", "generation"); generation != 5.0 {
		s.t.Fatalf("The spec was changed four times, and the server is at generation %v: something else was written to the spec.", generation)
	}
}

func whatOthersWroteStays(s *scene, open func() Subject) {
	e := newEstate(s, open())
	e.wants("web", object{
		"metadata": map[string]any{"annotations": map[string]any{"owner": "somebody"}, "finalizers": []any{"example.org/audit"}},
		"spec":     map[string]any{"backup": map[string]any{"hour": 3}},
	})
	defer func() { // or its namespace would never go
		_ = s.call("patch", databaseKind, "web", "", object{"metadata": map[string]any{"finalizers": nil}}, nil)
	}()
	s.merge(databaseKind, "web", "status", object{"status": map[string]any{
		"seenBy": "another controller",
		"conditions": []any{map[string]any{
			"type": "Audited", "status": "True", "reason": "Looked", "message": "by hand", "lastTransitionTime": "2026-01-02T03:04:05Z",
		}},
	}})
	before := s.get(databaseKind, "web").managers()
	o := e.start()
	defer o.stop()
	e.stands("web")
	s.merge(secretKind, "web-connection", "", object{"metadata": map[string]any{"labels": map[string]any{"backup": "nightly"}}})
	s.merge(secretKind, "web-password", "", object{"data": map[string]any{"password": base64.StdEncoding.EncodeToString([]byte("new"))}})
	e.resize("web", 20)
	e.stands("web")
	db, secret := s.get(databaseKind, "web"), s.get(secretKind, "web-connection")
	for _, f := range []struct {
		what string
		got  any
		want any
	}{
		{"spec.backup.hour", db.at("spec", "backup", "hour"), 3.0},
		{"metadata.annotations.owner", db.at("metadata", "annotations", "owner"), "somebody"},
		{"status.seenBy", db.at("status", "seenBy"), "another controller"},
		{"the finalizer of somebody else", slices.Contains(finalizersOf(db), "example.org/audit"), true},
		{"the label of the connection's Secret", secret.at("metadata", "labels", "backup"), "nightly"},
	} {
		if f.got != f.want {
			s.t.Fatalf("After the operator's writes %s is %v, and was %v.", f.what, f.got, f.want)
		}
	}
	s.stillSays(db, "Audited", "2026-01-02T03:04:05Z")
	if lost := conform.Without(before, db.managers()); len(lost) > 0 {
		s.t.Fatalf("After the operator's writes managedFields lack the entry of %s: the one who applies next takes its fields without a conflict.", conform.Listed(lost))
	}
}

// stillSays requires a condition of somebody else's as it was.
func (s *scene) stillSays(db object, conditionType, since string) {
	conditions, _ := db.at("status", "conditions").([]any)
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == conditionType && c["lastTransitionTime"] == since {
			return
		}
	}
	s.t.Fatalf("After the operator's writes the condition %s, which is another controller's, is not what it was: the conditions are %v.", conditionType, conditions)
}

func deletionWaitsForTheCloud(s *scene, open func() Subject) {
	e := newEstate(s, open())
	first := e.wants("web", nil)
	o := e.start()
	defer o.stop()
	e.stands("web")
	e.cloud.Intercept(e.accounted, e.cloud.Answer(kit.CloudBusy, fake.CloudDelete))
	s.remove(databaseKind, "web")
	e.eventually(func() string {
		db, there := s.list(databaseKind)["web"]
		if !there {
			s.t.Fatalf("The Database is gone at the server, and the cloud has not even begun to delete its database.")
		}
		return e.says(db, "Ready", "False", "Deleting")
	})
	e.cloud.Intercept(e.accounted)
	e.gone(first)
	second := e.wantsAgain("web", nil)
	e.eventually(func() string {
		e.collect()
		return e.connectedTo(second)
	})
	e.stands("web")
	e.onlyTheirs()
	s.remove(databaseKind, "web")
	e.gone(second)
	e.eventually(func() string {
		e.collect()
		if left := s.list(secretKind); len(left) != 1 {
			return fmt.Sprintf("Nothing but the password should be left in the namespace, and there are %s.", conform.Some(len(left), "Secret"))
		}
		return ""
	})
}

// connectedTo says whether the connection is not yet that of a Database.
func (e *estate) connectedTo(db object) string {
	if owner := controllerOf(e.s.list(secretKind)[db.name()+"-connection"]); owner != db.meta("uid") {
		return fmt.Sprintf("The Secret %s-connection is not that of the new Database %s: its controller has the UID %q.", db.name(), db.meta("uid"), owner)
	}
	return ""
}

func aSecondWriterIsFaster(s *scene, open func() Subject) {
	e := newEstate(s, open())
	e.wants("web", nil)
	met := map[string]int{} // by the kind of write, in which Reconcile a second writer was faster
	e.meddle = func(what string, db *kit.Database) {
		e.mu.Lock()
		at, again := met[what]
		now := e.begun
		if !again {
			met[what] = now
		}
		e.mu.Unlock()
		if again {
			if at == now && what == "UpdateStatus" && db.Status.ObservedGeneration != 1 {
				e.breaks("The Reconcile began with generation 1, met a Conflict, and wrote a status of generation %d.", db.Status.ObservedGeneration)
			}
			return
		}
		patch := object{"metadata": map[string]any{"annotations": map[string]any{"second": "writer"}}}
		if what == "UpdateStatus" {
			patch["spec"] = map[string]any{"size": 25}
		}
		var stored object
		if err := s.call("patch", databaseKind, "web", "", patch, &stored); err == nil {
			s.a.Note("changed Database web@%s, faster than the %s", stored.version(), what)
		}
	}
	o := e.start()
	defer o.stop()
	e.stands("web")
	e.mu.Lock()
	conflicts, writes := e.conflicts, len(met)
	e.mu.Unlock()
	if conflicts < writes {
		s.t.Fatalf("A second writer was faster %d times, and the server answered %d times with a Conflict: an update of an old version was accepted.", writes, conflicts)
	}
	db := s.get(databaseKind, "web")
	if db.at("spec", "size") != 25.0 || db.at("metadata", "annotations", "second") != "writer" {
		s.t.Fatalf("The second writer set the size to 25 and an annotation, and there are the size %v and the annotations %v: its change was taken back.", db.at("spec", "size"), db.at("metadata", "annotations"))
	}
	e.onlyTheirs()
}

// startToDie starts an operator that is killed when the cloud has carried out its first call of a
// verb, and returns when it is dead. It never hears the answer.
func (e *estate) startToDie(verb string, meanwhile func()) {
	killed, once := make(chan struct{}), sync.Once{}
	o := e.start(func(_ context.Context, asked *fake.CloudCall, next func() error) error {
		err := next()
		if asked.Verb != verb || err != nil {
			return err
		}
		once.Do(func() {
			e.kill()
			close(killed)
		})
		return context.Canceled
	})
	defer o.stop()
	meanwhile()
	e.eventually(func() string {
		select {
		case <-killed:
			return ""
		default:
			return fmt.Sprintf("The operator has not called %s.", verb)
		}
	})
}

func operatorAndServerDie(s *scene, open func() Subject) {
	e := newEstate(s, open())
	db := e.wants("web", nil)
	e.startToDie(fake.CloudCreate, func() {})
	o := e.start()
	defer func() { o.stop() }()
	s.restart()
	e.stands("web")
	e.resize("web", 20)
	e.stands("web")
	e.onlyTheirs()
	o.stop()
	e.startToDie(fake.CloudDelete, func() { s.remove(databaseKind, "web") })
	o = e.start()
	e.gone(db)
	if left := e.cloud.Names(); len(left) > 0 {
		s.t.Fatalf("The only Database is gone, and the cloud still has %s.", conform.Listed(left))
	}
}

func driftWithoutAnEvent(s *scene, open func() Subject) {
	e := newEstate(s, open())
	db := e.wants("web", nil)
	o := e.start()
	defer o.stop()
	e.stands("web")
	e.cloud.Change(cloudName(db), func(has *kit.CloudDatabase) { has.Size = 3 })
	e.eventually(func() string {
		if has, _, _ := e.cloud.Now(cloudName(db)); has.Size != 10 {
			return fmt.Sprintf("Somebody has changed the size in the cloud by hand, and it is still %d. The spec asks for 10.", has.Size)
		}
		return ""
	})
	e.stands("web")
	s.remove(secretKind, "web-connection")
	e.stands("web")
	s.merge(secretKind, "web-password", "", object{"data": map[string]any{"password": base64.StdEncoding.EncodeToString([]byte("new"))}})
	e.eventually(func() string {
		if _, password, _ := e.cloud.Now(cloudName(db)); password != "new" {
			return fmt.Sprintf("The Secret with the password has a new one, and that of the database is %q.", password)
		}
		return ""
	})
	e.stands("web")
	e.onlyTheirs()
}
