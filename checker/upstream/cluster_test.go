package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllerbook/controllerbook/checker/internal/suites/operatortest"
	"github.com/controllerbook/controllerbook/checker/upstream/operator"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// cluster is the API server and the caches of lab 23's suite, as controller-runtime's
// interfaces have them. Objects cross over as JSON, which both sides write alike, as they
// would on the wire: times come back in whole seconds.
type cluster struct {
	scheme     *runtime.Scheme
	databases  *kind[*kit.Database]
	secrets    *kind[*kit.Secret]
	controller controller.Controller // what was added to the manager
}

func newCluster(o operatortest.Options) *cluster {
	c := &cluster{
		scheme:    runtime.NewScheme(),
		databases: &kind[*kit.Database]{typ: kit.Databases, Client: o.Databases, status: o.Status, cache: o.DatabaseCache, theirs: func() client.Object { return &operator.Database{} }},
		secrets:   &kind[*kit.Secret]{typ: kit.Secrets, Client: o.Secrets, cache: o.SecretCache, theirs: func() client.Object { return &corev1.Secret{} }},
	}
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, operator.AddToScheme} {
		if err := add(c.scheme); err != nil {
			panic(err)
		}
	}
	return c
}

// anyKind is a kind, whatever its objects are.
type anyKind interface {
	read(ctx context.Context, live bool, key client.ObjectKey, into client.Object) error
	create(ctx context.Context, obj client.Object) error
	update(ctx context.Context, obj client.Object) error
	updateStatus(ctx context.Context, obj client.Object) error
	listen(h toolscache.ResourceEventHandler)
}

func (c *cluster) kind(obj client.Object) anyKind {
	switch obj.(type) {
	case *operator.Database:
		return c.databases
	case *corev1.Secret:
		return c.secrets
	}
	panic(fmt.Sprintf("the suite has no %T", obj))
}

// kind is one type of the suite.
type kind[T kit.Object] struct {
	kit.Client[T]
	typ    kit.Type[T]
	status kit.StatusClient[T]
	cache  kit.Indexer[T]
	theirs func() client.Object

	mu        sync.Mutex // guards listeners: sources start side by side
	listeners []toolscache.ResourceEventHandler
}

func (k *kind[T]) read(ctx context.Context, live bool, key client.ObjectKey, into client.Object) error {
	if live {
		found, err := k.Get(ctx, key.Namespace, key.Name)
		return answer(found, err, into)
	}
	found, exists := k.cache.GetByKey(key.String())
	if !exists {
		return apierrors.NewNotFound(schema.GroupResource{Resource: k.typ.Resource}, key.Name)
	}
	return answer(found, nil, into)
}

func (k *kind[T]) create(ctx context.Context, obj client.Object) error {
	created, err := k.Create(ctx, k.ours(obj))
	return answer(created, err, obj)
}

func (k *kind[T]) update(ctx context.Context, obj client.Object) error {
	updated, err := k.Update(ctx, k.ours(obj))
	return answer(updated, err, obj)
}

func (k *kind[T]) updateStatus(ctx context.Context, obj client.Object) error {
	updated, err := k.status.UpdateStatus(ctx, k.ours(obj))
	return answer(updated, err, obj)
}

func (k *kind[T]) listen(h toolscache.ResourceEventHandler) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listeners = append(k.listeners, h)
}

// handler calls first, and then notifies all who listen.
func (k *kind[T]) handler(first func()) kit.ResourceEventHandler[T] {
	notify := func(f func(h toolscache.ResourceEventHandler)) {
		first()
		for _, h := range k.listeners {
			f(h)
		}
	}
	return kit.ResourceEventHandlerFuncs[T]{
		AddFunc: func(obj T, initial bool) {
			notify(func(h toolscache.ResourceEventHandler) { h.OnAdd(k.whole(obj), initial) })
		},
		UpdateFunc: func(before, after T) {
			notify(func(h toolscache.ResourceEventHandler) { h.OnUpdate(k.whole(before), k.whole(after)) })
		},
		DeleteFunc: func(obj T, unknown bool) {
			var gone any = k.whole(obj)
			if unknown {
				gone = toolscache.DeletedFinalStateUnknown{Key: kit.Key(obj), Obj: gone}
			}
			notify(func(h toolscache.ResourceEventHandler) { h.OnDelete(gone) })
		},
	}
}

func (k *kind[T]) ours(obj client.Object) T {
	ours := k.typ.New()
	recode(obj, ours)
	return ours
}

func (k *kind[T]) whole(obj T) client.Object {
	theirs := k.theirs()
	recode(obj, theirs)
	return theirs
}

// answer is an answer as a client has it: in the object that it was asked with.
func answer(found kit.Object, err error, into client.Object) error {
	if err != nil {
		return refusal(err)
	}
	reflect.ValueOf(into).Elem().SetZero()
	recode(found, into)
	return nil
}

func recode(from, into any) {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}

// theirClient reads from the caches, or live from the server. What the operator does not
// call is not there.
type theirClient struct {
	client.Client
	*cluster
	live bool
}

func (c *cluster) client(live bool) client.Client { return theirClient{cluster: c, live: live} }

func (c theirClient) Scheme() *runtime.Scheme { return c.scheme }

func (c theirClient) Get(ctx context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	return c.kind(obj).read(ctx, c.live, key, obj)
}

func (c theirClient) Create(ctx context.Context, obj client.Object, _ ...client.CreateOption) error {
	return c.kind(obj).create(ctx, obj)
}

func (c theirClient) Update(ctx context.Context, obj client.Object, _ ...client.UpdateOption) error {
	return c.kind(obj).update(ctx, obj)
}

// List finds Databases by one field, in the index that stands for it.
func (c theirClient) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(opts)
	by := o.FieldSelector.Requirements()[0]
	found, err := c.databases.cache.ByIndex(by.Field, o.Namespace+"/"+by.Value)
	if err != nil {
		return err
	}
	recode(map[string]any{"items": found}, list)
	return nil
}

func (c theirClient) Status() client.SubResourceWriter { return theirStatus{cluster: c.cluster} }

type theirStatus struct {
	client.SubResourceWriter
	*cluster
}

func (s theirStatus) Update(ctx context.Context, obj client.Object, _ ...client.SubResourceUpdateOption) error {
	return s.kind(obj).updateStatus(ctx, obj)
}

// theirManager is as much of a manager as a builder asks for.
type theirManager struct {
	manager.Manager
	*cluster
}

func (c *cluster) manager() manager.Manager { return theirManager{cluster: c} }

func (m theirManager) GetScheme() *runtime.Scheme              { return m.scheme }
func (m theirManager) GetLogger() logr.Logger                  { return logr.Discard() }
func (m theirManager) GetControllerOptions() config.Controller { return config.Controller{} }
func (m theirManager) GetFieldIndexer() client.FieldIndexer    { return theirIndices{m.cluster} }
func (m theirManager) GetCache() cache.Cache                   { return theirCache{cluster: m.cluster} }

func (m theirManager) GetRESTMapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(operator.GroupVersion.WithKind(kit.Databases.Kind), meta.RESTScopeNamespace)
	mapper.Add(operator.GroupVersion.WithKind(kit.Databases.Kind).GroupKind().WithVersion("v0"), meta.RESTScopeNamespace) // in which older references are
	return mapper
}

func (m theirManager) Add(r manager.Runnable) error {
	m.cluster.controller = r.(controller.Controller)
	return nil
}

// theirIndices puts the namespace before each value, or nothing for all namespaces, much as
// upstream's cache does.
type theirIndices struct{ *cluster }

func (i theirIndices) IndexField(_ context.Context, _ client.Object, field string, values client.IndexerFunc) error {
	if _, err := i.databases.cache.IndexKeys(field, ""); err == nil {
		return nil // another operator over the same caches has made it; a manager has one of each
	}
	return i.databases.cache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{
		field: func(db *kit.Database) (all []string, _ error) {
			for _, value := range values(i.databases.whole(db)) {
				all = append(all, db.Namespace+"/"+value, "/"+value)
			}
			return all, nil
		},
	})
}

// theirCache has an informer for each kind.
type theirCache struct {
	cache.Cache
	*cluster
}

func (c theirCache) WaitForCacheSync(context.Context) bool { return true }

func (c theirCache) GetInformer(_ context.Context, obj client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	return theirInformer{kind: c.kind(obj)}, nil
}

type theirInformer struct {
	cache.Informer
	kind anyKind
}

func (i theirInformer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, _ toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	i.kind.listen(h)
	return listening{}, nil
}

// listening is a registration that has synced: the suite delivers nothing before.
type listening struct{}

func (listening) HasSynced() bool                          { return true }
func (listening) HasSyncedChecker() toolscache.DoneChecker { return nil }
