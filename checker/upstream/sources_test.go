package upstream

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	ctrlhandler "sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	ctrlsource "sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllerbook/controllerbook/checker/internal/suites/reconcilertest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ourSource is a source of the suite as upstream starts one, and theirSource one of
// upstream in the hands of the suite.
type (
	ourSource   struct{ reconcilertest.Source }
	theirSource struct{ ctrlsource.SyncingSource }
)

func (s ourSource) Start(ctx context.Context, q theirQueue) error {
	return s.Source.Start(ctx, toOurs(q))
}

// String names the source for an error of upstream's, which would otherwise print every field
// of it by reflection while its Start still works on them.
func (ourSource) String() string { return "a source of the suite" }

func (s theirSource) Start(ctx context.Context, q reconcilertest.Queue) error {
	return s.SyncingSource.Start(ctx, toTheirs(q))
}

type objectHandler = ctrlhandler.TypedEventHandler[*object, reconcile.Request]

func sourceOf(i reconcilertest.Informer, h objectHandler, ps []reconcilertest.Predicate) reconcilertest.Source {
	return theirSource{ctrlsource.TypedKind(cacheOf{i: i}, &object{}, h, theirPredicates(ps)...)}
}

func forSource(i reconcilertest.Informer, ps ...reconcilertest.Predicate) reconcilertest.Source {
	return sourceOf(i, &ctrlhandler.TypedEnqueueRequestForObject[*object]{}, ps)
}

func watchesSource(i reconcilertest.Informer, mapFunc func(*kit.Pod) []kit.Request, ps ...reconcilertest.Predicate) reconcilertest.Source {
	h := ctrlhandler.TypedEnqueueRequestsFromMapFunc(func(_ context.Context, o *object) (all []reconcile.Request) {
		for _, r := range mapFunc(o.pod) {
			all = append(all, theirRequest(r))
		}
		return all
	})
	return sourceOf(i, h, ps)
}

// ownsSource is what a builder's Owns makes.
func ownsSource(i reconcilertest.Informer, owner kit.TypeMeta, ps ...reconcilertest.Predicate) reconcilertest.Source {
	gvk := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	obj, err := scheme.Scheme.New(gvk)
	if err != nil {
		panic(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, version := range scheme.Scheme.PrioritizedVersionsForGroup(gvk.Group) {
		mapper.Add(version.WithKind(gvk.Kind), meta.RESTScopeNamespace)
	}
	mapper.Add(gvk.GroupKind().WithVersion("v2"), meta.RESTScopeNamespace) // which the core group does not have yet
	h := ctrlhandler.TypedEnqueueRequestForOwner[*object](scheme.Scheme, mapper, obj.(client.Object), ctrlhandler.OnlyControllerOwner())
	return sourceOf(i, h, ps)
}

// kindSource is a Kind that makes its handler in Start, as the lab's does. Upstream's has one from the
// beginning, and hands out a queue with each event, which is the one that Start was given.
func kindSource(i reconcilertest.Informer, h reconcilertest.Handler, ps ...reconcilertest.Predicate) reconcilertest.Source {
	return &kindOf{i: i, h: h, ps: ps}
}

type kindOf struct {
	i  reconcilertest.Informer
	h  reconcilertest.Handler
	ps []reconcilertest.Predicate

	reconcilertest.Source // made by Start
}

func (k *kindOf) Start(ctx context.Context, q reconcilertest.Queue) error {
	handler := k.h(q)
	k.Source = sourceOf(k.i, ctrlhandler.TypedFuncs[*object, reconcile.Request]{
		CreateFunc: func(_ context.Context, e event.TypedCreateEvent[*object], _ theirQueue) {
			handler.OnAdd(e.Object.pod, e.IsInInitialList)
		},
		UpdateFunc: func(_ context.Context, e event.TypedUpdateEvent[*object], _ theirQueue) {
			handler.OnUpdate(e.ObjectOld.pod, e.ObjectNew.pod)
		},
		DeleteFunc: func(_ context.Context, e event.TypedDeleteEvent[*object], _ theirQueue) {
			handler.OnDelete(e.Object.pod, e.DeleteStateUnknown)
		},
	}, k.ps)
	return k.Source.Start(ctx, q)
}

func theirPredicates(ps []reconcilertest.Predicate) (all []predicate.TypedPredicate[*object]) {
	for _, p := range ps {
		var f predicate.TypedFuncs[*object]
		if p.AddFunc != nil {
			f.CreateFunc = func(e event.TypedCreateEvent[*object]) bool { return p.AddFunc(e.Object.pod) }
		}
		if p.UpdateFunc != nil {
			f.UpdateFunc = func(e event.TypedUpdateEvent[*object]) bool {
				return p.UpdateFunc(e.ObjectOld.pod, e.ObjectNew.pod)
			}
		}
		if p.DeleteFunc != nil {
			f.DeleteFunc = func(e event.TypedDeleteEvent[*object]) bool { return p.DeleteFunc(e.Object.pod) }
		}
		all = append(all, f)
	}
	return all
}

func generationChanged() reconcilertest.Predicate {
	p := predicate.TypedGenerationChangedPredicate[*object]{}
	return reconcilertest.Predicate{
		AddFunc: func(obj *kit.Pod) bool { return p.Create(event.TypedCreateEvent[*object]{Object: wholeObject(obj)}) },
		UpdateFunc: func(oldObj, newObj *kit.Pod) bool {
			return p.Update(event.TypedUpdateEvent[*object]{ObjectOld: wholeObject(oldObj), ObjectNew: wholeObject(newObj)})
		},
		DeleteFunc: func(obj *kit.Pod) bool { return p.Delete(event.TypedDeleteEvent[*object]{Object: wholeObject(obj)}) },
	}
}

// cacheOf is a cache of controller-runtime that has one informer, the suite's.
type cacheOf struct {
	cache.Cache
	i reconcilertest.Informer
}

func (c cacheOf) GetInformer(context.Context, client.Object, ...cache.InformerGetOption) (cache.Informer, error) {
	return cachedInformer{i: c.i}, nil
}

func (c cacheOf) WaitForCacheSync(ctx context.Context) bool {
	return toolscache.WaitForCacheSync(ctx.Done(), c.i.HasSynced)
}

type cachedInformer struct {
	cache.Informer
	i reconcilertest.Informer
}

func (c cachedInformer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, _ toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	r, err := c.i.AddEventHandler(told{h})
	if err != nil {
		return nil, err
	}
	return polled{r}, nil
}

// polled is a registration of ours: it has no channel to wait for.
type polled struct{ kit.Registration }

func (polled) HasSyncedChecker() toolscache.DoneChecker { return nil }

// told is a handler of client-go that an informer of ours can tell.
type told struct {
	toolscache.ResourceEventHandler
}

func (h told) OnAdd(p *kit.Pod, initial bool) { h.ResourceEventHandler.OnAdd(wholeObject(p), initial) }
func (h told) OnUpdate(old, p *kit.Pod) {
	h.ResourceEventHandler.OnUpdate(wholeObject(old), wholeObject(p))
}

func (h told) OnDelete(p *kit.Pod, unknown bool) {
	if unknown {
		h.ResourceEventHandler.OnDelete(toolscache.DeletedFinalStateUnknown{Key: kit.Key(p), Obj: wholeObject(p)})
	} else {
		h.ResourceEventHandler.OnDelete(wholeObject(p))
	}
}

// wholeObject is objectOf with all of the metadata that handlers look at.
func wholeObject(p *kit.Pod) *object {
	o := objectOf(p)
	o.Generation = p.Generation
	for _, r := range p.OwnerReferences {
		o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{
			APIVersion: r.APIVersion, Kind: r.Kind, Name: r.Name, Controller: new(r.Controller),
		})
	}
	return o
}
