// Package indexer is lab 15 with one map for all indices, from a place (the name of an index
// and a value) to its entries. An entry remembers its places, so a write asks nothing about
// the old object.
package indexer

import (
	"fmt"
	"maps"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Indexer keeps objects by their key (as of kit.Key), and finds them by what its indices say
// of them.
type Indexer[T kit.Object] struct {
	mu     sync.Mutex
	order  []*entry[T] // all entries, each at its place
	byKey  map[string]*entry[T]
	funcs  map[string]kit.IndexFunc[T] // never changed, only replaced
	epoch  int                         // how often funcs was replaced
	values map[place]map[*entry[T]]bool
}

var _ kit.Indexer[*kit.Pod] = (*Indexer[*kit.Pod])(nil)

// New returns an empty indexer with these indices. indexers may be nil. The indexer
// neither keeps nor changes the map.
func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	funcs := maps.Clone(indexers)
	if funcs == nil {
		funcs = map[string]kit.IndexFunc[T]{}
	}
	return &Indexer[T]{byKey: map[string]*entry[T]{}, funcs: funcs, values: map[place]map[*entry[T]]bool{}}
}

// Add stores obj, and replaces the object with the same key if there is one.
func (x *Indexer[T]) Add(obj T) error {
	return x.change(func(funcs map[string]kit.IndexFunc[T]) (func(), error) {
		e, err := ask(funcs, obj)
		return func() {
			x.take(e.key)
			x.put(e)
		}, err
	})
}

// Update does what Add does.
func (x *Indexer[T]) Update(obj T) error {
	return x.Add(obj)
}

// Delete removes the object with the key of obj. If there is none it does nothing,
// and that is no error.
func (x *Indexer[T]) Delete(obj T) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.take(kit.Key(obj))
	return nil
}

// Replace makes the objects of list all there are, in one step, and rebuilds the
// indices. Of objects with the same key the last counts. The resource version is
// not used.
func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	return x.change(func(funcs map[string]kit.IndexFunc[T]) (func(), error) {
		last := map[string]T{}
		for _, obj := range list {
			last[kit.Key(obj)] = obj
		}
		var entries []*entry[T]
		for _, obj := range last {
			e, err := ask(funcs, obj)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return func() {
			x.order, x.byKey, x.values = nil, map[string]*entry[T]{}, map[place]map[*entry[T]]bool{}
			for _, e := range entries {
				x.put(e)
			}
		}, nil
	})
}

// AddIndexers adds indices. Objects that are stored already are in them when it
// returns. If there is an index of one of these names, it returns an error and adds
// none of them.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range newIndexers {
		if _, exists := x.funcs[name]; exists {
			return fmt.Errorf("there is an index %q", name)
		}
	}
	more := make([][]place, len(x.order))
	for i, e := range x.order {
		extra, err := ask(newIndexers, e.obj)
		if err != nil {
			return err
		}
		more[i] = extra.places
	}
	for i, e := range x.order {
		e.places = append(e.places, more[i]...)
		x.enter(e, more[i])
	}
	funcs := maps.Clone(x.funcs)
	maps.Copy(funcs, newIndexers)
	x.funcs = funcs
	x.epoch++
	return nil
}

type place struct{ index, value string }

type entry[T kit.Object] struct {
	key    string
	obj    T
	at     int     // in order
	places []place // what the IndexFuncs said
}

func ask[T kit.Object](funcs map[string]kit.IndexFunc[T], obj T) (*entry[T], error) {
	e := &entry[T]{key: kit.Key(obj), obj: obj}
	for name, fn := range funcs {
		values, err := fn(obj)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", name, e.key, err)
		}
		for _, v := range values {
			e.places = append(e.places, place{name, v})
		}
	}
	return e, nil
}

// change asks the IndexFuncs without the lock, and again if others came meanwhile.
func (x *Indexer[T]) change(prepare func(map[string]kit.IndexFunc[T]) (func(), error)) error {
	for {
		x.mu.Lock()
		funcs, epoch := x.funcs, x.epoch
		x.mu.Unlock()
		apply, err := prepare(funcs)
		if err != nil {
			return err
		}
		x.mu.Lock()
		if x.epoch == epoch {
			apply()
			x.mu.Unlock()
			return nil
		}
		x.mu.Unlock()
	}
}

func (x *Indexer[T]) put(e *entry[T]) {
	e.at = len(x.order)
	x.order = append(x.order, e)
	x.byKey[e.key] = e
	x.enter(e, e.places)
}

func (x *Indexer[T]) enter(e *entry[T], places []place) {
	for _, p := range places {
		if x.values[p] == nil {
			x.values[p] = map[*entry[T]]bool{}
		}
		x.values[p][e] = true
	}
}

func (x *Indexer[T]) take(key string) {
	e := x.byKey[key]
	if e == nil {
		return
	}
	delete(x.byKey, key)
	last := len(x.order) - 1
	x.order[e.at] = x.order[last]
	x.order[e.at].at = e.at
	x.order[last] = nil
	x.order = x.order[:last]
	for _, p := range e.places {
		if delete(x.values[p], e); len(x.values[p]) == 0 {
			delete(x.values, p)
		}
	}
}
