package fake

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Resource is one type at a Server, as its clients see it: it does what the API server of
// lab 07 does. What others do to its objects is in the methods Put, Change, Drop and Remove.
//
// The exported fields are for the case to set before there is a request.
type Resource[T kit.Object] struct {
	// Graceful makes a deletion only set the deletionTimestamp, as for a pod that a kubelet
	// has still to end. Remove does the rest.
	Graceful bool
	// Unconditional has an Update without a resource version overwrite what there is, as the
	// real API server does for pods. Otherwise such an Update is Invalid.
	Unconditional bool
	// Status, if it is set, makes the status a subresource: an Update leaves it as it is, and
	// UpdateStatus replaces nothing else. It copies the status of one object to another.
	Status func(from, to T)
	// Show is what the history shows of an object.
	Show func(obj T) string

	server *Server
	typ    kit.Type[T]

	// guarded by server.mu
	objects   map[string]T
	named     int
	changes   int
	between   []Interceptor
	onChange  func(event kit.Event[T], standing []T)
	informers []*Informer[T]
	stream    stream[T]
}

var (
	_ kit.Client[*kit.Pod]        = (*Resource[*kit.Pod])(nil)
	_ kit.StatusClient[*kit.Pod]  = (*Resource[*kit.Pod])(nil)
	_ kit.ListerWatcher[*kit.Pod] = (*Resource[*kit.Pod])(nil)
)

// Serve adds a type to a server.
func Serve[T kit.Object](s *Server, typ kit.Type[T]) *Resource[T] {
	r := &Resource[T]{server: s, typ: typ, objects: map[string]T{}, stream: newStream[T]()}
	r.Show = r.show
	return r
}

// show is an object as histories have it, and whether it is being deleted.
func (r *Resource[T]) show(obj T) string {
	text := fmt.Sprint(conform.Show(obj))
	if r.typ.Deleting(obj) != nil {
		text += " being deleted"
	}
	return text
}

// Intercept puts interceptors before the resource, the first outermost, in the place of those
// that were there. Without arguments it takes them away.
func (r *Resource[T]) Intercept(between ...Interceptor) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.between = between
}

func (r *Resource[T]) interceptors() []Interceptor {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.between
}

// Requests are those for this resource since the last Forget of its server, in the order in
// which they came: of these verbs, or of all if there are none.
func (r *Resource[T]) Requests(verbs ...Verb) []Request {
	return r.server.those(func(q *Request) bool {
		return q.Resource == r.typ.Resource && (len(verbs) == 0 || slices.Contains(verbs, q.Verb))
	})
}

// ask makes a request that is about one object.
func (r *Resource[T]) ask(ctx context.Context, q Request, shown string, do func() (T, error)) (T, error) {
	q.Resource = r.typ.Resource
	return exchange(ctx, r.server, &q, shown, r.interceptors(), func() (T, string, error) {
		obj, err := do()
		if err != nil {
			return obj, "", err
		}
		q.Key, q.Answer = kit.Key(obj), r.typ.DeepCopy(obj)
		return r.typ.DeepCopy(obj), r.Show(obj), nil
	})
}

// look marks the moment at which somebody sends an object that is a cache's own, and not as it
// was there: all who read that cache see the change.
func (r *Resource[T]) look(obj T) {
	r.server.mu.Lock()
	informers := r.informers
	r.server.mu.Unlock()
	for _, i := range informers {
		if change := i.Cache.written(obj); change != "" {
			i.Cache.actor.Breaks("somebody has written to %s in the cache: %s", kit.Key(obj), change)
		}
	}
}

// Create stores a new object.
func (r *Resource[T]) Create(ctx context.Context, obj T) (T, error) {
	obj = r.typ.DeepCopy(obj)
	return r.ask(ctx, Request{Verb: Create, Key: keyOf(obj), Sent: obj}, r.Show(r.unnamed(obj)), func() (T, error) {
		return r.create(r.typ.DeepCopy(obj))
	})
}

// unnamed is an object for the history, which has the beginning of the name that it will get
// where its name would be.
func (r *Resource[T]) unnamed(obj T) T {
	if obj.GetName() != "" {
		return obj
	}
	obj = r.typ.DeepCopy(obj)
	obj.SetName(obj.GetGenerateName() + "…")
	return obj
}

// keyOf is "" for an object without a name.
func keyOf(obj kit.Object) string {
	if obj.GetName() == "" {
		return ""
	}
	return kit.Key(obj)
}

func (r *Resource[T]) create(obj T) (T, error) {
	if obj.GetName() == "" && obj.GetGenerateName() != "" {
		r.named++
		obj.SetName(fmt.Sprintf("%s%03d", obj.GetGenerateName(), r.named))
	}
	switch _, taken := r.objects[kit.Key(obj)]; {
	case obj.GetName() == "":
		return obj, kit.NewStatusError(kit.ReasonInvalid, "an object without a name")
	case obj.GetResourceVersion() != "":
		return obj, kit.NewStatusError(kit.ReasonBadRequest, "a new object has no resource version")
	case taken:
		return obj, kit.NewAlreadyExists(r.typ.Resource, kit.Key(obj))
	}
	r.typ.SetDeleting(obj, nil)
	return r.insert(obj), nil
}

// insert stores a new object. The lock is held.
func (r *Resource[T]) insert(obj T) T {
	r.typ.SetCreated(obj, fmt.Sprintf("uid-%d", r.server.version+1), time.Now())
	obj.SetGeneration(1)
	return r.commit(kit.Added, obj)
}

// commit gives obj the next version and announces it. The lock is held.
func (r *Resource[T]) commit(what kit.EventType, obj T) T {
	r.server.version++
	r.changes++
	obj.SetResourceVersion(strconv.FormatInt(r.server.version, 10))
	if what == kit.Deleted {
		delete(r.objects, kit.Key(obj))
	} else {
		r.objects[kit.Key(obj)] = obj
	}
	event := kit.Event[T]{Type: what, Object: obj}
	r.stream.append(r.server.version, event)
	for _, i := range r.informers {
		i.hear(event)
	}
	if r.onChange != nil {
		r.onChange(event, r.standing())
	}
	return obj
}

// standing are the objects that there are, by key. They are not copies. The lock is held.
func (r *Resource[T]) standing() []T {
	var all []T
	for _, key := range slices.Sorted(maps.Keys(r.objects)) {
		all = append(all, r.objects[key])
	}
	return all
}

// Get returns one object.
func (r *Resource[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	key := (kit.Request{Namespace: namespace, Name: name}).String()
	return r.ask(ctx, Request{Verb: Get, Key: key}, key, func() (T, error) { return r.find(key) })
}

// find is what is stored under a key. The lock is held.
func (r *Resource[T]) find(key string) (T, error) {
	obj, exists := r.objects[key]
	if !exists {
		return obj, kit.NewNotFound(r.typ.Resource, key)
	}
	return obj, nil
}

// List returns the objects of one moment, by key.
func (r *Resource[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	q := &Request{Verb: List, Resource: r.typ.Resource, Options: options}
	return exchange(ctx, r.server, q, place(options), r.interceptors(), func() (kit.List[T], string, error) {
		list := kit.List[T]{ResourceVersion: strconv.FormatInt(r.server.version, 10)}
		for _, obj := range r.standing() {
			if options.Namespace == "" || options.Namespace == obj.GetNamespace() {
				list.Items = append(list.Items, r.typ.DeepCopy(obj))
			}
		}
		return list, conform.Count(len(list.Items), "object") + " @" + list.ResourceVersion, nil
	})
}

// place is what a List or a Watch is about.
func place(options kit.ListOptions) string {
	text := ""
	if options.Namespace != "" {
		text = "in " + options.Namespace + " "
	}
	return text + "from " + strconv.Quote(options.ResourceVersion)
}

// Update replaces an object that has not changed since it was read.
func (r *Resource[T]) Update(ctx context.Context, obj T) (T, error) {
	return r.update(ctx, Update, obj, func(old, sent T) T {
		if r.Status != nil {
			r.Status(old, sent)
		}
		return sent
	})
}

// UpdateStatus replaces the status of an object that has not changed since it was read.
func (r *Resource[T]) UpdateStatus(ctx context.Context, obj T) (T, error) {
	return r.update(ctx, Status, obj, func(old, sent T) T {
		merged := r.typ.DeepCopy(old)
		r.Status(sent, merged)
		return merged
	})
}

// update replaces an object by what comes of it and of the one that was sent, both copies.
func (r *Resource[T]) update(ctx context.Context, verb Verb, obj T, merge func(old, sent T) T) (T, error) {
	r.look(obj)
	obj = r.typ.DeepCopy(obj)
	return r.ask(ctx, Request{Verb: verb, Key: kit.Key(obj), Sent: obj}, r.Show(obj), func() (T, error) {
		old, err := r.find(kit.Key(obj))
		if err != nil {
			return old, err
		}
		merged := merge(r.typ.DeepCopy(old), r.typ.DeepCopy(obj))
		merged.SetResourceVersion(obj.GetResourceVersion())
		if err := r.current(old, merged); err != nil {
			return old, err
		}
		return r.replace(old, merged), nil
	})
}

// current says why obj is not to take the place of old; nil if it may.
func (r *Resource[T]) current(old, obj T) error {
	stored, _ := r.typ.Created(old)
	sent, _ := r.typ.Created(obj)
	version := obj.GetResourceVersion()
	switch {
	case version == "" && !r.Unconditional:
		return kit.NewStatusError(kit.ReasonInvalid, "an update without a resource version")
	case version != "" && version != old.GetResourceVersion(), sent != "" && sent != stored:
		return kit.NewConflict(r.typ.Resource, kit.Key(obj))
	case r.typ.Deleting(old) != nil && slices.ContainsFunc(obj.GetFinalizers(), func(f string) bool { return !slices.Contains(old.GetFinalizers(), f) }):
		return kit.NewStatusError(kit.ReasonInvalid, "a finalizer was added to an object that is being deleted")
	}
	return nil
}

// replace carries an update out. The lock is held.
func (r *Resource[T]) replace(old, obj T) T {
	uid, created := r.typ.Created(old)
	r.typ.SetCreated(obj, uid, created)
	r.typ.SetDeleting(obj, r.typ.Deleting(old))
	obj.SetResourceVersion(old.GetResourceVersion())
	r.setGeneration(old, obj)
	if r.typ.Equal(old, obj) {
		return old
	}
	if len(old.GetFinalizers()) > 0 && len(obj.GetFinalizers()) == 0 && r.typ.Deleting(obj) != nil && !r.Graceful {
		return r.commit(kit.Deleted, obj)
	}
	return r.commit(kit.Modified, obj)
}

// setGeneration counts the changes of what is asked for.
func (r *Resource[T]) setGeneration(old, obj T) {
	obj.SetGeneration(old.GetGeneration())
	if !r.typ.SameSpec(old, obj) {
		obj.SetGeneration(old.GetGeneration() + 1)
	}
}

// Delete deletes an object, or marks it.
func (r *Resource[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	key := (kit.Request{Namespace: namespace, Name: name}).String()
	return r.ask(ctx, Request{Verb: Delete, Key: key}, key, func() (T, error) {
		old, err := r.find(key)
		if err != nil {
			return old, err
		}
		uid, _ := r.typ.Created(old)
		p := options.Preconditions
		if p.UID != "" && p.UID != uid || p.ResourceVersion != "" && p.ResourceVersion != old.GetResourceVersion() {
			return old, kit.NewConflict(r.typ.Resource, key)
		}
		return r.mark(old), nil
	})
}

// mark deletes an object, or says that it will be. The lock is held.
func (r *Resource[T]) mark(old T) T {
	obj := r.typ.DeepCopy(old)
	switch {
	case !r.Graceful && len(obj.GetFinalizers()) == 0:
		return r.commit(kit.Deleted, obj)
	case r.typ.Deleting(obj) != nil:
		return old
	}
	now := time.Now()
	r.typ.SetDeleting(obj, &now)
	obj.SetGeneration(obj.GetGeneration() + 1)
	return r.commit(kit.Modified, obj)
}
