package indexer

import (
	"fmt"
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Get returns the stored object with the key of obj.
func (x *Indexer[T]) Get(obj T) (item T, exists bool) { return x.GetByKey(kit.Key(obj)) }

// GetByKey returns the stored object with that key.
func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, exists := x.items[key]
	if !exists {
		return obj, false
	}
	return e.obj, true
}

// List returns all objects. Taking the lock is what makes it a list of one moment:
// every write happens before it, whole, or after it.
func (x *Indexer[T]) List() []T {
	x.mu.RLock()
	defer x.mu.RUnlock()
	list := make([]T, 0, len(x.items))
	for _, e := range x.items {
		list = append(list, e.obj)
	}
	return list
}

// ListKeys returns the keys of all objects.
func (x *Indexer[T]) ListKeys() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.AppendSeq(make([]string, 0, len(x.items)), maps.Keys(x.items))
}

// Index returns the stored objects that share a value with obj.
func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	values, err := in.of(obj)
	if err != nil {
		return nil, err
	}
	if len(values) == 1 {
		return in.sets[values[0]].objects(), nil // nothing can be in it twice
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}

// ByIndex returns the objects under indexedValue. It is tempting to keep them as a
// slice and to return that; the next write would then change what the caller holds.
func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	return in.sets[indexedValue].objects(), nil
}

// IndexKeys returns the keys of the objects under indexedValue.
func (x *Indexer[T]) IndexKeys(indexName, indexedValue string) ([]string, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	found := in.sets[indexedValue]
	keys := make([]string, 0, len(found))
	for e := range found {
		keys = append(keys, e.key)
	}
	return keys, nil
}

// ListIndexFuncValues returns the values under which an index has objects.
func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil
	}
	return slices.Collect(maps.Keys(in.sets))
}

// index finds an index by name. x.mu is held.
func (x *Indexer[T]) index(name string) (*index[T], error) {
	in, ok := x.indices[name]
	if !ok {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return in, nil
}

// objects copies the objects of a set. The lock of the indexer is held: an entry's
// object is what the next update changes.
func (s set[T]) objects() []T {
	list := make([]T, 0, len(s))
	for e := range s {
		list = append(list, e.obj)
	}
	return list
}
