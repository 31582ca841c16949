package fake

import "github.com/controllerbook/controllerbook/labs/kit"

// Put creates an object as somebody else does, and returns it as it stands. Whatever obj
// says of its status, its deletion or its finalizers is kept: the world may begin as the
// case likes it.
func (r *Resource[T]) Put(obj T) T {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	obj = r.insert(r.typ.DeepCopy(obj))
	r.server.note("%s %s is created", r.typ.Resource, r.Show(obj))
	return r.typ.DeepCopy(obj)
}

// Change changes an object that there is, as somebody else does, and returns it as it stands.
func (r *Resource[T]) Change(key string, edit func(obj T)) T {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	old := r.objects[key]
	obj := r.typ.DeepCopy(old)
	edit(obj)
	r.setGeneration(old, obj)
	obj = r.commit(kit.Modified, obj)
	r.server.note("%s %s is changed", r.typ.Resource, r.Show(obj))
	return r.typ.DeepCopy(obj)
}

// Drop deletes an object that there is, as somebody else does by a request: a Graceful
// resource, or a finalizer, keeps it for a while.
func (r *Resource[T]) Drop(key string) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	obj := r.mark(r.objects[key])
	r.server.note("%s %s is deleted", r.typ.Resource, r.Show(obj))
}

// Remove takes an object away for good, if there is one.
func (r *Resource[T]) Remove(key string) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if obj, exists := r.objects[key]; exists {
		obj = r.commit(kit.Deleted, r.typ.DeepCopy(obj))
		r.server.note("%s %s is gone", r.typ.Resource, r.Show(obj))
	}
}

// Now is an object as it stands; the zero value if there is none.
func (r *Resource[T]) Now(key string) T {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	obj, exists := r.objects[key]
	if exists {
		obj = r.typ.DeepCopy(obj)
	}
	return obj
}

// All are the objects as they stand, by key.
func (r *Resource[T]) All() []T {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	all := r.standing()
	for i, obj := range all {
		all[i] = r.typ.DeepCopy(obj)
	}
	return all
}

// Changes is how often anybody has changed something: a request that fails, or that leaves
// everything as it was, does not count.
func (r *Resource[T]) Changes() int {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.changes
}

// OnChange has f called with every change, and what there is then, before the request is
// answered. The server's lock is held: f must not call back. It must not change anything.
func (r *Resource[T]) OnChange(f func(event kit.Event[T], standing []T)) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.onChange = f
}
