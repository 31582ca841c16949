package fake

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Cache is a kit.Indexer without cleverness: an index is computed when it is asked. It
// remembers what every object looked like when it came in, so that it can say whether
// somebody has written to one. Only its Informer writes to it: for everybody else Add,
// Update, Delete and Replace return an error. What is looked at in the cache of an Informer,
// and what was there, is in the history.
type Cache[T kit.Object] struct {
	// Show is what the history shows of an object that was found: nil for its key and version.
	// It is for the case to set before there is a look.
	Show func(obj T) string

	typ   kit.Type[T]
	actor *conform.Actor // nil for a cache of which no informer knows

	mu       sync.RWMutex // guards everything below
	version  string
	items    map[string]T
	came     map[string]T // copies
	indexers map[string]kit.IndexFunc[T]
	onLook   func()
}

var _ kit.Indexer[*kit.Pod] = (*Cache[*kit.Pod])(nil)

// NewCache is an empty cache of which no informer knows.
func NewCache[T kit.Object](typ kit.Type[T]) *Cache[T] {
	return &Cache[T]{typ: typ, version: "0", items: map[string]T{}, came: map[string]T{}, indexers: map[string]kit.IndexFunc[T]{}}
}

// Touched names the first object that does not look as it came in, and says how it has changed
// since: "the Pod shop/a: spec.image: "a" → "b"". It is "" if there is none.
func (c *Cache[T]) Touched() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, key := range slices.Sorted(maps.Keys(c.items)) {
		if !c.typ.Equal(c.items[key], c.came[key]) {
			return fmt.Sprintf("the %s %s: %s", c.typ.Kind, key, conform.Changes(c.came[key], c.items[key]))
		}
	}
	return ""
}

// Untouched requires that none of the objects in caches has changed while the subject was in a
// call, for which the sentence has a name: "Reconcile(shop/web)".
func Untouched(t *conform.T, call string, caches ...interface{ Touched() string }) {
	for _, c := range caches {
		if touched := c.Touched(); touched != "" {
			t.Fatalf("During %s your code wrote to an object of a cache, %s. Everybody who reads that cache gets the same object: make a DeepCopy before you change one.", call, touched)
		}
	}
}

// written says how an object of the cache, and no copy of it, has changed since it came in; it
// is "" for every other object. It reads what its caller has in hand, and nothing else.
func (c *Cache[T]) written(obj T) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	key := kit.Key(obj)
	if mine, known := c.items[key]; !known || any(mine) != any(obj) {
		return ""
	}
	return conform.Changes(c.came[key], obj)
}

// looked writes down what somebody saw.
func (c *Cache[T]) looked(saw any, format string, args ...any) {
	if c.actor != nil {
		c.actor.Call(format, args...).Returned("%v", saw)
	}
}

// shown is an object as the history has it.
func (c *Cache[T]) shown(obj T) any {
	if c.Show == nil {
		return obj
	}
	return c.Show(obj)
}

func (c *Cache[T]) allShown(found []T) any {
	const most = 20 // more than a history has room for
	if c.Show == nil {
		return found
	}
	texts := make([]string, min(len(found), most))
	for i := range texts {
		texts[i] = c.Show(found[i])
	}
	return texts
}

// Version is the resource version that the cache has reached.
func (c *Cache[T]) Version() string {
	version := c.reached()
	c.looked(version, "Version()")
	return version
}

func (c *Cache[T]) reached() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.version
}

// OnLook has f called after each look at many objects, when what was seen is decided.
func (c *Cache[T]) OnLook(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onLook = f
}

// Store puts an object into the cache, as an informer does.
func (c *Cache[T]) Store(obj T) { c.store(obj, obj.GetResourceVersion()) }

func (c *Cache[T]) store(obj T, version string) (old T, had bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := kit.Key(obj)
	old, had = c.items[key]
	c.items[key], c.came[key], c.version = obj, c.typ.DeepCopy(obj), version
	return old, had
}

// Drop takes an object out of the cache, as an informer does.
func (c *Cache[T]) Drop(key string) { c.drop(key, c.reached()) }

func (c *Cache[T]) drop(key, version string) (had bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, had = c.items[key]
	delete(c.items, key)
	delete(c.came, key)
	c.version = version
	return had
}

func (c *Cache[T]) reach(version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// Items are the objects in the cache, by key, for the case: nobody hears of this look.
func (c *Cache[T]) Items() []T {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []T
	for _, key := range slices.Sorted(maps.Keys(c.items)) {
		all = append(all, c.items[key])
	}
	return all
}

// GetByKey returns one object.
func (c *Cache[T]) GetByKey(key string) (obj T, exists bool) {
	obj, exists = c.find(key)
	if exists {
		c.looked(c.shown(obj), "GetByKey(%s)", key)
	} else {
		c.looked("not there", "GetByKey(%s)", key)
	}
	return obj, exists
}

func (c *Cache[T]) find(key string) (obj T, exists bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	obj, exists = c.items[key]
	return obj, exists
}

// Get returns what the cache has under the key of obj.
func (c *Cache[T]) Get(obj T) (item T, exists bool) { return c.GetByKey(kit.Key(obj)) }

// List returns all objects.
func (c *Cache[T]) List() []T { return c.where(func(T) bool { return true }, "List()") }

// ListKeys returns all keys.
func (c *Cache[T]) ListKeys() []string { return keysOf(c.List()) }

// Index returns the objects that have a value of obj in an index.
func (c *Cache[T]) Index(name string, obj T) ([]T, error) {
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
	}, "Index(%s, %v)", name, obj), nil
}

// ByIndex returns the objects that have a value in an index.
func (c *Cache[T]) ByIndex(name, value string) ([]T, error) {
	index, err := c.index(name)
	if err != nil {
		return nil, err
	}
	return c.where(func(item T) bool {
		values, _ := index(item)
		return slices.Contains(values, value)
	}, "ByIndex(%s, %s)", name, value), nil
}

// IndexKeys returns the keys of the objects that have a value in an index.
func (c *Cache[T]) IndexKeys(name, value string) ([]string, error) {
	items, err := c.ByIndex(name, value)
	return keysOf(items), err
}

// ListIndexFuncValues returns all values of an index.
func (c *Cache[T]) ListIndexFuncValues(name string) []string {
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

// AddIndexers adds indices. The name of each must be new.
func (c *Cache[T]) AddIndexers(more map[string]kit.IndexFunc[T]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range more {
		if c.indexers[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	maps.Copy(c.indexers, more)
	return nil
}

func (c *Cache[T]) index(name string) (kit.IndexFunc[T], error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.indexers[name] == nil {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return c.indexers[name], nil
}

// where is every item for which match holds, by key. What happens in onLook comes too late
// for it. The look is written down as the format says.
func (c *Cache[T]) where(match func(item T) bool, format string, args ...any) []T {
	found := slices.DeleteFunc(c.Items(), func(item T) bool { return !match(item) })
	slices.SortFunc(found, func(a, b T) int { return cmp.Compare(scattered(a), scattered(b)) })
	c.looked(c.allShown(found), format, args...)
	c.mu.RLock()
	onLook := c.onLook
	c.mu.RUnlock()
	if onLook != nil {
		onLook()
	}
	return found
}

// scattered is where an object comes in a list: always the same place, and one that has
// nothing to do with its name, for the map of a real cache has no order.
func scattered(obj kit.Object) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kit.Key(obj)))
	return h.Sum64()
}

func keysOf[T kit.Object](items []T) []string {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = kit.Key(item)
	}
	return keys
}

var errReadOnly = errors.New("nobody but its informer writes to a cache")

// Add returns an error.
func (c *Cache[T]) Add(T) error { return errReadOnly }

// Update returns an error.
func (c *Cache[T]) Update(T) error { return errReadOnly }

// Delete returns an error.
func (c *Cache[T]) Delete(T) error { return errReadOnly }

// Replace returns an error.
func (c *Cache[T]) Replace([]T, string) error { return errReadOnly }
