package controlplanetest

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// server is the suite's own API server for one type, so that a mistake in lab 07 does
// not show as one in lab 22.
type server[T kit.Object] struct {
	typ kit.Type[T]

	// refuse may answer a request with an error in the place of the server; nil is for
	// never. onWrite gets every change. Both are called under the lock.
	refuse  func(verb string, obj T) error
	onWrite func(verb string, obj T)

	mu      sync.Mutex // guards the fields below
	objects map[string]T
	version int
	writes  int
}

func newServer[T kit.Object](typ kit.Type[T]) *server[T] {
	return &server[T]{typ: typ, objects: map[string]T{}, version: 100}
}

func (s *server[T]) denied(ctx context.Context, verb string, obj T) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.refuse != nil {
		return s.refuse(verb, obj)
	}
	return nil
}

// refusals refuse some of the requests that they are asked about.
type refusals struct {
	mu    sync.Mutex // guards the fields below
	asked int
	made  int
}

// of refuses with err the first many of every three requests.
func (r *refusals) of(many int, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	if (r.asked-1)%3 >= many {
		return nil
	}
	r.made++
	return err
}

func (r *refusals) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.made
}

// write stores obj with the next version. The lock is held.
func (s *server[T]) write(verb string, obj T) T {
	s.version++
	s.writes++
	obj.SetResourceVersion(strconv.Itoa(s.version))
	if verb == "delete" {
		delete(s.objects, kit.Key(obj))
	} else {
		s.objects[kit.Key(obj)] = obj
	}
	if s.onWrite != nil {
		s.onWrite(verb, obj)
	}
	return s.typ.DeepCopy(obj)
}

func (s *server[T]) Create(ctx context.Context, obj T) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	obj = s.typ.DeepCopy(obj)
	if obj.GetName() == "" && obj.GetGenerateName() != "" {
		obj.SetName(obj.GetGenerateName() + strconv.Itoa(s.version))
	}
	if err := s.denied(ctx, "create", obj); err != nil {
		return none, err
	}
	if obj.GetName() == "" {
		return none, kit.NewStatusError(kit.ReasonInvalid, "an object without a name")
	}
	if obj.GetResourceVersion() != "" {
		return none, kit.NewStatusError(kit.ReasonBadRequest, "a new object has no resource version")
	}
	if _, exists := s.objects[kit.Key(obj)]; exists {
		return none, kit.NewAlreadyExists(s.typ.Resource, kit.Key(obj))
	}
	s.typ.SetCreated(obj, "uid-"+s.typ.Resource+"-"+strconv.Itoa(s.version), time.Now())
	obj.SetGeneration(1)
	return s.write("create", obj), nil
}

func (s *server[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	key := (kit.Request{Namespace: namespace, Name: name}).String()
	obj, exists := s.objects[key]
	if err := s.denied(ctx, "get", obj); err != nil {
		return none, err
	}
	if !exists {
		return none, kit.NewNotFound(s.typ.Resource, key)
	}
	return s.typ.DeepCopy(obj), nil
}

func (s *server[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	if err := s.denied(ctx, "list", none); err != nil {
		return kit.List[T]{}, err
	}
	list := kit.List[T]{ResourceVersion: strconv.Itoa(s.version)}
	for _, obj := range s.objects {
		if options.Namespace == "" || options.Namespace == obj.GetNamespace() {
			list.Items = append(list.Items, s.typ.DeepCopy(obj))
		}
	}
	return list, nil
}

func (s *server[T]) Update(ctx context.Context, obj T) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	if err := s.denied(ctx, "update", obj); err != nil {
		return none, err
	}
	old, exists := s.objects[kit.Key(obj)]
	if !exists {
		return none, kit.NewNotFound(s.typ.Resource, kit.Key(obj))
	}
	oldUID, created := s.typ.Created(old)
	uid, _ := s.typ.Created(obj)
	if obj.GetResourceVersion() != old.GetResourceVersion() || uid != "" && uid != oldUID {
		return none, kit.NewConflict(s.typ.Resource, kit.Key(obj))
	}
	obj = s.typ.DeepCopy(obj)
	s.typ.SetCreated(obj, oldUID, created)
	s.typ.SetDeleting(obj, s.typ.Deleting(old))
	obj.SetGeneration(old.GetGeneration())
	if !s.typ.SameSpec(obj, old) {
		obj.SetGeneration(old.GetGeneration() + 1)
	}
	if s.typ.Equal(obj, old) {
		return s.typ.DeepCopy(old), nil
	}
	return s.write("update", obj), nil
}

func (s *server[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	key := (kit.Request{Namespace: namespace, Name: name}).String()
	obj, exists := s.objects[key]
	if err := s.denied(ctx, "delete", obj); err != nil {
		return none, err
	}
	if !exists {
		return none, kit.NewNotFound(s.typ.Resource, key)
	}
	uid, _ := s.typ.Created(obj)
	p := options.Preconditions
	if p.UID != "" && p.UID != uid || p.ResourceVersion != "" && p.ResourceVersion != obj.GetResourceVersion() {
		return none, kit.NewConflict(s.typ.Resource, key)
	}
	return s.write("delete", s.typ.DeepCopy(obj)), nil
}

// The suite's own ways in.

// refusing sets refuse.
func (s *server[T]) refusing(refuse func(verb string, obj T) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

// telling sets onWrite.
func (s *server[T]) telling(onWrite func(verb string, obj T)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onWrite = onWrite
}

// now is the object as it stands, or the zero value.
func (s *server[T]) now(key string) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	obj, exists := s.objects[key]
	if !exists {
		var none T
		return none
	}
	return s.typ.DeepCopy(obj)
}

// put creates an object in the way of the API, without asking refuse.
func (s *server[T]) put(obj T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	obj = s.typ.DeepCopy(obj)
	s.typ.SetCreated(obj, "uid-"+s.typ.Resource+"-"+strconv.Itoa(s.version), time.Now())
	obj.SetGeneration(1)
	return s.write("put", obj)
}

// change edits an object as somebody else would, without asking refuse.
func (s *server[T]) change(key string, edit func(obj T)) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	obj := s.typ.DeepCopy(s.objects[key])
	edit(obj)
	if !s.typ.SameSpec(obj, s.objects[key]) {
		obj.SetGeneration(obj.GetGeneration() + 1)
	}
	return s.write("change", obj)
}

// drop deletes an object as somebody else would.
func (s *server[T]) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if obj, exists := s.objects[key]; exists {
		s.write("drop", s.typ.DeepCopy(obj))
		delete(s.objects, key)
	}
}

func (s *server[T]) all() []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []T
	for _, obj := range s.objects {
		all = append(all, s.typ.DeepCopy(obj))
	}
	return all
}

// count is how many writes there were.
func (s *server[T]) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}
