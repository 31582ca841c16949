//go:build ignore

// Mistake: An update that leaves all values alone moves nothing in an index, so it may swap the object under the
//   read lock, in one atomic step.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package indexer

import (
	"slices"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type entry[T kit.Object] struct {
	key string
	obj atomic.Pointer[T]
}

func newEntry[T kit.Object](key string, obj T) *entry[T] {
	e := &entry[T]{key: key}
	e.obj.Store(&obj)
	return e
}

func (x *Indexer[T]) swapped(key string, obj T) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, exists := x.items[key]
	if !exists {
		return false
	}
	var room [4]move[T]
	moves, err := x.moves(room[:0], e, obj)
	if err != nil || len(moves) > 0 {
		return false
	}
	e.obj.Store(&obj)
	return true
}

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	if x.swapped(key, obj) {
		return nil
	}
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
	e.obj.Store(&obj)
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			return nil, err
		}
		var from []string
		if e != nil {
			if from, err = in.of(*e.obj.Load()); err != nil {
				return nil, err
			}
		}
		if !slices.Equal(from, to) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}

func (x *Indexer[T]) departures(room []move[T], e *entry[T]) ([]move[T], error) {
	for _, in := range x.indices {
		from, err := in.of(*e.obj.Load())
		if err != nil {
			return nil, err
		}
		room = append(room, move[T]{in: in, from: from})
	}
	return room, nil
}

func (x *Indexer[T]) Replace(list []T, _ string) error {
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		items[key] = newEntry(key, obj)
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

func build[T kit.Object](name string, values kit.IndexFunc[T], items map[string]*entry[T]) (*index[T], error) {
	in := newIndex(name, values)
	for _, e := range items {
		to, err := in.of(*e.obj.Load())
		if err != nil {
			return nil, err
		}
		for _, value := range to {
			in.insert(value, e)
		}
	}
	return in, nil
}

func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, exists := x.items[key]
	if !exists {
		return obj, false
	}
	return *e.obj.Load(), true
}

func (x *Indexer[T]) List() []T {
	x.mu.RLock()
	defer x.mu.RUnlock()
	list := make([]T, 0, len(x.items))
	for _, e := range x.items {
		list = append(list, *e.obj.Load())
	}
	return list
}

func (s set[T]) objects() []T {
	list := make([]T, 0, len(s))
	for e := range s {
		list = append(list, *e.obj.Load())
	}
	return list
}
