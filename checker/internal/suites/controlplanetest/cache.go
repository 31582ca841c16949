package controlplanetest

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// cache is the suite's own indexer: it shows what the server had when follow was last
// called, and so lags as long as a case likes. Look-ups are slow and plain.
type cache[T kit.Object] struct {
	typ kit.Type[T]

	mu       sync.Mutex // guards the fields below
	objects  map[string]T
	original map[string]T // what must not be changed
	indexers map[string]kit.IndexFunc[T]
}

var _ kit.Indexer[*kit.Pod] = (*cache[*kit.Pod])(nil)

func newCache[T kit.Object](typ kit.Type[T], indexers map[string]kit.IndexFunc[T]) *cache[T] {
	all := map[string]kit.IndexFunc[T]{}
	maps.Copy(all, indexers)
	return &cache[T]{typ: typ, objects: map[string]T{}, original: map[string]T{}, indexers: all}
}

// follow brings the cache up to what the server has.
func (c *cache[T]) follow(s *server[T]) {
	now := s.all()
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := map[string]T{}
	for _, obj := range now {
		key := kit.Key(obj)
		if old, known := c.objects[key]; known && old.GetResourceVersion() == obj.GetResourceVersion() {
			fresh[key] = old
			continue
		}
		fresh[key] = obj
		c.original[key] = c.typ.DeepCopy(obj)
	}
	c.objects = fresh
}

// untouched reports whether nobody has written to what the cache has handed out.
func (c *cache[T]) untouched() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, obj := range c.objects {
		if !c.typ.Equal(obj, c.original[key]) {
			return false
		}
	}
	return true
}

func (c *cache[T]) GetByKey(key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	obj, exists := c.objects[key]
	return obj, exists
}

func (c *cache[T]) Get(obj T) (T, bool) { return c.GetByKey(kit.Key(obj)) }

func (c *cache[T]) List() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.objects))
}

func (c *cache[T]) ListKeys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.objects))
}

func (c *cache[T]) ByIndex(name, value string) ([]T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	index, exists := c.indexers[name]
	if !exists {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	var found []T
	for _, obj := range c.objects {
		values, err := index(obj)
		if err != nil {
			return nil, err
		}
		if slices.Contains(values, value) {
			found = append(found, obj)
		}
	}
	return found, nil
}

func (c *cache[T]) IndexKeys(name, value string) ([]string, error) {
	found, err := c.ByIndex(name, value)
	var keys []string
	for _, obj := range found {
		keys = append(keys, kit.Key(obj))
	}
	return keys, err
}

func (c *cache[T]) Index(name string, obj T) ([]T, error) {
	index, exists := c.indexers[name]
	if !exists {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	values, err := index(obj)
	if err != nil {
		return nil, err
	}
	var found []T
	for _, value := range values {
		some, err := c.ByIndex(name, value)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

func (c *cache[T]) ListIndexFuncValues(name string) []string {
	seen := map[string]bool{}
	for _, obj := range c.List() {
		if values, err := c.indexers[name](obj); err == nil {
			for _, value := range values {
				seen[value] = true
			}
		}
	}
	return slices.Collect(maps.Keys(seen))
}

func (c *cache[T]) AddIndexers(more map[string]kit.IndexFunc[T]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.indexers, more)
	return nil
}

// A cache is read-only to those that it is handed to.
func (c *cache[T]) Add(T) error               { return c.readOnly() }
func (c *cache[T]) Update(T) error            { return c.readOnly() }
func (c *cache[T]) Delete(T) error            { return c.readOnly() }
func (c *cache[T]) Replace([]T, string) error { return c.readOnly() }
func (c *cache[T]) readOnly() error           { return fmt.Errorf("nobody but the informer writes to a cache") }

// The indices that the contract names.
func byController(rs *kit.ReplicaSet) ([]string, error) {
	if owner := rs.ControllerOf(); owner != nil {
		return []string{owner.Kind + "/" + rs.Namespace + "/" + owner.Name}, nil
	}
	return nil, nil
}

func byNode(pod *kit.Pod) ([]string, error) {
	if pod.Spec.NodeName == "" {
		return nil, nil
	}
	return []string{pod.Spec.NodeName}, nil
}
