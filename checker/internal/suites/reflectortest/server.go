package reflectortest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The errors of requests, as servers and networks make them.
var (
	errExpired        = kit.NewResourceExpired("too old resource version")
	errTooLarge       = kit.NewTooLargeResourceVersion("99", "10")
	errBusy           = kit.NewStatusError(kit.ReasonTooManyRequests, "too many requests, please try again later")
	errInternal       = kit.NewStatusError(kit.ReasonInternalError, "etcdserver: no leader")
	errTimeout        = kit.NewStatusError(kit.ReasonTimeout, "the server was unable to return a response in the time allotted")
	errNoCode         = &kit.StatusError{ErrStatus: kit.Status{Status: "Failure", Message: "too many requests, please try again later", Reason: kit.ReasonTooManyRequests}}
	errExpiredNoCode  = &kit.StatusError{ErrStatus: kit.Status{Status: "Failure", Message: "too old resource version (the reason is Expired, and there is no code)", Reason: kit.ReasonExpired}}
	errTooLargeNoCode = &kit.StatusError{ErrStatus: kit.Status{Status: "Failure", Message: errTooLarge.ErrStatus.Message + " (the reason is Timeout, and there is no code)", Reason: kit.ReasonTimeout}}
	errInWords        = kit.NewStatusError(kit.ReasonInternalError, "failed calling webhook: dial tcp 10.0.0.9:443: connect: connection refused")
	errRefused        = fmt.Errorf("dial tcp 10.0.0.1:6443: connect: %w", syscall.ECONNREFUSED)
	errUnsaid         = unsaid{errRefused}
)

// unsaid is an error that wraps another one, and has words of its own for it.
type unsaid struct{ error }

// Error does not say what is wrapped.
func (unsaid) Error() string { return "get pods: nobody is there" }

// Unwrap says it.
func (u unsaid) Unwrap() error { return u.error }

// request is one List or Watch as it came in.
type request struct {
	What    string // `list "0"`, `watch "10"`
	At      time.Duration
	Options kit.ListOptions
}

// server is an API server that answers by script. Without a script it lists its
// items and grants every watch.
type server struct {
	t     *conform.T
	actor *conform.Actor

	// The scripts are called with the number of the list or watch, from 1, and
	// return nil to have it answered as usual.
	onList  func(ctx context.Context, n int) error
	onWatch func(ctx context.Context, n int) error

	ahead int // how many events a watch takes from the server before they are asked for

	mu       sync.Mutex // guards the fields below
	items    []*kit.Pod
	version  string
	requests []request
	plan     plan
	over     bool   // Run has returned
	pending  string // the request that is not answered yet
	lists    int
	watches  int
	streams  []*stream
}

var _ kit.ListerWatcher[*kit.Pod] = (*server)(nil)

// serve makes a server with no objects at version 10.
func serve(t *conform.T, items ...*kit.Pod) *server {
	return &server{t: t, actor: t.Named("server"), items: items, version: "10"}
}

// List answers with the server's items, or as the script says.
func (s *server) List(ctx context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	counts := ctx.Err() == nil
	call, n := s.record("list", o, counts)
	list, err := s.list(ctx, n)
	s.answered()
	if err != nil {
		s.refuses(counts)
		call.Returned("%v", err)
	} else {
		call.Returned("%v at version %s", list.Items, list.ResourceVersion)
	}
	return list, err
}

func (s *server) list(ctx context.Context, n int) (kit.List[*kit.Pod], error) {
	if s.onList != nil {
		if err := s.onList(ctx, n); err != nil {
			return kit.List[*kit.Pod]{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return kit.List[*kit.Pod]{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return kit.List[*kit.Pod]{ResourceVersion: s.version, Items: slices.Clone(s.items)}, nil
}

// now makes version and items what the next list has.
func (s *server) now(version string, items ...*kit.Pod) {
	s.actor.Note("is at version %s from now on, with %v", version, items)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version, s.items = version, items
}

// Watch grants a stream, or does as the script says. A script may grant one
// although ctx is done: the answer was on its way.
func (s *server) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	counts := ctx.Err() == nil
	call, n := s.record("watch", o, counts)
	defer s.answered()
	if s.onWatch != nil {
		if err := s.onWatch(ctx, n); err != nil {
			s.refuses(counts)
			call.Returned("%v", err)
			return nil, err
		}
	}
	w := newStream(ctx, s.actor, n, s.ahead)
	w.late = ctx.Err() != nil
	s.mu.Lock()
	s.streams = append(s.streams, w)
	s.mu.Unlock()
	if w.late {
		call.Returned("watch %d, although its context is done", n)
	} else {
		call.Returned("watch %d", n)
	}
	return w, nil
}

// record writes a request down, demands that no watch is still open, and returns
// the number of the request among its kind. One whose context is done already counts for no plan:
// a few of them are left open.
func (s *server) record(verb string, o kit.ListOptions, counts bool) (call conform.Call, n int) {
	what := fmt.Sprintf("%s %q", verb, o.ResourceVersion)
	text := what
	if verb == "watch" {
		text += fmt.Sprintf(" for %ds", o.TimeoutSeconds)
	}
	call = s.actor.Call("%s", text)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.streams {
		if w.stops() == 0 {
			s.t.Errorf("The server was asked for %s, and watch %d, which %s, was not stopped before.", what, w.number, w.became())
		}
	}
	at := s.t.Elapsed()
	if s.over {
		s.actor.Breaks("%s is asked for, and Run has returned", what)
	}
	if counts {
		s.plan.comes(s.actor, what, at)
	}
	s.requests = append(s.requests, request{what, at, o})
	s.pending = what
	if verb == "list" {
		s.lists++
		return call, s.lists
	}
	s.watches++
	return call, s.watches
}

func (s *server) refuses(counts bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts {
		s.plan.refused()
	}
}

func (s *server) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = ""
}

// underWay says what the reflector is waiting for, as far as a server can see.
func (s *server) underWay() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending != "" {
		return fmt.Sprintf("The server has not answered %s yet, and the context of that request is not done.", s.pending)
	}
	for _, w := range s.streams {
		if w.stops() == 0 {
			return fmt.Sprintf("Watch %d is not stopped, and the context with which it was asked for is %s.", w.number, map[bool]string{true: "done", false: "not done"}[w.ctx.Err() != nil])
		}
	}
	return "No request is under way, and no watch."
}

// log is every request so far.
func (s *server) log() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// watchRequests are those of the log that ask for a watch.
func (s *server) watchRequests() []request {
	return slices.DeleteFunc(s.log(), func(r request) bool { return strings.HasPrefix(r.What, "list") })
}

// askedForBookmarks requires that each watch so far was asked for with bookmarks and without
// initial events.
func (s *server) askedForBookmarks() {
	for _, r := range s.watchRequests() {
		s.t.Require(r.Options.AllowWatchBookmarks, "The server was asked for %s, and AllowWatchBookmarks was false. Each watch asks for bookmarks.", r.What)
		s.t.Require(!r.Options.SendInitialEvents, "The server was asked for %s, and SendInitialEvents was true. Each watch asks for bookmarks, but not for initial events: the list has brought the objects.", r.What)
	}
}

// listed is how often the server was asked for a list so far.
func (s *server) listed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists
}

// expect says which requests are due, the first one at any time. The sentence says which
// rule any other breaks.
func (s *server) expect(sentence string, want ...due) {
	want[0].after = anytime
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = newPlan("Request", sentence, s.t.Elapsed(), want...)
}

// because says why a request is due that expect has said, by its number.
func (s *server) because(why map[int]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan.because = why
}

// asExpected ends the case if the requests so far are not those that expect has said. It takes
// its time if one is overdue.
func (s *server) asExpected() {
	if wrong := s.plan.end(&s.mu); wrong != "" {
		s.t.Fatalf("%s", wrong)
	}
}

// quiet says that Run has returned: no more requests are due.
func (s *server) quiet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// sinceLast is the time since the latest request.
func (s *server) sinceLast() time.Duration {
	log := s.log()
	return s.t.Elapsed() - log[len(log)-1].At
}

// pauses is the time between each request and the one before, from the second on.
func (s *server) pauses() []time.Duration {
	var all []time.Duration
	log := s.log()
	for i := 1; i < len(log); i++ {
		all = append(all, log[i].At-log[i-1].At)
	}
	return all
}

// waitsFrom is the time between the requests in the minute after a moment. Those at once are left out.
func (s *server) waitsFrom(moment time.Duration) []time.Duration {
	var waits []time.Duration
	last := moment
	for _, r := range s.log() {
		if r.At > last && r.At <= moment+time.Minute {
			waits, last = append(waits, r.At-last), r.At
		}
	}
	return waits
}

// watching is the open watch; there must be one.
func (s *server) watching() *stream {
	s.t.Wait()
	if s.idle() {
		s.asExpected()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.streams) == 0 && s.watches > 0 {
		s.t.Fatalf("By now a watch should be open. The server was asked for %s and %s, the last %v ago, and has refused each watch: the next one is late.",
			conform.Count(s.lists, "list"), conform.Count(s.watches, "watch"), s.t.Elapsed()-s.requests[len(s.requests)-1].At)
	}
	if len(s.streams) == 0 {
		s.t.Fatalf("The server was asked for %s and for no watch: after a list that was stored, the next request is a watch.", conform.Count(s.lists, "list"))
	}
	w := s.streams[len(s.streams)-1]
	s.t.Require(!w.over, "Watch %d has ended, and by now another should have been begun. None was.", w.number)
	return w
}

// idle reports whether no watch is open.
func (s *server) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.streams)
	return n == 0 || s.streams[n-1].over
}

// requireStopped demands that all watches ever granted have been stopped.
func (s *server) requireStopped() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.streams {
		s.t.Require(w.stops() > 0, "Watch %d was granted%s and never stopped: its connection and what the server holds for it are lost.", w.number, map[bool]string{true: " although its context was done by then,"}[w.late])
	}
}

// stream is one watch.
type stream struct {
	actor  *conform.Actor
	number int
	out    chan kit.Event[*kit.Pod]
	feed   chan kit.Event[*kit.Pod]
	done   chan struct{} // closed by the first Stop
	over   bool          // the scenario has ended it
	ctx    context.Context
	late   bool // its context was done when it was granted

	mu      sync.Mutex // guards stopped
	stopped int
}

// newStream starts a watch that ends by Stop and with ctx, as kit.Watch has it. Of its events so many
// as ahead says may be in its channel before anybody takes one.
func newStream(ctx context.Context, actor *conform.Actor, number, ahead int) *stream {
	w := &stream{
		actor:  actor,
		number: number,
		ctx:    ctx,
		out:    make(chan kit.Event[*kit.Pod], ahead),
		feed:   make(chan kit.Event[*kit.Pod], 256),
		done:   make(chan struct{}),
	}
	go w.pump(ctx)
	return w
}

// pump is the only sender, so it may close.
func (w *stream) pump(ctx context.Context) {
	defer close(w.out)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.done:
			return
		case e, more := <-w.feed:
			if !more {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-w.done:
				return
			case w.out <- e:
			}
		}
	}
}

// became says what has become of the watch, for one that should have been stopped.
func (w *stream) became() string {
	if w.late {
		return "was granted although its context was done by then"
	}
	return "had ended or failed"
}

// Stop ends the watch.
func (w *stream) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped++; w.stopped == 1 {
		w.actor.Note("watch %d is stopped", w.number)
		close(w.done)
	}
}

// ResultChan delivers the events.
func (w *stream) ResultChan() <-chan kit.Event[*kit.Pod] { return w.out }

func (w *stream) stops() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}

// send delivers events on the watch.
func (w *stream) send(events ...kit.Event[*kit.Pod]) {
	for _, e := range events {
		w.actor.Note("watch %d sends %s", w.number, describe(e))
		w.feed <- e
	}
}

// end closes the watch from the server's side, after what was sent.
func (w *stream) end() {
	w.actor.Note("watch %d ends", w.number)
	w.over = true
	close(w.feed)
}

// fail ends the watch with an Error event.
func (w *stream) fail(err *kit.StatusError) {
	w.failWith(kit.Event[*kit.Pod]{Type: kit.Error, Object: &kit.Pod{}, Status: &err.ErrStatus})
}

// failWith ends the watch with this event.
func (w *stream) failWith(e kit.Event[*kit.Pod]) {
	w.send(e)
	w.over = true
	close(w.feed)
}

func describe(e kit.Event[*kit.Pod]) string {
	switch {
	case e.Type == kit.Error && e.Object == nil:
		return "ERROR " + e.Status.Message + ", without an object"
	case e.Type == kit.Error:
		return "ERROR " + e.Status.Message + ", with an empty object"
	}
	text := fmt.Sprintf("%s %s", cmp.Or(string(e.Type), `of type ""`), short(e.Object))
	if e.Object.DeletionTimestamp != nil {
		text += ", with a DeletionTimestamp"
	}
	if e.Object.Annotations[kit.InitialEventsEnd] != "" {
		text += ", annotated with " + kit.InitialEventsEnd
	}
	return text
}

// event makes one event about a pod.
func event(typ kit.EventType, name, version string) kit.Event[*kit.Pod] {
	return kit.Event[*kit.Pod]{Type: typ, Object: pod(name, version)}
}

func bookmark(version string) kit.Event[*kit.Pod] { return event(kit.Bookmark, "", version) }

// marked is an event whose object has the annotation that ends the initial events of a watch list.
func marked(e kit.Event[*kit.Pod]) kit.Event[*kit.Pod] {
	e.Object.Annotations = map[string]string{kit.InitialEventsEnd: "true"}
	return e
}

// leaving is an event whose object is about to be deleted, and is not deleted yet.
func leaving(e kit.Event[*kit.Pod]) kit.Event[*kit.Pod] {
	e.Object.DeletionTimestamp = new(time.Now())
	return e
}

func pod(name, version string) *kit.Pod {
	p := kit.Pods.New()
	p.Name, p.ResourceVersion = name, version
	return p
}

// short is an object in few letters; a slice that somebody has cleared has none.
func short(p *kit.Pod) string {
	if p == nil {
		return "nil"
	}
	return p.Name + "@" + p.ResourceVersion
}
