//go:build ignore

// Mistake: List keeps its last answer to copy it again as long as nothing was written. What is deleted stays in it
//   until the next List.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	version int
	last    atomic.Pointer[listed[T]]
}

type listed[T kit.Object] struct {
	version int
	list    []T
}

func (x *Indexer[T]) List() []T {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if last := x.last.Load(); last != nil && last.version == x.version {
		return slices.Clone(last.list)
	}
	list := make([]T, 0, len(x.items))
	for _, e := range x.items {
		list = append(list, e.obj)
	}
	x.last.Store(&listed[T]{x.version, list})
	return slices.Clone(list)
}

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
	x.version++
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
	x.version++
	delete(x.items, key)
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

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
	x.version++
	x.items, x.indices = items, indices
	return nil
}
