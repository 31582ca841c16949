package fake

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Informer brings what happens to the objects of a Resource to a Cache and a handler: when
// the case calls Deliver or CatchUp, and not earlier; or, from Run on, as soon as it
// happens. So it lags as far behind the server as the case likes.
type Informer[T kit.Object] struct {
	Cache *Cache[T]

	resource *Resource[T]
	t        *conform.T
	actor    *conform.Actor

	turn    sync.Mutex // held during each delivery: the handler is called by one goroutine at a time
	handler kit.ResourceEventHandler[T]

	// guarded by resource.server.mu
	inbox  []news[T]
	first  bool // there was no list yet
	broken bool // the next delivery is a list
	deaf   bool // what happens now is not heard of

	drive driver
}

// news is one thing that an informer has to bring.
type news[T kit.Object] struct {
	event  kit.Event[T]
	resync string        // the key of an object that is brought again; "" for none
	told   chan struct{} // closed when it is reached; nil if nobody waits
}

// NewInformer is an informer that has to list what there is. It hears of every change.
func NewInformer[T kit.Object](r *Resource[T]) *Informer[T] {
	i := &Informer[T]{
		Cache: NewCache(r.typ), resource: r, t: r.server.t, actor: r.server.t.Named("%s informer", r.typ.Resource),
		handler: kit.ResourceEventHandlerFuncs[T]{}, drive: newDriver(),
	}
	i.Cache.actor = r.server.t.Named("%s cache", r.typ.Resource)
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	i.broken, i.first = len(r.objects) > 0, len(r.objects) > 0
	r.informers = append(r.informers, i)
	return i
}

// Handle makes h the handler. Before, only the cache hears of what is delivered.
func (i *Informer[T]) Handle(h kit.ResourceEventHandler[T]) {
	i.turn.Lock()
	defer i.turn.Unlock()
	i.handler = h
}

// hear is called with every change, and the server's lock held.
func (i *Informer[T]) hear(event kit.Event[T]) {
	if i.deaf {
		return
	}
	event.Object = i.resource.typ.DeepCopy(event.Object)
	i.add(news[T]{event: event})
}

// add appends a piece of news. The server's lock is held.
func (i *Informer[T]) add(n news[T]) {
	i.inbox = append(i.inbox, n)
	i.drive.ring()
}

// Deliver brings up to n pieces of news: an event, a list, or a resync of one object.
func (i *Informer[T]) Deliver(n int) {
	i.turn.Lock()
	defer i.turn.Unlock()
	for range n {
		if !i.deliver() {
			return
		}
	}
}

// CatchUp brings all that there is.
func (i *Informer[T]) CatchUp() {
	i.turn.Lock()
	defer i.turn.Unlock()
	for i.deliver() {
	}
}

// Pending are the events that were not delivered yet.
func (i *Informer[T]) Pending() []kit.Event[T] {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	var events []kit.Event[T]
	for _, n := range i.inbox {
		if n.event.Type != "" {
			events = append(events, n.event)
		}
	}
	return events
}

// Lose forgets what was not delivered yet: the cache never hears of it.
func (i *Informer[T]) Lose() {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	i.loseEvents()
}

// loseEvents takes the events out of the inbox. The server's lock is held.
func (i *Informer[T]) loseEvents() {
	i.inbox = slices.DeleteFunc(i.inbox, func(n news[T]) bool { return n.event.Type != "" })
}

// Break breaks the watch while something happens, or for a moment if that is nil. What was
// not delivered yet and what happens meanwhile is not heard of: in its place comes a list,
// and the handler is notified of the difference between that and the cache.
func (i *Informer[T]) Break(meanwhile func()) {
	i.setDeaf(true)
	if meanwhile != nil {
		meanwhile()
	}
	i.setDeaf(false)
}

func (i *Informer[T]) setDeaf(deaf bool) {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	i.deaf, i.broken = deaf, !deaf
	i.loseEvents()
	i.drive.ring()
}

// Relist breaks the watch for a moment and delivers the list.
func (i *Informer[T]) Relist() {
	i.actor.Note("the watch of %s breaks, and they are listed anew", i.resource.typ.Resource)
	i.Break(nil)
	i.Deliver(1)
}

// Bring brings an object at once, whatever the server has: as an event that the case has
// made up.
func (i *Informer[T]) Bring(obj T) {
	i.turn.Lock()
	defer i.turn.Unlock()
	i.store(obj, obj.GetResourceVersion(), false)
}

// Resync brings an object of the cache again though nothing has happened, after all that
// was not delivered yet.
func (i *Informer[T]) Resync(key string) {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	i.add(news[T]{resync: key})
}

// deliver brings one piece of news, and returns false if there is none.
func (i *Informer[T]) deliver() bool {
	list, n, any := i.next()
	switch {
	case !any:
		return false
	case list != nil:
		i.replace(*list)
	case n.told != nil:
		close(n.told)
	case n.resync != "":
		i.again(n.resync)
	case n.event.Type == kit.Deleted:
		i.drop(n.event.Object, n.event.Object.GetResourceVersion(), false)
	default:
		i.store(n.event.Object, n.event.Object.GetResourceVersion(), false)
	}
	return true
}

// next takes what is to be brought next: a list, or a piece of news.
func (i *Informer[T]) next() (list *initialList[T], n news[T], any bool) {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	if i.broken {
		return i.list(), n, true
	}
	if len(i.inbox) == 0 {
		return nil, n, false
	}
	n, i.inbox = i.inbox[0], i.inbox[1:]
	return nil, n, true
}

// initialList is a list, and whether it is the first.
type initialList[T kit.Object] struct {
	kit.List[T]
	first bool
}

// list says how things stand. Events that came before it are in it. The server's lock is held.
func (i *Informer[T]) list() *initialList[T] {
	i.loseEvents()
	list := &initialList[T]{first: i.first}
	list.ResourceVersion = strconv.FormatInt(i.resource.server.version, 10)
	for _, obj := range i.resource.standing() {
		list.Items = append(list.Items, i.resource.typ.DeepCopy(obj))
	}
	i.broken, i.first = false, false
	return list
}

// replace brings the difference between the cache and a list.
func (i *Informer[T]) replace(list initialList[T]) {
	gone := map[string]T{}
	for _, obj := range i.Cache.Items() {
		gone[kit.Key(obj)] = obj
	}
	for _, obj := range list.Items {
		old, had := gone[kit.Key(obj)]
		delete(gone, kit.Key(obj))
		if !had || old.GetResourceVersion() != obj.GetResourceVersion() {
			i.store(obj, list.ResourceVersion, list.first)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		i.drop(gone[key], list.ResourceVersion, true)
	}
	i.Cache.reach(list.ResourceVersion)
}

func (i *Informer[T]) store(obj T, version string, initial bool) {
	show := i.resource.Show
	if old, had := i.Cache.store(obj, version); had {
		i.actor.Do(func() { i.handler.OnUpdate(old, obj) }, "OnUpdate(%s → %s)", show(old), show(obj))
	} else {
		i.actor.Do(func() { i.handler.OnAdd(obj, initial) }, "OnAdd(%s)", show(obj))
	}
}

func (i *Informer[T]) drop(obj T, version string, unknown bool) {
	if i.Cache.drop(kit.Key(obj), version) {
		i.actor.Do(func() { i.handler.OnDelete(obj, unknown) }, "OnDelete(%s, final state unknown: %t)", i.resource.Show(obj), unknown)
	}
}

func (i *Informer[T]) again(key string) {
	if obj, known := i.Cache.find(key); known {
		i.actor.Do(func() { i.handler.OnUpdate(obj, obj) }, "OnUpdate(%s), a resync", i.resource.Show(obj))
	}
}
