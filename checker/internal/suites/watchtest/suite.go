// Package watchtest is the conformance suite of lab 08.
//
// What it can miss: a gap at the seam of replay and live that thirty-two copies on
// this machine never meet; memory that is held for a watcher in small pieces, below
// what the heap shows; a Commit that waits, but never for a watcher.
//
// Two upstream bugs of watches are not seeded here: kubernetes#137398, a closed
// ResultChan read without its ok, is a mistake of readers and belongs to the
// reflector; events that are not flushed at once need a connection, and belong to
// the lab about HTTP.
package watchtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Source is the subject's Watchable.
type Source interface {
	kit.Journal[*kit.Pod]
	kit.ListerWatcher[*kit.Pod]
}

// Subject is lab 08 as the suite sees it.
type Subject struct {
	New func(window int, bookmarkEvery time.Duration) Source
}

// Lab describes lab 08 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "08-watch",
		Title:  "The watch",
		Builds: "watch from a version: replay then live, bookmarks, 410, and slow watchers that stall nobody",
		Files:  []string{"watchable.go", "watcher.go"},
		Imports: []string{
			"cmp", "container/list", "container/ring", "context", "errors", "fmt", "maps", "math", "math/rand/v2",
			"slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time",
		},
		Cases: conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// store commits changes to a Watchable as a store does: one at a time, under its
// lock, with rising versions. It remembers them all: that is what a watch that
// misses nothing would have seen.
type store struct {
	source Source
	window int

	mu      sync.Mutex // guards the fields below
	version uint64
	stride  uint64 // how far apart two versions lie
	pods    map[string]*kit.Pod
	log     []change
}

// change is one change as the store committed it.
type change struct {
	what      kit.EventType
	namespace string
	key       string
	version   uint64
}

func (c change) String() string { return fmt.Sprintf("%s %s@%d", c.what, c.key, c.version) }

func start(t *conform.T, s Subject, window int) *store { return startWith(t, s, window, time.Minute) }

func startWith(t *conform.T, s Subject, window int, every time.Duration) *store {
	call := t.Call("New(Pods, {Window: %d, BookmarkEvery: %v})", window, every)
	source := s.New(window, every)
	call.Returned("a Watchable")
	return &store{source: source, window: window, version: 1, stride: 1, pods: map[string]*kit.Pod{}}
}

// put adds or modifies a pod and returns the version of that.
func (s *store) put(a *conform.Actor, namespace, name string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version += s.stride
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = namespace, name, strconv.FormatUint(s.version, 10)
	p.Labels = map[string]string{"app": "web"}
	p.Spec.Tolerations = []string{"spot"}
	what := kit.Modified
	if s.pods[kit.Key(p)] == nil {
		what = kit.Added
	}
	s.pods[kit.Key(p)] = p
	s.commit(a, what, p)
	return s.version
}

// delete deletes a pod that there is.
func (s *store) delete(a *conform.Actor, namespace, name string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version += s.stride
	p := s.pods[kit.Key(&kit.ObjectMeta{Namespace: namespace, Name: name})].DeepCopy()
	p.ResourceVersion = strconv.FormatUint(s.version, 10)
	delete(s.pods, kit.Key(p))
	s.commit(a, kit.Deleted, p)
	return s.version
}

func (s *store) commit(a *conform.Actor, what kit.EventType, p *kit.Pod) {
	c := change{what, p.Namespace, kit.Key(p), s.version}
	s.log = append(s.log, c)
	call := a.Call("Commit(%s)", c)
	s.source.Commit(kit.Event[*kit.Pod]{Type: what, Object: p})
	call.Returned("")
}

// puts commits n changes to one pod.
func (s *store) puts(a *conform.Actor, n int, namespace, name string) {
	for range n {
		s.put(a, namespace, name)
	}
}

// after is what a watch of namespace from version has to bring.
func (s *store) after(version uint64, namespace string) []string {
	events := []string{}
	for _, c := range s.log {
		if c.version > version && (namespace == "" || namespace == c.namespace) {
			events = append(events, c.String())
		}
	}
	return events
}

// state is what a watch of namespace from "" has to begin with, sorted by key.
func (s *store) state(namespace string) []string {
	events := []string{}
	for key, p := range s.pods {
		if namespace == "" || namespace == p.Namespace {
			events = append(events, fmt.Sprintf("%s %s@%s", kit.Added, key, p.ResourceVersion))
		}
	}
	return events
}

// stream is a watch of the subject, with its calls written into the history.
type stream struct {
	a *conform.Actor
	w kit.Watch[*kit.Pod]
}

func (s *store) try(a *conform.Actor, ctx context.Context, o kit.ListOptions) (stream, error) {
	call := a.Call("Watch(%s)", options(o))
	w, err := s.source.Watch(ctx, o)
	if err != nil {
		call.Returned("%v", err)
		return stream{}, err
	}
	call.Returned("a watch")
	return stream{a, w}, nil
}

// watch begins a watch that has no reason to be refused.
func (s *store) watch(t *conform.T, o kit.ListOptions) stream {
	w, err := s.try(t.Actor, t.Context(), o)
	require.NoError(t, err, "Watch refused to begin although it had no reason to.")
	require.NotNil(t, w.w, "Watch returned neither a watch nor an error.")
	return w
}

func (s *store) list(a *conform.Actor, ctx context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	call := a.Call("List(%s)", options(o))
	list, err := s.source.List(ctx, o)
	call.Returned("%d objects at %s, %v", len(list.Items), list.ResourceVersion, err)
	return list, err
}

func from(version uint64) kit.ListOptions {
	return kit.ListOptions{ResourceVersion: strconv.FormatUint(version, 10)}
}

func (w stream) stop() {
	call := w.a.Call("Stop()")
	w.w.Stop()
	call.Returned("")
}

// ready takes what there is to take now. Nothing more comes by itself: the time
// of a bubble stands still meanwhile. closed says that the ResultChan was closed.
func (w stream) ready(t *conform.T) (events []kit.Event[*kit.Pod], closed bool) {
	for {
		t.Wait()
		n := len(events)
		for more := true; more; {
			select {
			case e, ok := <-w.w.ResultChan():
				if !ok {
					w.a.Note("the ResultChan is closed")
					return events, true
				}
				w.a.Note("received %s", show(e))
				events = append(events, e)
			default:
				more = false
			}
		}
		if len(events) == n {
			return events, false
		}
	}
}

// expect takes what there is and wants exactly that, and the watch to go on.
func (w stream) expect(t *conform.T, want []string, message string) {
	events, closed := w.ready(t)
	require.Equal(t, want, texts(events), message)
	require.False(t, closed, "The watch ended although nothing has ended it.")
}

// rest reads until the ResultChan is closed.
func (w stream) rest() []kit.Event[*kit.Pod] {
	var events []kit.Event[*kit.Pod]
	for e := range w.w.ResultChan() {
		events = append(events, e)
	}
	w.a.Note("received %d more, then the ResultChan was closed", len(events))
	return events
}

// text is a pod for a comparison. Testify's deep dump would follow pointers into memory
// that other goroutines may still use.
func text(p *kit.Pod) string {
	out, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic(err) // a type of the kit
	}
	return string(out)
}

func texts(events []kit.Event[*kit.Pod]) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = show(e)
	}
	return out
}

func show(e kit.Event[*kit.Pod]) string {
	if e.Object == nil {
		return fmt.Sprintf("%s without an object", e.Type)
	}
	if e.Type == kit.Bookmark {
		end := ""
		if e.Object.Annotations[kit.InitialEventsEnd] == "true" {
			end = " end of the initial events"
		}
		return fmt.Sprintf("%s @%s%s", e.Type, e.Object.ResourceVersion, end)
	}
	return fmt.Sprintf("%s %s@%s", e.Type, kit.Key(e.Object), e.Object.ResourceVersion)
}

func options(o kit.ListOptions) string {
	s := fmt.Sprintf("from %q", o.ResourceVersion)
	if o.Namespace != "" {
		s += " in " + o.Namespace
	}
	if o.SendInitialEvents {
		s += " with initial events"
	}
	if o.AllowWatchBookmarks {
		s += " with bookmarks"
	}
	if o.TimeoutSeconds != 0 {
		s += fmt.Sprintf(" for %d s", o.TimeoutSeconds)
	}
	return s
}
