package reflectortest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var models = []conform.Case[Subject]{
	{
		Name:   "converges",
		Long:   true,
		Points: 5,
		Func:   "Reflector.Run",
		Look:   []string{"Reflector.ListAndWatch"},
		Rule:   "Whatever breaks, and in any order, once the server is well again the store has exactly the server's objects.",
		Why:    "This is the purpose of all other rules. A cache that is wrong by one object stays wrong until the next list, which may be days away.",
		Hint: []string{
			"This is the shortest failing history that was found. Which event is in no list and in no watch?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Reflector makes a store reflect what an API server has",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 300, func(rt *rapid.T, t *conform.T) { converge(rt, t, open()) })
		},
	},
}

// quick is a backoff that lets many breaks pass in little of the model checker's time.
var quick = kit.Backoff{Duration: time.Millisecond, Factor: 2, Steps: 4, Cap: 4 * time.Millisecond}

func converge(rt *rapid.T, t *conform.T, subject Subject) {
	st := newStore(t)
	c := newCluster(t, st)
	_, _, cancel := start(t, subject, c, st, Options{Backoff: quick, ResyncPeriod: 3 * time.Millisecond})
	for range rapid.IntRange(5, 40).Draw(rt, "steps") {
		c.step(rt)
	}
	c.heal()
	time.Sleep(25 * time.Millisecond)
	t.Wait()
	if lost := difference(c.state(), st.state()); lost != "" {
		t.Fatalf("The server is well again, and the store does not have what the server has: %s.", lost)
	}
	cancel()
	t.Join()
}

// state is what the calls so far add up to.
func (s *store) state() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.content)
}

// difference is where a store does not have what a server has, "" if it has exactly that.
func difference(server, store map[string]string) string {
	var all []string
	for _, name := range []string{"a", "b", "c"} {
		there, exists := server[name]
		here, stored := store[name]
		switch {
		case exists && !stored:
			all = append(all, fmt.Sprintf("the server has %s@%s, and the store has no %s", name, there, name))
		case stored && !exists:
			all = append(all, fmt.Sprintf("the store has %s@%s, and on the server %s was deleted", name, here, name))
		case here != there:
			all = append(all, fmt.Sprintf("the server has %s@%s, and the store has %s@%s", name, there, name, here))
		}
	}
	return strings.Join(all, "; ")
}

// cluster is a small API server that breaks on demand.
type cluster struct {
	t     *conform.T
	actor *conform.Actor

	mu        sync.Mutex // guards the fields below
	version   int
	content   map[string]string
	history   []kit.Event[*kit.Pod] // every change above compacted, in order
	compacted int
	refused   int     // so many requests more are refused
	fault     error   // with this
	live      *stream // the open watch, nil if there is none
	watches   int

	store  *store
	states map[int]map[string]string // the content at each version
}

func newCluster(t *conform.T, st *store) *cluster {
	nothing := map[string]string{}
	return &cluster{
		t: t, actor: t.Named("cluster"), version: 10, compacted: 10, content: nothing,
		store: st, states: map[int]map[string]string{10: maps.Clone(nothing)},
	}
}

// refuse counts down the requests that are refused. The caller holds mu.
func (c *cluster) refuse() error {
	if c.refused == 0 {
		return nil
	}
	c.refused--
	return c.fault
}

// List is the content, or what is refused. A version that was compacted away is
// refused too, as a server with a list that goes on may do.
func (c *cluster) List(_ context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	call := c.actor.Call("list %q", o.ResourceVersion)
	c.mu.Lock()
	defer c.mu.Unlock()
	list, err := c.list(o)
	if err != nil {
		call.Returned("%v", err)
	} else {
		call.Returned("%v at version %s", list.Items, list.ResourceVersion)
	}
	return list, err
}

// list is what List answers. The caller holds mu.
func (c *cluster) list(o kit.ListOptions) (kit.List[*kit.Pod], error) {
	if err := c.refuse(); err != nil {
		return kit.List[*kit.Pod]{}, err
	}
	if n, err := strconv.Atoi(o.ResourceVersion); err == nil && n > 0 && n < c.compacted {
		return kit.List[*kit.Pod]{}, errExpired
	}
	list := kit.List[*kit.Pod]{ResourceVersion: strconv.Itoa(c.version)}
	for _, name := range slices.Sorted(maps.Keys(c.content)) {
		list.Items = append(list.Items, pod(name, c.content[name]))
	}
	return list, nil
}

// Watch replays what came after the version and goes on from there.
func (c *cluster) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	call := c.actor.Call("watch %q", o.ResourceVersion)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refuse(); err != nil {
		call.Returned("%v", err)
		return nil, err
	}
	from, err := strconv.Atoi(o.ResourceVersion)
	if err != nil || from < c.compacted {
		call.Returned("%v", errExpired)
		return nil, errExpired
	}
	c.watches++
	call.Returned("watch %d", c.watches)
	if lost := difference(c.states[from], c.store.state()); lost != "" {
		c.actor.Breaks("A watch from %d brings nothing that was before %d. By then %s.", from, from, lost)
	}
	w := newStream(ctx, c.actor, c.watches, 0)
	for _, e := range c.history {
		if number(e) > from {
			w.send(e)
		}
	}
	c.live = w
	return w, nil
}

func number(e kit.Event[*kit.Pod]) int {
	n, _ := strconv.Atoi(e.Object.ResourceVersion) // our own numbers
	return n
}

// step does one thing that a cluster does, or that happens to it.
func (c *cluster) step(rt *rapid.T) {
	switch rapid.SampledFrom([]string{"write", "write", "write", "delete", "delete", "bookmark", "cut", "fail", "refuse", "compact", "compact", "time", "time"}).Draw(rt, "step") {
	case "write":
		c.write(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name"))
	case "delete":
		c.remove(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name"))
	case "bookmark":
		c.bookmark()
	case "cut":
		c.leave(func(w *stream) { w.end() })
	case "fail":
		err := rapid.SampledFrom([]*kit.StatusError{errExpired, errBusy, errInternal}).Draw(rt, "error")
		c.leave(func(w *stream) { w.fail(err) })
	case "refuse":
		c.trouble(rapid.IntRange(1, 3).Draw(rt, "requests"), rapid.SampledFrom([]error{errBusy, errRefused, errInternal, errTooLarge, errExpired}).Draw(rt, "error"))
	case "compact":
		c.compact()
	case "time":
		time.Sleep(time.Duration(rapid.IntRange(1, 3).Draw(rt, "ms")) * time.Millisecond)
		c.t.Wait()
	}
}

func (c *cluster) write(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	typ := kit.Added
	if _, exists := c.content[name]; exists {
		typ = kit.Modified
	}
	c.version++
	c.content[name] = strconv.Itoa(c.version)
	c.commit(event(typ, name, strconv.Itoa(c.version)))
}

func (c *cluster) remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, exists := c.content[name]; !exists {
		return
	}
	c.version++
	delete(c.content, name)
	c.commit(event(kit.Deleted, name, strconv.Itoa(c.version)))
}

// commit remembers a change and sends it. The caller holds mu.
func (c *cluster) commit(e kit.Event[*kit.Pod]) {
	c.actor.Note("on the server: %s", describe(e))
	c.history = append(c.history, e)
	c.states[c.version] = maps.Clone(c.content)
	if c.live != nil {
		c.live.send(e)
	}
}

func (c *cluster) bookmark() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		c.live.send(bookmark(strconv.Itoa(c.version)))
	}
}

// leave ends the open watch, if there is one, in the given way.
func (c *cluster) leave(how func(w *stream)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		how(c.live)
		c.live = nil
	}
}

func (c *cluster) trouble(requests int, with error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.actor.Note("the next %d requests are refused: %v", requests, with)
	c.refused, c.fault = requests, with
}

// compact forgets how the present state came about.
func (c *cluster) compact() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.actor.Note("the history up to %d is compacted", c.version)
	c.compacted, c.history = c.version, nil
}

func (c *cluster) heal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.actor.Note("the cluster is well again")
	c.refused = 0
}

func (c *cluster) state() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.content)
}
