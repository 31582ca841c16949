package controlplane

import (
	"container/list"
	"time"
)

// remembered is how many events, groups of similar ones and objects a correlator knows.
const remembered = 4096

// similar is what similar events have in common, and same what the same events have.
type (
	similar struct{ kind, namespace, name, uid, typ, reason string }
	same    struct {
		similar
		message  string
		combined bool // stands for all similar ones; message is "" then
	}
	object struct{ kind, namespace, name, uid string }
)

// entry is one event at the API server, as far as the recorder knows.
type entry struct {
	namespace, name string // "" while it was not written
	message         string
	first           time.Time
	count           int
}

// group is what was seen of similar events lately.
type group struct {
	messages map[string]struct{} // SimilarEvents of them at most
	last     time.Time
}

// bucket is a token bucket: so many tokens at a time.
type bucket struct {
	tokens float64
	at     time.Time
}

// correlator decides which events are one. It belongs to one goroutine.
type correlator struct {
	entries *lru[same, *entry]
	groups  *lru[similar, *group]
	buckets *lru[object, *bucket]
}

func newCorrelator() *correlator {
	return &correlator{newLRU[same, *entry](remembered), newLRU[similar, *group](remembered), newLRU[object, *bucket](remembered)}
}

// correlate says which event o is, counted up already; nil if it is not to be written.
func (c *correlator) correlate(o occurrence) *entry {
	e := c.entry(o)
	e.count++
	if !c.allowed(o) {
		return nil
	}
	return e
}

func (c *correlator) entry(o occurrence) *entry {
	alike := similar{o.about.Kind, o.about.Namespace, o.about.Name, o.about.UID, o.typ, o.reason}
	key, message := same{similar: alike, message: o.message}, o.message
	if c.many(alike, o) {
		key, message = same{similar: alike, combined: true}, CombinedPrefix+o.message
	}
	e, known := c.entries.get(key)
	if !known {
		e = &entry{first: o.at}
		c.entries.put(key, e)
	}
	e.message = message
	return e
}

// many reports whether o is one of many similar events.
func (c *correlator) many(alike similar, o occurrence) bool {
	g, known := c.groups.get(alike)
	if !known || o.at.Sub(g.last) > SimilarInterval {
		g = &group{messages: map[string]struct{}{}}
		c.groups.put(alike, g)
	}
	g.last = o.at
	if len(g.messages) < SimilarEvents { // more need not be known
		g.messages[o.message] = struct{}{}
	}
	return len(g.messages) >= SimilarEvents
}

// allowed takes a token, if there is one.
func (c *correlator) allowed(o occurrence) bool {
	key := object{o.about.Kind, o.about.Namespace, o.about.Name, o.about.UID}
	b, known := c.buckets.get(key)
	if !known {
		b = &bucket{tokens: SpamBurst, at: o.at}
		c.buckets.put(key, b)
	}
	b.tokens = min(SpamBurst, b.tokens+float64(o.at.Sub(b.at))/float64(SpamRefill))
	b.at = o.at
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// lru is a map that forgets what was not asked for longest.
type lru[K comparable, V any] struct {
	size  int
	order *list.List // of pair[K, V], the newest in front
	items map[K]*list.Element
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newLRU[K comparable, V any](size int) *lru[K, V] {
	return &lru[K, V]{size, list.New(), map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K) (value V, known bool) {
	element, known := l.items[key]
	if !known {
		return value, false
	}
	l.order.MoveToFront(element)
	return element.Value.(pair[K, V]).value, true
}

func (l *lru[K, V]) put(key K, value V) {
	if old, known := l.items[key]; known {
		l.order.Remove(old)
	}
	l.items[key] = l.order.PushFront(pair[K, V]{key, value})
	if l.order.Len() > l.size {
		oldest := l.order.Remove(l.order.Back()).(pair[K, V])
		delete(l.items, oldest.key)
	}
}
