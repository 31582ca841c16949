package replicasettest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The verbs of a request.
const (
	create = "create"
	get    = "get"
	update = "update"
	remove = "delete"
)

// server is the API server for one type. It does what it is asked, at once, unless the
// case says otherwise; and it keeps what a watch would tell until somebody takes it.
type server[T kit.Object] struct {
	typ     kit.Type[T]
	version *atomic.Int64 // of the cluster: one count for all types

	// The script. It is changed only while no request is under way.
	latency  time.Duration                  // how long each request takes
	refuse   func(verb string, obj T) error // asked before a request is carried out; obj is what was sent, or what stands
	answered func(verb string, obj T)       // called after it was carried out, before it is answered
	graceful bool                           // deletion only sets the timestamp; end does the rest

	mu      sync.Mutex // guards everything below
	objects map[string]T
	feed    []kit.Event[T]
	calls   []request
	named   int
}

// request is one that the server has taken.
type request struct {
	verb, name string
	at         time.Time
	err        error
}

func newServer[T kit.Object](typ kit.Type[T], version *atomic.Int64) *server[T] {
	return &server[T]{typ: typ, version: version, objects: map[string]T{}}
}

func (s *server[T]) Create(_ context.Context, obj T) (T, error) {
	return s.serve(create, s.typ.DeepCopy(obj), func(obj T) (T, error) {
		if obj.GetName() == "" {
			s.named++
			obj.SetName(fmt.Sprintf("%s%03d", obj.GetGenerateName(), s.named))
		}
		if _, taken := s.objects[kit.Key(obj)]; taken {
			return obj, kit.NewAlreadyExists(s.typ.Resource, kit.Key(obj))
		}
		s.insert(obj)
		return obj, nil
	})
}

// insert stores a new object. s.mu is held.
func (s *server[T]) insert(obj T) {
	s.typ.SetCreated(obj, fmt.Sprintf("uid-%d", s.version.Load()+1), time.Now())
	s.typ.SetDeleting(obj, nil)
	obj.SetGeneration(1)
	s.commit(kit.Added, obj)
}

// commit gives obj the next version and sends it to the watches. s.mu is held.
func (s *server[T]) commit(what kit.EventType, obj T) {
	obj.SetResourceVersion(strconv.FormatInt(s.version.Add(1), 10))
	if what == kit.Deleted {
		delete(s.objects, kit.Key(obj))
	} else {
		s.objects[kit.Key(obj)] = obj
	}
	s.feed = append(s.feed, kit.Event[T]{Type: what, Object: s.typ.DeepCopy(obj)})
}

func (s *server[T]) Get(_ context.Context, namespace, name string) (T, error) {
	return s.serve(get, s.bare(namespace, name), func(obj T) (T, error) { return s.find(obj) })
}

// bare is an object that has nothing but its name.
func (s *server[T]) bare(namespace, name string) T {
	obj := s.typ.New()
	obj.SetNamespace(namespace)
	obj.SetName(name)
	return obj
}

// find is a copy of what stands under the name of obj. s.mu is held.
func (s *server[T]) find(obj T) (T, error) {
	stored, ok := s.objects[kit.Key(obj)]
	if !ok {
		return obj, kit.NewNotFound(s.typ.Resource, kit.Key(obj))
	}
	return s.typ.DeepCopy(stored), nil
}

func (s *server[T]) List(_ context.Context, options kit.ListOptions) (kit.List[T], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := kit.List[T]{ResourceVersion: strconv.FormatInt(s.version.Load(), 10)}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if obj := s.objects[key]; options.Namespace == "" || options.Namespace == obj.GetNamespace() {
			list.Items = append(list.Items, s.typ.DeepCopy(obj))
		}
	}
	return list, nil
}

func (s *server[T]) Update(_ context.Context, obj T) (T, error) {
	return s.serve(update, s.typ.DeepCopy(obj), func(obj T) (T, error) {
		old, err := s.find(obj)
		if err != nil {
			return obj, err
		}
		uid, created := s.typ.Created(old)
		if sent, _ := s.typ.Created(obj); sent != uid || obj.GetResourceVersion() != old.GetResourceVersion() {
			return obj, kit.NewConflict(s.typ.Resource, kit.Key(obj))
		}
		s.typ.SetCreated(obj, uid, created)
		s.typ.SetDeleting(obj, s.typ.Deleting(old))
		obj.SetGeneration(old.GetGeneration())
		if !s.typ.SameSpec(old, obj) {
			obj.SetGeneration(old.GetGeneration() + 1)
		}
		if !s.typ.Equal(old, obj) {
			s.commit(kit.Modified, obj)
		}
		return obj, nil
	})
}

func (s *server[T]) Delete(_ context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	return s.serve(remove, s.bare(namespace, name), func(obj T) (T, error) {
		old, err := s.find(obj)
		if err != nil {
			return obj, err
		}
		uid, _ := s.typ.Created(old)
		p := options.Preconditions
		if p.UID != "" && p.UID != uid || p.ResourceVersion != "" && p.ResourceVersion != old.GetResourceVersion() {
			return obj, kit.NewConflict(s.typ.Resource, kit.Key(obj))
		}
		s.mark(old)
		return old, nil
	})
}

// mark deletes an object, or says that it will be. s.mu is held.
func (s *server[T]) mark(obj T) {
	switch {
	case !s.graceful:
		s.commit(kit.Deleted, obj)
	case s.typ.Deleting(obj) == nil:
		now := time.Now()
		s.typ.SetDeleting(obj, &now)
		s.commit(kit.Modified, obj)
	}
}

// serve takes a request, carries it out and answers it.
func (s *server[T]) serve(verb string, obj T, do func(obj T) (T, error)) (T, error) {
	began := time.Now()
	if s.latency > 0 {
		time.Sleep(s.latency)
	}
	out, err := s.carryOut(verb, obj, do)
	s.mu.Lock()
	s.calls = append(s.calls, request{verb, out.GetName(), began, err})
	s.mu.Unlock()
	if s.answered != nil {
		s.answered(verb, out)
	}
	return out, err
}

func (s *server[T]) carryOut(verb string, obj T, do func(obj T) (T, error)) (T, error) {
	if s.refuse != nil {
		if err := s.refuse(verb, obj); err != nil {
			return obj, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err := do(obj)
	return s.typ.DeepCopy(out), err
}

// What others do to the cluster. These are not counted as requests.

// put adds an object and returns it as it stands.
func (s *server[T]) put(obj T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.insert(obj)
	return s.typ.DeepCopy(obj)
}

// change changes an object that there is, and returns it as it stands.
func (s *server[T]) change(key string, edit func(obj T)) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	obj := s.typ.DeepCopy(s.objects[key])
	edit(obj)
	if !s.typ.SameSpec(obj, s.objects[key]) {
		obj.SetGeneration(obj.GetGeneration() + 1)
	}
	s.commit(kit.Modified, obj)
	return s.typ.DeepCopy(obj)
}

// drop deletes an object: gracefully, if that is how this server does it.
func (s *server[T]) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mark(s.typ.DeepCopy(s.objects[key]))
}

// end takes away an object for good, whether or not it was to be deleted.
func (s *server[T]) end(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commit(kit.Deleted, s.typ.DeepCopy(s.objects[key]))
}

// all are the objects that stand, by name.
func (s *server[T]) all() []T {
	list, _ := s.List(context.Background(), kit.ListOptions{})
	return list.Items
}

// read is one object as it stands.
func (s *server[T]) read(key string) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typ.DeepCopy(s.objects[key])
}

// requests are those of one verb, in the order in which they were answered.
func (s *server[T]) requests(verb string) []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.calls), func(c request) bool { return c.verb != verb })
}

// forgetRequests starts to count anew.
func (s *server[T]) forgetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = nil
}

// take hands out the next event of the watch, if there is one.
func (s *server[T]) take() (event kit.Event[T], ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.feed) == 0 {
		return event, false
	}
	event = s.feed[0]
	s.feed = s.feed[1:]
	return event, true
}

// relist drops all events that nobody has taken and says how things stand now.
func (s *server[T]) relist() (items []T, version string) {
	s.mu.Lock()
	s.feed = nil
	s.mu.Unlock()
	list, _ := s.List(context.Background(), kit.ListOptions{})
	return list.Items, list.ResourceVersion
}
