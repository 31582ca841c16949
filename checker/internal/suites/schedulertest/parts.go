package schedulertest

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// feed is an informer cut down to its last step: it tells one handler what has happened,
// in order, by one goroutine, and later than it has happened.
type feed[T kit.Object] struct {
	bell    chan struct{} // has room for one
	stopped chan struct{}
	ended   chan struct{}
	once    sync.Once

	mu    sync.Mutex // guards the fields below; never held while the handler is called
	news  []piece[T]
	held  bool
	delay func() time.Duration // how long to wait before each piece; nil for not at all
}

// piece is one call of a handler.
type piece[T kit.Object] struct {
	text string
	tell func(h kit.ResourceEventHandler[T])
}

// tells calls the handler. The history shows that the actor does.
func (p piece[T]) tells(a *conform.Actor, h kit.ResourceEventHandler[T]) {
	call := a.Call("%s", p.text)
	p.tell(h)
	call.Returned("")
}

// init makes the channels: its callers are inside the bubble.
func (f *feed[T]) init() {
	f.bell, f.stopped, f.ended = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
}

// say appends a piece of news, and does not wait.
func (f *feed[T]) say(text string, tell func(h kit.ResourceEventHandler[T])) {
	f.mu.Lock()
	f.news = append(f.news, piece[T]{text, tell})
	f.mu.Unlock()
	f.ring()
}

func (f *feed[T]) ring() {
	select {
	case f.bell <- struct{}{}:
	default:
	}
}

// hold keeps all news back until release.
func (f *feed[T]) hold() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = true
}

func (f *feed[T]) release() {
	f.mu.Lock()
	f.held = false
	f.mu.Unlock()
	f.ring()
}

// drop forgets the news that are held back, and returns them.
func (f *feed[T]) drop() []piece[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	news := f.news
	f.news = nil
	return news
}

// delayed makes each piece of news wait that long before the handlers hear of it.
func (f *feed[T]) delayed(by func() time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = by
}

// drain waits until the handlers have heard everything that was said before.
func (f *feed[T]) drain() {
	told := make(chan struct{})
	f.say("a moment of silence", func(kit.ResourceEventHandler[T]) { close(told) })
	<-told
}

func (f *feed[T]) start(t *conform.T, who string, h kit.ResourceEventHandler[T]) {
	t.Go(who, func(a *conform.Actor) {
		defer close(f.ended)
		for {
			p, ok := f.next(t)
			if !ok {
				return
			}
			p.tells(a, h)
		}
	})
}

// next waits for a piece of news. Nobody hears what is left when the feed is stopped.
func (f *feed[T]) next(t *conform.T) (p piece[T], ok bool) {
	for {
		select {
		case <-f.stopped:
			return p, false
		default:
		}
		if p, ok = f.take(); ok {
			return p, true
		}
		select {
		case <-f.bell:
		case <-f.stopped:
			return p, false
		case <-t.Context().Done():
			return p, false
		}
	}
}

func (f *feed[T]) take() (p piece[T], ok bool) {
	f.mu.Lock()
	if f.held || len(f.news) == 0 {
		f.mu.Unlock()
		return p, false
	}
	p, f.news = f.news[0], f.news[1:]
	delay := f.delay
	f.mu.Unlock()
	if delay != nil {
		time.Sleep(delay())
	}
	return p, true
}

func (f *feed[T]) stop() {
	f.once.Do(func() { close(f.stopped) })
	<-f.ended
}

// notebook is a kit.EventRecorder that keeps every event.
type notebook struct {
	now   func() time.Duration
	actor *conform.Actor
	also  func() // called with each event, if not nil

	mu    sync.Mutex // guards notes
	notes []note
}

type note struct {
	about                      kit.ObjectReference
	eventType, reason, message string
	at                         time.Duration
}

// Eventf keeps an event.
func (n *notebook) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	n.actor.Note("%s %s about %s: %s", eventType, reason, about.Name, message)
	n.mu.Lock()
	n.notes = append(n.notes, note{about, eventType, reason, message, n.now()})
	n.mu.Unlock()
	if n.also != nil {
		n.also()
	}
}

// of returns the events about a pod, the oldest first.
func (n *notebook) of(name string) []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	var found []note
	for _, e := range n.notes {
		if e.about.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// reasons are the reasons of the events about a pod.
func (n *notebook) reasons(name string) []string {
	var reasons []string
	for _, e := range n.of(name) {
		reasons = append(reasons, e.reason)
	}
	return reasons
}

// times are when the events about a pod were.
func (n *notebook) times(name string) []time.Duration {
	var at []time.Duration
	for _, e := range n.of(name) {
		at = append(at, e.at)
	}
	return at
}

// forget drops all events.
func (n *notebook) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = nil
}

// gate stops every caller of pass until it is opened.
type gate struct {
	actor           *conform.Actor
	what            string // stands in the history of what waits
	reached, opened chan struct{}
	first, open     sync.Once
}

// newGate is a gate in what the subject calls: "a filter", "Update of the client".
func newGate(t *conform.T, what string) *gate {
	return &gate{actor: t.Named("gate"), what: what, reached: make(chan struct{}), opened: make(chan struct{})}
}

// pass waits until the gate is open.
func (g *gate) pass() {
	select {
	case <-g.opened:
		return
	default:
	}
	call := g.actor.Call("%s was called, and takes its time", g.what)
	g.first.Do(func() { close(g.reached) })
	<-g.opened
	call.Returned("goes on")
}

// unlock opens the gate for all and for ever.
func (g *gate) unlock() { g.open.Do(func() { close(g.opened) }) }

// has reports whether text has every part in it.
func has(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
