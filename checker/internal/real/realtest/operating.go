package realtest

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/real/writer"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// finalizer is that of lab 23.
const finalizer = "databases.book.example/cloud"

var (
	databaseKind = resourceOf(kit.Databases)
	secretKind   = resourceOf(kit.Secrets)
)

// estate is what the cases of the operator share: a cluster that is real, a cloud that is not,
// and the operator of the moment.
type estate struct {
	s       *scene
	subject Subject
	cloud   *fake.Cloud
	reads   *conform.Actor // the operator's Reconcile
	writes  *conform.Actor // what it writes to the API server

	mu        sync.Mutex                          // guards what follows
	wrong     string                              // the first thing that nobody may do
	meddle    func(what string, db *kit.Database) // is called before a write is sent
	begun     int                                 // Reconciles
	conflicts int
	now       *running
}

func newEstate(s *scene, subject Subject) *estate {
	e := &estate{s: s, subject: subject, reads: s.t.Named("operator"), writes: s.t.Named("operator's writes")}
	e.cloud = fake.NewCloud(s.t, fake.CloudTimes{Creation: 400 * time.Millisecond, Modification: 200 * time.Millisecond, Deletion: 300 * time.Millisecond})
	e.cloud.Behind(100 * time.Millisecond)
	return e
}

func (e *estate) breaks(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.wrong == "" {
		e.wrong = fmt.Sprintf(format, args...)
		e.writes.Breaks("%s", e.wrong)
	}
}

// sound ends the case if the operator has done what nobody may do.
func (e *estate) sound() {
	e.mu.Lock()
	wrong := e.wrong
	e.mu.Unlock()
	if wrong != "" {
		e.s.t.Fatalf("%s", wrong)
	}
}

// eventually is that of the package, for as long as the operator does nothing wrong.
func (e *estate) eventually(wrong func() string) {
	eventually(e.s.t, func() string { e.sound(); return wrong() })
}

// accounted stands before the cloud, and asks client-go about each call that makes something.
func (e *estate) accounted(_ context.Context, asked *fake.CloudCall, next func() error) error {
	if asked.Verb != fake.CloudCreate && asked.Verb != fake.CloudModify {
		return next()
	}
	var list struct{ Items []object }
	if err := e.s.call("list", databaseKind, "", "", nil, &list); err != nil {
		return next() // the server is being started again
	}
	i := slices.IndexFunc(list.Items, func(o object) bool { return cloudName(o) == asked.Name })
	switch {
	case i < 0:
		e.breaks("%s was called for %s, and client-go finds no Database with that UID: nobody will ever delete what it makes.", asked.Verb, asked.Name)
	case !slices.Contains(finalizersOf(list.Items[i]), finalizer):
		e.breaks("%s was called for the Database %s, and client-go finds no finalizer %s on it at that moment.", asked.Verb, list.Items[i].name(), finalizer)
	}
	return next()
}

// running is an operator at work, in what would be a process of its own.
type running struct {
	e      *estate
	link   *link
	cancel context.CancelFunc
}

// start starts an operator. What stands between it and the cloud is called for each call.
func (e *estate) start(between ...fake.CloudInterceptor) *running {
	s, t := e.s, e.s.t
	e.cloud.Intercept(append([]fake.CloudInterceptor{e.accounted}, between...)...)
	ctx, cancel := context.WithCancel(t.Context())
	o := &running{e: e, link: newLink(t, s.Token, s.CA), cancel: cancel}
	e.mu.Lock()
	e.now = o
	e.mu.Unlock()
	dbClient := within[*kit.Database]{e.subject.Databases.NewClient(kit.Databases, s.Server, o.link.client()), s.ns}
	secretClient := within[*kit.Secret]{e.subject.Secrets.NewClient(kit.Secrets, s.Server, o.link.client()), s.ns}
	dbs, secrets := e.subject.Databases.NewInformer(dbClient, nil), e.subject.Secrets.NewInformer(secretClient, nil)
	desk := &desk{
		Client: &writer.Writer[*kit.Database]{Type: kit.Databases, Server: s.Server, HTTP: o.link.client(), Lister: dbClient}, e: e,
	}
	r := e.subject.NewOperator(OperatorParts{
		Databases: desk,
		Status:    &statuses{desk, &writer.Writer[*kit.Database]{Type: kit.Databases, Server: s.Server, HTTP: o.link.client(), Status: true}},
		Secrets:   &writer.Writer[*kit.Secret]{Type: kit.Secrets, Server: s.Server, HTTP: o.link.client(), Lister: secretClient},
		Cloud:     e.cloud, Cluster: "real", Poll: 100 * time.Millisecond, Resync: 600 * time.Millisecond,
		DatabaseCache: dbs.GetIndexer(), SecretCache: secrets.GetIndexer(),
	})
	t.Go("Database informer", func(a *conform.Actor) { a.Do(func() { dbs.Run(ctx) }, "Run(ctx)") })
	t.Go("Secret informer", func(a *conform.Actor) { a.Do(func() { secrets.Run(ctx) }, "Run(ctx)") })
	t.Go("controller", func(a *conform.Actor) {
		err := conform.Do(a, func() error {
			return e.subject.RunController(ctx, e.noted(r), e.subject.NewQueue(), 1, nil,
				e.subject.Databases.NewSource(dbs, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[*kit.Database] {
					return r.DatabaseHandler(q.Add)
				}),
				e.subject.Secrets.NewSource(secrets, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[*kit.Secret] {
					return r.SecretHandler(q.Add)
				}))
		}, "Start(ctx)")
		if err != nil && ctx.Err() == nil {
			t.Errorf("The controller's Start failed: %v.", conform.Said(err))
		}
	})
	return o
}

// noted writes each Reconcile into the history.
func (e *estate) noted(r kit.Reconciler) kit.Reconciler {
	return kit.ReconcilerFunc(func(ctx context.Context, request kit.Request) (kit.Result, error) {
		e.mu.Lock()
		e.begun++
		e.mu.Unlock()
		call := e.reads.Callback("Reconcile(%s)", request.Name)
		result, err := r.Reconcile(ctx, request)
		call.Returned("RequeueAfter: %v, %v", result.RequeueAfter, conform.Said(err))
		return result, err
	})
}

// kill ends the operator of the moment as SIGKILL does: what it does from now on reaches
// nobody. Its stop must follow.
func (e *estate) kill() {
	e.mu.Lock()
	o := e.now
	e.mu.Unlock()
	e.reads.Note("the operator is killed")
	e.cloud.Intercept(e.cloud.Answer(kit.CloudUnavailable))
	o.link.setDown(true)
	o.cancel()
}

// stop ends an operator in order, and returns when it has ended.
func (o *running) stop() {
	o.cancel()
	o.e.s.t.Join()
	o.link.close()
}

// desk is where the operator writes Databases. A status in them the real server ignores.
type desk struct {
	kit.Client[*kit.Database]
	e *estate
}

func (d *desk) Update(ctx context.Context, db *kit.Database) (*kit.Database, error) {
	return d.send("Update", db, func() (*kit.Database, error) { return d.Client.Update(ctx, db) })
}

// send has a write carried out, perhaps after somebody else's.
func (d *desk) send(what string, db *kit.Database, write func() (*kit.Database, error)) (*kit.Database, error) {
	d.e.mu.Lock()
	meddle := d.e.meddle
	d.e.mu.Unlock()
	call := d.e.writes.Call("%s(%s@%s, finalizers %v, %s)", what, db.Name, db.ResourceVersion, db.Finalizers, shownStatus(db.Status))
	if meddle != nil {
		meddle(what, db)
	}
	out, err := write()
	if err != nil {
		call.Returned("%v", conform.Said(err))
	} else {
		call.Returned("%s@%s, generation %d", out.Name, out.ResourceVersion, out.Generation)
	}
	if kit.IsConflict(err) {
		d.e.mu.Lock()
		d.e.conflicts++
		d.e.mu.Unlock()
	}
	return out, err
}

// statuses is the status subresource of Databases, and nothing else.
type statuses struct {
	desk *desk
	to   kit.StatusClient[*kit.Database]
}

func (s *statuses) UpdateStatus(ctx context.Context, db *kit.Database) (*kit.Database, error) {
	return s.desk.send("UpdateStatus", db, func() (*kit.Database, error) { return s.to.UpdateStatus(ctx, db) })
}

func shownStatus(status kit.DatabaseStatus) string {
	text := fmt.Sprintf("status of generation %d", status.ObservedGeneration)
	for _, c := range status.Conditions {
		text += fmt.Sprintf(", %s %s %s", c.Type, c.Status, c.Reason)
	}
	return text
}

// cloudName is the name of a Database in the cloud.
func cloudName(o object) string { return "db-" + o.meta("uid") }

func finalizersOf(o object) []string {
	var all []string
	list, _ := o.at("metadata", "finalizers").([]any)
	for _, f := range list {
		all = append(all, fmt.Sprint(f))
	}
	return all
}

// wants has somebody want a database, with a password. fields are added to the Database.
func (e *estate) wants(name string, fields object) object {
	e.s.create(secretKind, name+"-password", object{"data": map[string]any{"password": base64.StdEncoding.EncodeToString([]byte("secret of " + name))}})
	return e.wantsAgain(name, fields)
}

// wantsAgain is wants where the password is there.
func (e *estate) wantsAgain(name string, fields object) object {
	spec := map[string]any{"engine": "postgres", "size": 10, "passwordSecret": name + "-password"}
	db := object{"spec": spec}
	for key, value := range fields {
		if key != "spec" {
			db[key] = value
			continue
		}
		for k, v := range value.(map[string]any) {
			spec[k] = v
		}
	}
	return e.s.create(databaseKind, name, db)
}

// stands waits until a Database is available and in sync at its last generation, as the server
// and the cloud show it.
func (e *estate) stands(name string) {
	e.eventually(func() string {
		o := e.s.get(databaseKind, name)
		for _, c := range [][2]string{{"Ready", "Available"}, {"Synced", "InSync"}} {
			if why := e.says(o, c[0], "True", c[1]); why != "" {
				return why
			}
		}
		has, _, exists := e.cloud.Now(cloudName(o))
		size, _ := o.at("spec", "size").(float64)
		switch {
		case !exists || has.State != kit.CloudAvailable:
			return fmt.Sprintf("The Database %s is reported as available, and the cloud has no available database %s.", name, cloudName(o))
		case has.Size != int(size):
			return fmt.Sprintf("The Database %s asks for %v GiB and is reported as in sync, and the cloud has %d.", name, size, has.Size)
		case o.at("status", "endpoint") != has.Endpoint:
			return fmt.Sprintf("The endpoint in the status of %s is %v, and that of the cloud %q.", name, o.at("status", "endpoint"), has.Endpoint)
		}
		return e.connected(o)
	})
}

// says tells in what a condition at the server, or its generation, is not what it should be, "" if
// nothing is wrong.
func (e *estate) says(db object, conditionType, status, reason string) string {
	generation := db.at("metadata", "generation")
	conditions, _ := db.at("status", "conditions").([]any)
	for _, c := range conditions {
		c, _ := c.(map[string]any)
		switch {
		case c["type"] != conditionType:
		case c["status"] != status || c["reason"] != reason:
			return fmt.Sprintf("The condition %s of %s is %v, %v, and should be %s, %s.", conditionType, db.name(), c["status"], c["reason"], status, reason)
		case c["observedGeneration"] != generation:
			return fmt.Sprintf("%s is at generation %v, as the server counts, and its condition %s names generation %v.", db.name(), generation, conditionType, c["observedGeneration"])
		case db.at("status", "observedGeneration") != generation:
			return fmt.Sprintf("%s is at generation %v, as the server counts, and its status names generation %v.", db.name(), generation, db.at("status", "observedGeneration"))
		default:
			return ""
		}
	}
	return fmt.Sprintf("At the server the status of %s has no condition %s. It should be %s, %s.", db.name(), conditionType, status, reason)
}

// connected says in what the Secret with the connection of a Database is not what it should be.
func (e *estate) connected(db object) string {
	all := e.s.list(secretKind)
	secret, there := all[db.name()+"-connection"]
	if !there {
		return fmt.Sprintf("There is no Secret %s-connection.", db.name())
	}
	if owner := controllerOf(secret); owner != db.meta("uid") {
		return fmt.Sprintf("The controller of the Secret %s has the UID %q, and the Database %s has %s.", secret.name(), owner, db.name(), db.meta("uid"))
	}
	password := all[db.name()+"-password"].at("data", "password")
	endpoint, _ := db.at("status", "endpoint").(string)
	if secret.at("data", "password") != password || secret.at("data", "endpoint") != base64.StdEncoding.EncodeToString([]byte(endpoint)) {
		return fmt.Sprintf("The Data of the Secret %s is not the endpoint and the password of the database.", secret.name())
	}
	return ""
}

// controllerOf is the UID of an object's controller, "" if it has none.
func controllerOf(o object) string {
	refs, _ := o.at("metadata", "ownerReferences").([]any)
	for _, ref := range refs {
		if ref, ok := ref.(map[string]any); ok && ref["controller"] == true {
			return fmt.Sprint(ref["uid"])
		}
	}
	return ""
}

// collect does what the garbage collector of a cluster does, which a server alone does not have: it
// deletes the Secrets whose controller is gone.
func (e *estate) collect() {
	dbs := e.s.list(databaseKind)
	for name, secret := range e.s.list(secretKind) {
		owner := controllerOf(secret)
		owned := owner == ""
		for _, db := range dbs {
			owned = owned || db.meta("uid") == owner
		}
		if owned {
			continue
		}
		if err := e.s.call("delete", secretKind, name, "", nil, nil); err != nil && !kit.IsNotFound(err) {
			e.s.must(err)
		}
		e.s.a.Note("deleted Secret %s, as the garbage collector does: its owner is gone", name)
	}
}

// gone waits until nothing is left of a Database, at the server or in the cloud.
func (e *estate) gone(db object) {
	e.eventually(func() string {
		if now, there := e.s.list(databaseKind)[db.name()]; there && now.meta("uid") == db.meta("uid") {
			return fmt.Sprintf("The Database %s was deleted, nothing is in the way, and it is still there, with the finalizers %v.", db.name(), finalizersOf(now))
		}
		if has, _, exists := e.cloud.Now(cloudName(db)); exists { // later than the look at the server
			e.s.t.Fatalf("The Database %s is gone at the server, and the cloud still has %s: nobody will ever delete it.", db.name(), fake.ShowCloudDatabase(has))
		}
		return ""
	})
}
