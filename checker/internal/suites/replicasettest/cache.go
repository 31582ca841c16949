package replicasettest

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// cache is a plain kit.Indexer without cleverness: an index is computed when it is asked.
// It remembers what each object looked like when it came in, so that it can say whether
// somebody has written to it.
type cache[T kit.Object] struct {
	typ  kit.Type[T]
	look func() // called after each look at many objects, with what was seen already decided; nil for nothing

	mu      sync.RWMutex // guards everything below
	items   map[string]T
	came    map[string]T // copies
	indices map[string]kit.IndexFunc[T]
}

var _ kit.Indexer[*kit.Pod] = (*cache[*kit.Pod])(nil)

func newCache[T kit.Object](typ kit.Type[T]) *cache[T] {
	return &cache[T]{typ: typ, items: map[string]T{}, came: map[string]T{}, indices: map[string]kit.IndexFunc[T]{}}
}

func (c *cache[T]) Add(obj T) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[kit.Key(obj)], c.came[kit.Key(obj)] = obj, c.typ.DeepCopy(obj)
	return nil
}

func (c *cache[T]) Update(obj T) error { return c.Add(obj) }

func (c *cache[T]) Delete(obj T) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, kit.Key(obj))
	return nil
}

func (c *cache[T]) Replace(list []T, _ string) error {
	c.mu.Lock()
	clear(c.items)
	c.mu.Unlock()
	for _, obj := range list {
		_ = c.Add(obj)
	}
	return nil
}

func (c *cache[T]) GetByKey(key string) (obj T, exists bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	obj, exists = c.items[key]
	return obj, exists
}

func (c *cache[T]) Get(obj T) (item T, exists bool) { return c.GetByKey(kit.Key(obj)) }

func (c *cache[T]) List() []T { return c.where(func(T) bool { return true }) }

func (c *cache[T]) ListKeys() []string { return keysOf(c.List()) }

func (c *cache[T]) Index(name string, obj T) ([]T, error) {
	index, err := c.index(name)
	if err != nil {
		return nil, err
	}
	values, err := index(obj)
	if err != nil {
		return nil, err
	}
	return c.where(func(item T) bool {
		others, _ := index(item)
		return slices.ContainsFunc(others, func(v string) bool { return slices.Contains(values, v) })
	}), nil
}

func (c *cache[T]) ByIndex(name, value string) ([]T, error) {
	index, err := c.index(name)
	if err != nil {
		return nil, err
	}
	return c.where(func(item T) bool {
		values, _ := index(item)
		return slices.Contains(values, value)
	}), nil
}

func (c *cache[T]) IndexKeys(name, value string) ([]string, error) {
	items, err := c.ByIndex(name, value)
	return keysOf(items), err
}

func (c *cache[T]) ListIndexFuncValues(name string) []string {
	index, err := c.index(name)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for _, item := range c.List() {
		values, _ := index(item)
		for _, value := range values {
			seen[value] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func (c *cache[T]) AddIndexers(more map[string]kit.IndexFunc[T]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range more {
		if c.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	maps.Copy(c.indices, more)
	return nil
}

func (c *cache[T]) index(name string) (kit.IndexFunc[T], error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.indices[name] == nil {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return c.indices[name], nil
}

// where is every item for which match holds, by key. What happens in look comes too late
// for it.
func (c *cache[T]) where(match func(item T) bool) []T {
	found := slices.DeleteFunc(c.snapshot(), func(item T) bool { return !match(item) })
	if c.look != nil {
		c.look()
	}
	return found
}

func (c *cache[T]) snapshot() []T {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []T
	for _, key := range slices.Sorted(maps.Keys(c.items)) {
		all = append(all, c.items[key])
	}
	return all
}

// touched names an object that does not look as it came in, "" if there is none.
func (c *cache[T]) touched() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for key, item := range c.items {
		if !c.typ.Equal(item, c.came[key]) {
			return key
		}
	}
	return ""
}

func keysOf[T kit.Object](items []T) []string {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = kit.Key(item)
	}
	return keys
}
