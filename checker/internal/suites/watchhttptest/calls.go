package watchhttptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// caller is a Client of the subject, with its calls written into the history.
type caller struct{ c Client }

func (s *site) caller(sub Subject, maxEvent int) caller { return s.callerAt(sub, base, maxEvent) }

func (s *site) callerAt(sub Subject, server string, maxEvent int) caller {
	call := s.t.Call("NewClient(Pods, %q, {MaxEvent: %d})", server, maxEvent)
	c := sub.Client(kit.Pods, server, s.client, maxEvent)
	call.Returned("a Client")
	return caller{c}
}

func (c caller) list(a *conform.Actor, ctx context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	call := a.Call("List(%s)", options(o))
	list, err := c.c.List(ctx, o)
	call.Returned("%d objects at %q, %v", len(list.Items), list.ResourceVersion, err)
	return list, err
}

func (c caller) try(a *conform.Actor, ctx context.Context, o kit.ListOptions) (stream, error) {
	call := a.Call("Watch(%s)", options(o))
	w, err := c.c.Watch(ctx, o)
	if err != nil {
		call.Returned("%v", err)
		return stream{}, err
	}
	call.Returned("a watch")
	return stream{a, w}, nil
}

// watch begins a watch that has no reason to be refused. Its context is not the
// scenario's: the end of that would end the watch, and hide one that was left behind.
func (c caller) watch(t *conform.T, o kit.ListOptions) stream {
	w, err := c.try(t.Actor, context.Background(), o)
	require.NoError(t, err, "Watch returned an error although the server had answered 200.")
	return w
}

func (c caller) listAndWatch(a *conform.Actor, ctx context.Context, o kit.ListOptions, replace func(kit.List[*kit.Pod]), apply func(kit.Event[*kit.Pod])) error {
	call := a.Call("ListAndWatch(%s)", options(o))
	err := c.c.ListAndWatch(ctx, o, func(list kit.List[*kit.Pod]) {
		a.Note("replace(%d objects at %q)", len(list.Items), list.ResourceVersion)
		replace(list)
	}, func(e kit.Event[*kit.Pod]) {
		a.Note("apply(%s)", show(e))
		apply(e)
	})
	call.Returned("%v", err)
	return err
}

// stream is a watch of the subject's Client.
type stream struct {
	a *conform.Actor
	w kit.Watch[*kit.Pod]
}

func (w stream) stop() {
	call := w.a.Call("Stop()")
	w.w.Stop()
	call.Returned("")
}

// ready takes what there is to take now. It is for bubbles.
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

// expect takes what there is, and wants exactly that and the end, or no end.
func (w stream) expect(t *conform.T, want []string, end bool, sentence string) []kit.Event[*kit.Pod] {
	events, closed := w.ready(t)
	require.Equal(t, want, texts(events), sentence)
	if end {
		require.True(t, closed, "The ResultChan was not closed although the watch had ended.")
	} else {
		require.False(t, closed, "The ResultChan was closed although nothing had ended the watch.")
	}
	return events
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

// script is a server of the suite's own: it writes down what it is asked and says
// what it is told to.
type script struct {
	answer func(x exchange) // called for each request

	mu       sync.Mutex // guards the fields below
	requests []asked
	hungUp   int // requests whose client went away
}

// asked is one request.
type asked struct {
	path  string
	query url.Values
}

// ServeHTTP answers.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, asked{r.URL.Path, r.URL.Query()})
	s.mu.Unlock()
	s.answer(exchange{n: n, s: s, w: w, r: r, watch: r.URL.Query().Get("watch") != ""})
}

func (s *script) log() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.requests...)
}

// left is how many clients have hung up on an answer that was held.
func (s *script) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hungUp
}

// exchange is one request of a script and the answer to it.
type exchange struct {
	n     int // how many came before
	s     *script
	w     http.ResponseWriter
	r     *http.Request
	watch bool
}

// say sends text at once.
func (x exchange) say(text string) error {
	if _, err := io.WriteString(x.w, text); err != nil {
		return err
	}
	return http.NewResponseController(x.w).Flush()
}

// begin sends the header.
func (x exchange) begin() { http.NewResponseController(x.w).Flush() }

// refuse answers with a code and a body.
func (x exchange) refuse(code int, body string) {
	x.w.WriteHeader(code)
	io.WriteString(x.w, body)
}

// hold keeps the answer open until the client hangs up.
func (x exchange) hold() {
	<-x.r.Context().Done()
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	x.s.hungUp++
}

// cut ends the answer in a way that the client can distinguish from an end.
func (x exchange) cut() { panic(http.ErrAbortHandler) }

// line is an event as a server writes it.
func line(e kit.Event[*kit.Pod]) string {
	var object any = e.Object
	if e.Type == kit.Error {
		object = e.Status
	}
	return mustJSON(struct {
		Type   kit.EventType `json:"type"`
		Object any           `json:"object"`
	}{e.Type, object}) + "\n"
}

// added is the event of a new pod.
func added(name string, version int) kit.Event[*kit.Pod] {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = "default", name, fmt.Sprint(version)
	return kit.Event[*kit.Pod]{Type: kit.Added, Object: p}
}

// podList is a list without items, at a version.
func podList(version int) string {
	return fmt.Sprintf(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[]}`, version)
}

// failure is a Status in JSON.
func failure(err *kit.StatusError) string { return mustJSON(err.ErrStatus) }

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the suite's own types
	}
	return string(text)
}
