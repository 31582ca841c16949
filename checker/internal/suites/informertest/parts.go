package informertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Parts are what a subject is made of: plain and correct neighbours, so that a case is
// about the informer and nothing else. A subject that brings neighbours of its own, as
// client-go's does, takes ListerWatcher, Resync and OnPanic and leaves the rest.
type Parts struct {
	ListerWatcher kit.ListerWatcher[*kit.Pod]
	Resync        time.Duration
	OnPanic       func(value any)

	cache    *cache
	queue    *queue
	linger   time.Duration // how long Reflect goes on after ctx is done
	period   time.Duration // what Reflect was called with
	stranger string        // the type of the store that Reflect was called with, if that is not the Queue

	answers answers // of shouldResync
	a       *conform.Actor
}

func newParts(lw kit.ListerWatcher[*kit.Pod]) *Parts {
	known := &cache{pods: map[string]*kit.Pod{}}
	q := &queue{known: known, items: map[string]kit.Deltas[*kit.Pod]{}}
	q.arrived.L = &q.mu
	return &Parts{ListerWatcher: lw, cache: known, queue: q}
}

// shown has the history of t show what the subject asks of the parts.
func (p *Parts) shown(t *conform.T) {
	p.a, p.cache.a, p.queue.a = t.Named("Reflect"), t.Named("Indexer"), t.Named("Queue")
}

// quiet has the history show nothing of what the subject asks of the parts.
func (p *Parts) quiet() *Parts {
	nobody := &conform.Actor{}
	p.a, p.cache.a, p.queue.a = nobody, nobody, nobody
	p.cache.silent, p.queue.silent = true, true
	return p
}

// Indexer is the subject's Indexer.
func (p *Parts) Indexer() kit.Indexer[*kit.Pod] { return p.cache }

// Queue is the subject's Queue.
func (p *Parts) Queue() kit.DeltaQueue[*kit.Pod] { return p.queue }

// Reflect is the subject's reflector: lists, watches, and lists again after an error.
func (p *Parts) Reflect(ctx context.Context, store kit.DeltaStore[*kit.Pod], resyncPeriod time.Duration, shouldResync func() bool) {
	defer p.a.Callback("Reflect(ctx, …, resync period %v)", resyncPeriod).Returned("")
	p.period = resyncPeriod
	if store != kit.DeltaStore[*kit.Pod](p.queue) {
		p.stranger = fmt.Sprintf("%T", store)
	}
	var resync <-chan time.Time
	if resyncPeriod > 0 {
		ticker := time.NewTicker(resyncPeriod)
		defer ticker.Stop()
		resync = ticker.C
	}
	f := follower{p.ListerWatcher, store, resync, func() bool {
		due := conform.Do(p.a, shouldResync, "shouldResync()")
		p.answers.note(due)
		return due
	}}
	for ctx.Err() == nil {
		f.listAndWatch(ctx)
	}
	if p.linger > 0 {
		time.Sleep(p.linger)
		p.a.Note("puts one last pod into the Queue")
		_ = store.Add(pod("last-gasp", 1))
	}
}

type follower struct {
	lw           kit.ListerWatcher[*kit.Pod]
	store        kit.DeltaStore[*kit.Pod]
	resync       <-chan time.Time
	shouldResync func() bool
}

// listAndWatch returns when ctx is done or a watch has ended. The fakes of this suite
// do not fail for any other reason.
func (f follower) listAndWatch(ctx context.Context) {
	list, err := f.lw.List(ctx, kit.ListOptions{})
	if err != nil {
		return
	}
	_ = f.store.Replace(list.Items, list.ResourceVersion)
	w, err := f.lw.Watch(ctx, kit.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		return
	}
	list = kit.List[*kit.Pod]{} //nolint:wastedassign // not to be kept alive for as long as the watch goes on
	defer w.Stop()
	for {
		select {
		case e, ok := <-w.ResultChan():
			if !ok || e.Type == kit.Error {
				return
			}
			f.keep(e)
		case <-f.resync:
			if f.shouldResync() {
				_ = f.store.Resync()
			}
		case <-ctx.Done():
			return
		}
	}
}

func (f follower) keep(e kit.Event[*kit.Pod]) {
	switch e.Type {
	case kit.Added:
		_ = f.store.Add(e.Object)
	case kit.Modified:
		_ = f.store.Update(e.Object)
	case kit.Deleted:
		_ = f.store.Delete(e.Object)
	}
}

// cache is a kit.Indexer without indices.
type cache struct {
	a    *conform.Actor
	mu   sync.RWMutex // guards pods
	pods map[string]*kit.Pod

	refuse atomic.Bool // the next write
	bad    string      // the pod that is not stored, as a@3
	ahead  func()      // called before a write
	around func()      // called before and after List and ListKeys look
	silent bool        // writes are not written down, and none of the above happens in them
}

var (
	errNoIndex = errors.New("informertest: this cache has no indices")
	errRefused = errors.New("informertest: this cache refuses the pod")
)

func (c *cache) Add(p *kit.Pod) error    { return c.set("Add", p) }
func (c *cache) Update(p *kit.Pod) error { return c.set("Update", p) }

func (c *cache) set(method string, p *kit.Pod) error {
	if c.silent {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pods[kit.Key(p)] = p
		return nil
	}
	return c.write(method+" "+show(p), func() { c.pods[kit.Key(p)] = p })
}

func (c *cache) Delete(p *kit.Pod) error {
	return c.write("Delete "+show(p), func() { delete(c.pods, kit.Key(p)) })
}

func (c *cache) Replace(list []*kit.Pod, _ string) error {
	return c.write(fmt.Sprintf("Replace %v", showAll(list)), func() {
		clear(c.pods)
		for _, p := range list {
			c.pods[kit.Key(p)] = p
		}
	})
}

func (c *cache) write(what string, f func()) (err error) {
	call := c.a.Callback("%s", what)
	defer func() { call.Returned("%v", err) }()
	if c.refuse.CompareAndSwap(true, false) || c.bad != "" && strings.HasSuffix(what, " "+c.bad) && !strings.HasPrefix(what, "Delete") {
		return errRefused
	}
	if c.ahead != nil {
		c.ahead()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	return nil
}

func (c *cache) List() []*kit.Pod {
	call := c.a.Callback("List()")
	if c.around != nil {
		c.around()
	}
	pods := c.list()
	if c.around != nil {
		c.around()
	}
	call.Returned("%s", list(showAll(pods)))
	return pods
}

func (c *cache) list() []*kit.Pod {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Collect(maps.Values(c.pods))
}

func (c *cache) ListKeys() []string {
	call := c.a.Callback("ListKeys()")
	if c.around != nil {
		c.around()
	}
	keys := c.listKeys()
	if c.around != nil {
		c.around()
	}
	call.Returned("%s", list(keys))
	return keys
}

func (c *cache) listKeys() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Sorted(maps.Keys(c.pods))
}

func (c *cache) GetByKey(key string) (*kit.Pod, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p, ok := c.pods[key]
	return p, ok
}

func (c *cache) Get(p *kit.Pod) (*kit.Pod, bool)                      { return c.GetByKey(kit.Key(p)) }
func (c *cache) Index(string, *kit.Pod) ([]*kit.Pod, error)           { return nil, errNoIndex }
func (c *cache) ByIndex(string, string) ([]*kit.Pod, error)           { return nil, errNoIndex }
func (c *cache) IndexKeys(string, string) ([]string, error)           { return nil, errNoIndex }
func (c *cache) ListIndexFuncValues(string) []string                  { return nil }
func (c *cache) AddIndexers(map[string]kit.IndexFunc[*kit.Pod]) error { return errNoIndex }

// queue is a kit.DeltaQueue that calls process under its lock, as a DeltaFIFO does.
type queue struct {
	a     *conform.Actor
	known *cache
	asked func() // called by HasSynced before it looks; may be nil

	closes time.Duration // how long Close goes on when the queue is closed
	copies bool          // Resync passes copies, each with a mark, of what is stored
	silent bool          // calls of process are not written down

	mu      sync.Mutex // guards everything below
	arrived sync.Cond
	items   map[string]kit.Deltas[*kit.Pod]
	keys    []string
	begun   bool
	initial int
	closed  bool
	dawdles time.Duration // how long Pop goes on after process has returned, without the lock
	ponders time.Duration // how long the next Pop keeps what it has taken, without the lock
}

func (q *queue) Add(p *kit.Pod) error    { return q.observe(kit.DeltaAdded, p) }
func (q *queue) Update(p *kit.Pod) error { return q.observe(kit.DeltaUpdated, p) }

func (q *queue) Delete(p *kit.Pod) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.begun = true
	if _, known := q.known.Get(p); known || len(q.items[kit.Key(p)]) > 0 {
		q.push(kit.Delta[*kit.Pod]{Type: kit.DeltaDeleted, Object: p})
	}
	return nil
}

func (q *queue) observe(what kit.DeltaType, p *kit.Pod) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.begun = true
	q.push(kit.Delta[*kit.Pod]{Type: what, Object: p})
	return nil
}

// push appends a delta to those of its key. q.mu is held.
func (q *queue) push(d kit.Delta[*kit.Pod]) {
	key := kit.Key(d.Object)
	if len(q.items[key]) == 0 {
		q.keys = append(q.keys, key)
		q.arrived.Signal()
	}
	q.items[key] = append(q.items[key], d)
}

// inject queues deltas of one object that none of the other methods would queue.
func (q *queue) inject(deltas ...kit.Delta[*kit.Pod]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, d := range deltas {
		q.push(d)
	}
}

func (q *queue) Replace(list []*kit.Pod, _ string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	gone := map[string]*kit.Pod{}
	for _, p := range q.known.list() {
		gone[kit.Key(p)] = p
	}
	for key, deltas := range q.items {
		gone[key] = deltas.Newest().Object
	}
	for _, p := range list {
		delete(gone, kit.Key(p))
		q.push(kit.Delta[*kit.Pod]{Type: kit.DeltaReplaced, Object: p})
	}
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		q.push(kit.Delta[*kit.Pod]{Type: kit.DeltaDeleted, Object: gone[key], FinalStateUnknown: true})
	}
	if !q.begun {
		q.begun, q.initial = true, len(q.keys)
	}
	return nil
}

func (q *queue) Resync() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, key := range q.known.listKeys() {
		if p, ok := q.known.GetByKey(key); ok && len(q.items[key]) == 0 {
			if q.copies {
				p = marked(p)
			}
			q.push(kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: p})
		}
	}
	return nil
}

// marked is a copy of a pod with the next mark.
func marked(p *kit.Pod) *kit.Pod {
	c := p.DeepCopy()
	c.Annotations = map[string]string{"copy": strconv.Itoa(mark(p) + 1)}
	return c
}

// mark is how many copies lie between a pod and what a list or a watch brought.
func mark(p *kit.Pod) int {
	n, _ := strconv.Atoi(p.Annotations["copy"])
	return n
}

func (q *queue) Pop(process kit.PopProcessFunc[*kit.Pod]) (kit.Deltas[*kit.Pod], error) {
	deltas, rest, err := q.pop(process)
	time.Sleep(rest)
	return deltas, err
}

// pop is Pop, without what follows it for rest.
func (q *queue) pop(process kit.PopProcessFunc[*kit.Pod]) (_ kit.Deltas[*kit.Pod], rest time.Duration, _ error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			q.a.Note("Pop returns ErrFIFOClosed")
			return nil, q.dawdles, kit.ErrFIFOClosed
		}
		q.arrived.Wait()
	}
	key := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.items[key]
	delete(q.items, key)
	initial := q.initial > 0
	if initial {
		q.initial--
	}
	q.pause()
	if q.silent {
		return deltas, q.dawdles, process(deltas, initial)
	}
	call := q.a.Call("Pop calls process(%s, %t)", said(deltas), initial)
	err := process(deltas, initial)
	call.Returned("%v", err)
	return deltas, q.dawdles, err
}

// linger has each Pop go on for a while after process has returned.
func (q *queue) linger(d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dawdles = d
}

// ponder has the next Pop keep what it has taken for a while.
func (q *queue) ponder(d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ponders = d
}

// pause lets go of q.mu for as long as ponder has said.
func (q *queue) pause() {
	d := q.ponders
	if q.ponders = 0; d == 0 {
		return
	}
	q.mu.Unlock()
	time.Sleep(d)
	q.mu.Lock()
}

// said is deltas as the history shows them.
func said(deltas kit.Deltas[*kit.Pod]) string {
	all := make([]string, len(deltas))
	for i, d := range deltas {
		all[i] = fmt.Sprintf("%s %s", d.Type, show(d.Object))
	}
	return list(all)
}

func (q *queue) HasSynced() bool {
	if q.asked != nil {
		q.asked()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.begun && q.initial == 0
}

func (q *queue) Close() {
	defer q.a.Callback("Close()").Returned("")
	q.close()
	time.Sleep(q.closes)
}

func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.arrived.Broadcast()
}

// answers counts what shouldResync has answered. A subject that brings its own reflector is
// not asked.
type answers struct {
	mu       sync.Mutex // guards the fields below
	all, yes int
}

func (a *answers) note(due bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all++
	if due {
		a.yes++
	}
}

// were requires how often shouldResync was true. The sentence says what was due.
func (a *answers) were(t *conform.T, asked, agreed int, sentence string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t.Require(a.all == 0 || a.yes == agreed, "%s Of %d calls of shouldResync %d should have returned true, and %d of %d did: it reports whether any handler's resync is due.", sentence, asked, agreed, a.yes, a.all)
}
