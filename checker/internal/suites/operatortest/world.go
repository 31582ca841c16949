package operatortest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

const (
	namespace = "shop"
	cluster   = "production"
	poll      = 15 * time.Second
	resync    = 10 * time.Minute
)

// How long the work of the cloud takes.
const (
	creationTakes     = 4 * time.Minute
	modificationTakes = 2 * time.Minute
	deletionTakes     = 3 * time.Minute
)

// The calls of a cloud.
const (
	create = fake.CloudCreate
	get    = fake.CloudGet
	modify = fake.CloudModify
	remove = fake.CloudDelete
)

// world is the subject between its neighbours.
type world struct {
	t       *conform.T
	r       Reconciler
	cloud   *fake.Cloud
	server  *fake.Server
	dbs     *fake.Resource[*kit.Database]
	secrets *fake.Resource[*kit.Secret]
	feed    *feed
	queue   *conform.Actor // what the handlers enqueue
	watch   *conform.Actor // who sees what nobody may do

	poll, resync time.Duration // those that the operator goes by

	due      map[kit.Request]time.Time // when the next Reconcile of each is due: see drive
	failures map[kit.Request]int
	befell   string // what the world is like, or how the operator was killed, as the end of a sentence: ". …"

	mu     sync.Mutex // guards everything below
	queued map[kit.Request]bool
	broken []string // what nobody may do and the subject did
}

// feed is what one operator sees of the API server.
type feed struct {
	dbs     *fake.Informer[*kit.Database]
	secrets *fake.Informer[*kit.Secret]
	listed  *bystander
}

// bystander is a cache of Databases that says when somebody goes through all of them.
type bystander struct {
	kit.Indexer[*kit.Database]
	w *world
}

func (b *bystander) List() []*kit.Database {
	b.w.breaks("List of DatabaseCache was called, which goes through all Databases; an index finds those that matter")
	return b.Indexer.List()
}

func (b *bystander) ListKeys() []string {
	b.w.breaks("ListKeys of DatabaseCache was called, which goes through all Databases; an index finds those that matter")
	return b.Indexer.ListKeys()
}

// statuses is the status subresource of Databases, and nothing else.
type statuses struct {
	dbs *fake.Resource[*kit.Database]
}

func (s statuses) UpdateStatus(ctx context.Context, db *kit.Database) (*kit.Database, error) {
	return s.dbs.UpdateStatus(ctx, db)
}

// build makes a world around a fresh subject. The options may be edited before the subject
// sees them.
func build(t *conform.T, s Subject, edits ...func(w *world, o *Options)) *world {
	w := &world{t: t, server: fake.NewServer(t), queue: t.Named("queue"), watch: t.Named("witness"), queued: map[kit.Request]bool{}}
	w.cloud = fake.NewCloud(t, fake.CloudTimes{Creation: creationTakes, Modification: modificationTakes, Deletion: deletionTakes})
	w.dbs, w.secrets = fake.Serve(w.server, kit.Databases), fake.Serve(w.server, kit.Secrets)
	w.dbs.Status = func(from, to *kit.Database) { to.Status = from.DeepCopy().Status }
	w.dbs.Show, w.secrets.Show = showDatabase, showSecret
	w.dbs.OnChange(w.lookForLeaks)
	w.starts(s, edits...)
	return w
}

// starts starts an operator, with caches of its own that begin with a list.
func (w *world) starts(s Subject, edits ...func(w *world, o *Options)) {
	w.takeQueued()
	w.due, w.failures = map[kit.Request]time.Time{}, map[kit.Request]int{}
	w.feed = &feed{dbs: fake.NewInformer(w.dbs), secrets: fake.NewInformer(w.secrets)}
	w.feed.dbs.Cache.Show, w.feed.secrets.Cache.Show = showDatabase, showSecret
	w.feed.listed = &bystander{Indexer: w.feed.dbs.Cache, w: w}
	o := Options{
		Databases: w.dbs, Status: statuses{w.dbs}, Secrets: w.secrets, DatabaseCache: w.feed.listed, SecretCache: w.feed.secrets.Cache,
		Cloud: &witness{Cloud: w.cloud, w: w}, Cluster: cluster, Poll: poll, Resync: resync,
	}
	for _, edit := range edits {
		edit(w, &o)
	}
	w.poll, w.resync = cmp.Or(o.Poll, poll), cmp.Or(o.Resync, resync)
	call := w.t.Call("New(Options{Cluster: %s, Poll: %v, Resync: %v})", o.Cluster, o.Poll, o.Resync)
	w.r = s.New(o)
	w.feed.dbs.Handle(w.r.DatabaseHandler(w.enqueue))
	w.feed.secrets.Handle(w.r.SecretHandler(w.enqueue))
	call.Returned("")
}

func (w *world) enqueue(request kit.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.Note("enqueue(%s)", request)
	w.queued[request] = true
}

// woken is what has been enqueued since the last look, sorted.
func (w *world) woken() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := []string{}
	for request := range w.queued {
		names = append(names, request.String())
	}
	clear(w.queued)
	slices.Sort(names)
	return names
}

// breaks notes that a rule breaks at this moment.
func (w *world) breaks(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = append(w.broken, fmt.Sprintf(format, args...))
	w.watch.Breaks("%s", fmt.Sprintf(format, args...))
}

// sound requires that nothing was done that nobody may do.
func (w *world) sound() {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := ""
	if len(w.broken) > 0 {
		first = w.broken[0]
	}
	w.t.Require(first == "", "%s%s.", first, w.befell)
}

// reconcile calls the subject and writes the call into the history.
func (w *world) reconcile(name string) (kit.Result, error) {
	return w.reconcileAs(w.t.Actor, w.t.Context(), name)
}

func (w *world) reconcileAs(a *conform.Actor, ctx context.Context, name string) (kit.Result, error) {
	request := kit.Request{Namespace: namespace, Name: name}
	call := a.Call("Reconcile(%s)", request)
	result, err := w.r.Reconcile(ctx, request)
	if result == (kit.Result{}) {
		call.Returned("Result{}, %v", err)
	} else {
		call.Returned("Result{RequeueAfter: %v, Requeue: %t}, %v", result.RequeueAfter, result.Requeue, err)
	}
	return result, err
}

// settled is reconcile where nothing may fail, with caches that have taken in everything
// before and after it. Why is half a sentence.
func (w *world) settled(name, why string, args ...any) kit.Result {
	w.catchUp()
	result, err := w.reconcile(name)
	w.t.Require(err == nil, "Reconcile(%s) returned the error %q, and should have returned nil: %s.", key(name), fmt.Sprint(err), fmt.Sprintf(why, args...))
	w.catchUp()
	w.sound()
	return result
}

// catchUp delivers all that the caches have not heard of.
func (w *world) catchUp() {
	w.feed.secrets.CatchUp()
	w.feed.dbs.CatchUp()
}

// witness is the cloud as the subject sees it: with somebody who knows what is allowed.
type witness struct {
	*fake.Cloud
	w *world
}

func (c *witness) CreateDatabase(ctx context.Context, name, owner string, spec kit.CloudSpec) error {
	db := c.w.owned(name)
	switch {
	case db == nil:
		c.w.breaks("CreateDatabase was called with the name %s, and there is no Database with that UID: nobody will ever delete what was created", name)
	case db.DeletionTimestamp != nil:
		c.w.breaks("CreateDatabase was called for %s, which is being deleted", kit.Key(db))
	case !slices.Contains(db.Finalizers, finalizer):
		c.w.breaks("CreateDatabase was called for %s before its finalizer was written: if the Database is deleted now, nobody will ever delete what was created", kit.Key(db))
	case owner != cluster+"/"+db.UID:
		c.w.breaks("CreateDatabase was called for %s with the owner %q; CloudOwner is %q", kit.Key(db), owner, cluster+"/"+db.UID)
	}
	return c.Cloud.CreateDatabase(ctx, name, owner, spec)
}

func (c *witness) ModifyDatabase(ctx context.Context, name string, spec kit.CloudSpec) error {
	c.mine(modify, name)
	return c.Cloud.ModifyDatabase(ctx, name, spec)
}

func (c *witness) DeleteDatabase(ctx context.Context, name string) error {
	c.mine(remove, name)
	if db := c.w.owned(name); db != nil && db.DeletionTimestamp == nil {
		c.w.breaks("%s was called for %s, which is not being deleted", remove, kit.Key(db))
	}
	return c.Cloud.DeleteDatabase(ctx, name)
}

// mine notes a call about somebody else's database.
func (c *witness) mine(verb, name string) {
	if has, _, exists := c.Cloud.Now(name); exists && !strings.HasPrefix(has.Owner, cluster+"/") {
		c.w.breaks("%s was called for %s, whose Owner is %q: what is not ours is never modified and never deleted", verb, name, has.Owner)
	}
	if db := c.w.owned(name); db != nil && !slices.Contains(db.Finalizers, finalizer) {
		c.w.breaks("%s was called for %s, which does not have the finalizer", verb, kit.Key(db))
	}
}

// owned is the Database for which a database of that name would be; nil if there is none.
func (w *world) owned(name string) *kit.Database {
	for _, db := range w.dbs.All() {
		if cloudName(db) == name {
			return db
		}
	}
	return nil
}

// lookForLeaks is called with every change of a Database, and the server's lock held.
func (w *world) lookForLeaks(event kit.Event[*kit.Database], _ []*kit.Database) {
	db := event.Object
	if event.Type != kit.Deleted && (db.DeletionTimestamp == nil || slices.Contains(db.Finalizers, finalizer)) {
		return
	}
	if has, _, exists := w.cloud.Now(cloudName(db)); exists && has.Owner == cluster+"/"+db.UID {
		w.breaks("the finalizer of %s was taken off while the cloud still had %s, %s: nobody will ever delete it", kit.Key(db), has.Name, has.State)
	}
}

// The objects of the cases.

// key is the key of an object of the one namespace there is.
func key(name string) string { return namespace + "/" + name }

// cloudName and connection are as the stub has them.
func cloudName(db *kit.Database) string  { return "db-" + db.UID }
func connection(db *kit.Database) string { return key(db.Name + "-connection") }

// database is a Database with a password in the Secret name-password.
func database(name string, edits ...func(db *kit.Database)) *kit.Database {
	db := kit.Databases.New()
	db.Namespace, db.Name = namespace, name
	db.Spec = kit.DatabaseSpec{Engine: "postgres", Size: 10, PasswordSecret: name + "-password"}
	for _, edit := range edits {
		edit(db)
	}
	return db
}

// finalized gives a Database our finalizer, and no other.
func finalized(db *kit.Database) { db.Finalizers = []string{finalizer} }

// password is a Secret with a password.
func password(name, text string) *kit.Secret {
	secret := kit.Secrets.New()
	secret.Namespace, secret.Name = namespace, name
	secret.Data = map[string][]byte{"password": []byte(text)}
	return secret
}

// stands adds a Database and its password.
func (w *world) stands(name string, edits ...func(db *kit.Database)) *kit.Database {
	db := w.dbs.Put(database(name, edits...))
	w.secrets.Put(password(name+"-password", "secret of "+name))
	w.catchUp()
	return db
}

// runs is stands with a database that is available, and of which everything is reported.
func (w *world) runs(name string, edits ...func(db *kit.Database)) *kit.Database {
	db := w.stands(name, edits...)
	w.drive(creationTakes + 2*poll)
	w.isReady(name, "nothing was in the way, and the time that the cloud needs has passed")
	return w.dbs.Now(kit.Key(db))
}

// said has an operator have reported these reasons an hour ago, at a generation, and an Endpoint.
func said(readyReason, syncedReason string, generation int64, endpoint string) func(db *kit.Database) {
	return func(db *kit.Database) {
		db.Status.ObservedGeneration, db.Status.Endpoint = generation, endpoint
		for _, c := range [][2]string{{ready, readyReason}, {synced, syncedReason}} {
			status := kit.ConditionFalse
			if c[1] == available || c[1] == inSync {
				status = kit.ConditionTrue
			}
			db.Status.Conditions = append(db.Status.Conditions, kit.Condition{
				Type: c[0], Status: status, Reason: c[1], Message: "as it was said an hour ago", ObservedGeneration: generation, LastTransitionTime: time.Now().Add(-time.Hour),
			})
		}
	}
}
