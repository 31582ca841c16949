// Package indexer is lab 15: the cache that controllers read instead of asking the
// API server, with indices by which they find what belongs together.
package indexer

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Indexer keeps objects by their key, and finds them by what its indices say of
// them. The stub's documentation is the contract.
//
// Readers are many and writers few, so it is an RWMutex. One lock holds items and
// indices together: with one for each there would be a moment at which they disagree.
type Indexer[T kit.Object] struct {
	mu      sync.RWMutex // guards everything below, and what it points to
	items   map[string]*entry[T]
	indices map[string]*index[T]
}

var _ kit.Indexer[*kit.Pod] = (*Indexer[*kit.Pod])(nil)

// entry is the place of a stored object. It stays the same for as long as the key
// is stored, while the object in it changes. So an index, which holds entries, has
// nothing to do when an update leaves the values as they are, and that is what
// nearly all updates do.
type entry[T kit.Object] struct {
	key string
	obj T
}

// index holds, for each value, the entries whose objects have it. No set is empty.
type index[T kit.Object] struct {
	name   string
	values kit.IndexFunc[T]
	sets   map[string]set[T]
}

type set[T kit.Object] map[*entry[T]]struct{}

// New returns an empty indexer with these indices.
func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	x := &Indexer[T]{
		items:   make(map[string]*entry[T]),
		indices: make(map[string]*index[T], len(indexers)),
	}
	for name, values := range indexers {
		x.indices[name] = newIndex(name, values)
	}
	return x
}

func newIndex[T kit.Object](name string, values kit.IndexFunc[T]) *index[T] {
	return &index[T]{name, values, make(map[string]set[T])}
}

// Add stores obj.
func (x *Indexer[T]) Add(obj T) error { return x.Update(obj) }

// Update stores obj. All IndexFuncs have spoken before anything is written: each of
// them may fail, and half an update could not be taken back by asking them again.
func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	var room [4]move[T]
	moves, err := x.moves(room[:0], e, obj)
	if err != nil {
		return err
	}
	if !exists {
		e = &entry[T]{key: key}
		x.items[key] = e
	}
	e.obj = obj
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

// Delete removes the object with the key of obj.
func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if !exists {
		return nil
	}
	var room [4]move[T]
	moves, err := x.departures(room[:0], e)
	if err != nil {
		return err
	}
	delete(x.items, key)
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

// move is what a write does to one index: an entry leaves these values for those.
type move[T kit.Object] struct {
	in       *index[T]
	from, to []string
}

func (m move[T]) carryOut(e *entry[T]) {
	for _, value := range m.from {
		m.in.remove(value, e)
	}
	for _, value := range m.to {
		m.in.insert(value, e)
	}
}

// moves appends to room, which the caller has on its stack, what it takes to have
// obj in the place of the object of e, if there is an e. x.mu is held.
//
// It is tempting to compare no more than the first values: one is what most
// IndexFuncs return. A pod that has moved from [a] to [a b] must be found under b.
func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			return nil, err
		}
		var from []string
		if e != nil {
			if from, err = in.of(e.obj); err != nil {
				return nil, err
			}
		}
		if !slices.Equal(from, to) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}

// departures appends to room what it takes to have e in no index. x.mu is held.
func (x *Indexer[T]) departures(room []move[T], e *entry[T]) ([]move[T], error) {
	for _, in := range x.indices {
		from, err := in.of(e.obj)
		if err != nil {
			return nil, err
		}
		room = append(room, move[T]{in: in, from: from})
	}
	return room, nil
}

// of is the values of obj in this index.
func (in *index[T]) of(obj T) ([]string, error) {
	values, err := in.values(obj)
	if err != nil {
		return nil, fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err)
	}
	return values, nil
}

func (in *index[T]) insert(value string, e *entry[T]) {
	s := in.sets[value]
	if s == nil {
		s = make(set[T])
		in.sets[value] = s
	}
	s[e] = struct{}{}
}

// remove takes e out of the set of value. A set that is empty goes, too: an index by
// something that is new in every object, such as a UID, would otherwise grow for as
// long as the process lives (kubernetes#84959).
func (in *index[T]) remove(value string, e *entry[T]) {
	s := in.sets[value]
	delete(s, e)
	if len(s) == 0 {
		delete(in.sets, value)
	}
}

// Replace makes the objects of list all there are. It builds everything new aside,
// and puts it in place when nothing can fail any longer.
func (x *Indexer[T]) Replace(list []T, _ string) error {
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		items[key] = &entry[T]{key, obj}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	indices := make(map[string]*index[T], len(x.indices))
	for name, old := range x.indices {
		in, err := build(name, old.values, items)
		if err != nil {
			return err
		}
		indices[name] = in
	}
	x.items, x.indices = items, indices
	return nil
}

// build makes an index of items.
func build[T kit.Object](name string, values kit.IndexFunc[T], items map[string]*entry[T]) (*index[T], error) {
	in := newIndex(name, values)
	for _, e := range items {
		to, err := in.of(e.obj)
		if err != nil {
			return nil, err
		}
		for _, value := range to {
			in.insert(value, e)
		}
	}
	return in, nil
}

// AddIndexers adds indices, all of them or none.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
	}
	maps.Copy(x.indices, added)
	return nil
}
