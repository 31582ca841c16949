package informertest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// cluster is an API server with nothing but pods, as a kit.ListerWatcher. What happens
// in it is what the case says. It never waits for a watcher.
type cluster struct {
	mu      sync.Mutex // guards everything below
	version int
	pods    map[string]*kit.Pod
	lost    bool          // watches do not hear of changes
	log     []entry       // what watches hear, the oldest first
	changed chan struct{} // closed, and made anew, when log grows
	lists   int           // how many lists were served
	closed  chan struct{} // lists wait until it is closed; nil for never
}

// entry is an event, or the end of all watches that are under way.
type entry struct {
	event   kit.Event[*kit.Pod]
	version int
	cut     bool
}

var _ kit.ListerWatcher[*kit.Pod] = (*cluster)(nil)

// newCluster is a cluster in which these pods stand, at the versions 1, 2, 3…
func newCluster(names ...string) *cluster {
	c := &cluster{pods: map[string]*kit.Pod{}, changed: make(chan struct{})}
	for _, name := range names {
		c.apply(name)
	}
	return c
}

// put adds or modifies a pod.
func (c *cluster) put(a *conform.Actor, name string) {
	p := c.apply(name)
	a.Note("in the cluster: %s is written", show(p))
}

func (c *cluster) apply(name string) *kit.Pod {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	what := kit.Modified
	if c.pods[name] == nil {
		what = kit.Added
	}
	p := pod(name, c.version)
	c.pods[name] = p
	c.tell(kit.Event[*kit.Pod]{Type: what, Object: p})
	return p
}

// delete deletes a pod that there is. The event carries it as it stood last, with the
// version of the deletion.
func (c *cluster) delete(a *conform.Actor, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	delete(c.pods, name)
	p := pod(name, c.version)
	c.tell(kit.Event[*kit.Pod]{Type: kit.Deleted, Object: p})
	a.Note("in the cluster: %s is deleted", show(p))
}

// announce sends an event that says what it says, whatever the cluster looks like.
func (c *cluster) announce(a *conform.Actor, what kit.EventType, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	p := pod(name, c.version)
	c.pods[name] = p
	c.tell(kit.Event[*kit.Pod]{Type: what, Object: p})
	a.Note("in the cluster: an event %s %s", what, show(p))
}

// unseen makes changes of which no watch hears.
func (c *cluster) unseen(change func()) {
	c.setLost(true)
	defer c.setLost(false)
	change()
}

func (c *cluster) setLost(lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = lost
}

// expire ends all watches with 410 Gone: a client that gets that has to list again.
func (c *cluster) expire(a *conform.Actor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.Note("in the cluster: every watch ends with 410 Gone")
	status := kit.NewResourceExpired("too old resource version").ErrStatus
	c.log = append(c.log, entry{event: kit.Event[*kit.Pod]{Type: kit.Error, Status: &status}, version: c.version, cut: true})
	c.wake()
}

// tell appends an event to the log. c.mu is held.
func (c *cluster) tell(e kit.Event[*kit.Pod]) {
	if !c.lost {
		c.log = append(c.log, entry{event: e, version: c.version})
		c.wake()
	}
}

func (c *cluster) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// holdLists makes lists wait until the returned function is called.
func (c *cluster) holdLists() (release func()) {
	closed := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = closed
	return func() { close(closed) }
}

// listed is how many lists were served.
func (c *cluster) listed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists
}

// state is what stands in the cluster, sorted: a@1 b@2.
func (c *cluster) state() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return showAll(slices.Collect(maps.Values(c.pods)))
}

// List returns the pods, sorted by name.
func (c *cluster) List(ctx context.Context, _ kit.ListOptions) (kit.List[*kit.Pod], error) {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed != nil {
		select {
		case <-closed:
		case <-ctx.Done():
			return kit.List[*kit.Pod]{}, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists++
	list := kit.List[*kit.Pod]{ResourceVersion: strconv.Itoa(c.version)}
	for _, name := range slices.Sorted(maps.Keys(c.pods)) {
		list.Items = append(list.Items, c.pods[name])
	}
	return list, nil
}

// Watch starts a watch from a version: what is in the log after it, then what comes.
func (c *cluster) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	from, err := strconv.Atoi(options.ResourceVersion)
	if err != nil {
		return nil, fmt.Errorf("watch from %q: %w", options.ResourceVersion, err)
	}
	w := &watch{out: make(chan kit.Event[*kit.Pod]), stopped: make(chan struct{})}
	c.mu.Lock()
	now := len(c.log)
	c.mu.Unlock()
	go w.run(ctx, c, from, now)
	return w, nil
}

// at returns entry i of the log, and otherwise what will be closed when there is more.
func (c *cluster) at(i int) (e entry, ok bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i < len(c.log) {
		return c.log[i], true, nil
	}
	return entry{}, false, c.changed
}

type watch struct {
	out     chan kit.Event[*kit.Pod]
	once    sync.Once
	stopped chan struct{}
}

func (w *watch) Stop()                                  { w.once.Do(func() { close(w.stopped) }) }
func (w *watch) ResultChan() <-chan kit.Event[*kit.Pod] { return w.out }

// run sends what is younger than from. What has cut watches before now is not for this one.
func (w *watch) run(ctx context.Context, c *cluster, from, now int) {
	defer close(w.out)
	for i := 0; ; i++ {
		e, ok := w.next(ctx, c, i)
		if !ok {
			return
		}
		if e.cut && i < now || !e.cut && e.version <= from {
			continue
		}
		select {
		case w.out <- e.event:
		case <-w.stopped:
			return
		case <-ctx.Done():
			return
		}
		if e.cut {
			return
		}
	}
}

// next waits for entry i of the log.
func (w *watch) next(ctx context.Context, c *cluster, i int) (entry, bool) {
	for {
		e, ok, changed := c.at(i)
		if ok {
			return e, true
		}
		select {
		case <-changed:
		case <-w.stopped:
			return e, false
		case <-ctx.Done():
			return e, false
		}
	}
}

// pod is the pod of that name as it was at that version. It may have another namespace, as "other/a",
// or none, as "/a". Its generation is always the same, as if nothing but its status had changed.
func pod(name string, version int) *kit.Pod {
	namespace := "default"
	if before, after, slash := strings.Cut(name, "/"); slash {
		namespace, name = before, after
	}
	return &kit.Pod{ObjectMeta: kit.ObjectMeta{Namespace: namespace, Name: name, ResourceVersion: strconv.Itoa(version), Generation: 1}}
}

// key is the key of the pod of that name.
func key(name string) string { return "default/" + name }

// show is a pod as it stands in histories and expectations: a@3, other/a@3, /a@3.
func show(p *kit.Pod) string {
	if p == nil {
		return "nil"
	}
	name := p.Name
	if p.Namespace != "default" {
		name = p.Namespace + "/" + name
	}
	return name + "@" + p.ResourceVersion
}

func showAll(pods []*kit.Pod) []string {
	all := make([]string, len(pods))
	for i, p := range pods {
		all[i] = show(p)
	}
	slices.Sort(all)
	return all
}
