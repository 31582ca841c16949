package watchhttptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// caller is a Client of the subject, with its calls written into the history.
type caller struct {
	listwatch.Client[*kit.Pod]
	c Client
}

// stream is a watch of the subject's Client.
type stream = listwatch.Stream[*kit.Pod]

func (s *site) caller(sub Subject, maxEvent int) caller { return s.callerAt(sub, base, maxEvent) }

func (s *site) callerAt(sub Subject, server string, maxEvent int) caller {
	return s.callerOf(sub, "Pods", kit.Pods, server, maxEvent)
}

// callerOf is a client of a type, which has this name in the history.
func (s *site) callerOf(sub Subject, name string, typ kit.Type[*kit.Pod], server string, maxEvent int) caller {
	var c Client
	s.t.Do(func() { c = sub.Client(typ, server, s.client, maxEvent) }, "NewClient(%s, %q, {MaxEvent: %d})", name, server, maxEvent)
	return caller{listwatch.Client[*kit.Pod]{Subject: c}, c}
}

// Try begins a watch that may be refused, and asks for its ResultChan once: it may read nothing before.
func (c caller) Try(ctx context.Context, a *conform.Actor, o kit.ListOptions) (stream, error) {
	w, err := c.Client.Try(ctx, a, o)
	if err == nil && w.Watch != nil {
		w.Watch.ResultChan()
	}
	return w, err
}

// Watch begins a watch that has no reason to be refused, and asks for its ResultChan once.
func (c caller) Watch(ctx context.Context, t *conform.T, o kit.ListOptions) stream {
	w := c.Client.Watch(ctx, t, o)
	w.Watch.ResultChan()
	return w
}

// watch begins a watch that has no reason to be refused. Its context is not the
// scenario's: the end of that would end the watch, and hide one that was left behind.
func (c caller) watch(t *conform.T, o kit.ListOptions) stream {
	return c.Watch(context.Background(), t, o)
}

func (c caller) listAndWatch(ctx context.Context, a *conform.Actor, o kit.ListOptions, replace func(kit.List[*kit.Pod]), apply func(kit.Event[*kit.Pod])) error {
	return conform.Do(a, func() error {
		return c.c.ListAndWatch(ctx, o, func(list kit.List[*kit.Pod]) {
			defer a.Callback("replace(%s @%s)", conform.Show(list.Items), list.ResourceVersion).Returned("")
			replace(list)
		}, func(e kit.Event[*kit.Pod]) {
			defer a.Callback("apply(%s)", listwatch.Show(e)).Returned("")
			apply(e)
		})
	}, "ListAndWatch(%s)", listwatch.Options(o))
}

// script is a server of the suite's own: it writes down what it is asked and says
// what it is told to.
type script struct {
	answer func(x exchange) // called for each request
	a      *conform.Actor   // in whose name it answers: set by the site that serves it

	mu       sync.Mutex // guards the fields below
	requests []asked
	hungUp   int // requests whose client went away
}

// asked is one request.
type asked struct {
	path    string
	escaped string // the path as it came
	query   url.Values
}

// ServeHTTP answers.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, asked{r.URL.Path, r.URL.EscapedPath(), r.URL.Query()})
	s.mu.Unlock()
	s.answer(exchange{n: n, s: s, w: w, r: r, watch: r.URL.Query().Get("watch") != ""})
}

func (s *script) log() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.requests...)
}

// texts are the requests so far, as paths with their queries.
func (s *script) texts() []string {
	var texts []string
	for _, r := range s.log() {
		text := r.path
		if len(r.query) > 0 {
			text += "?" + r.query.Encode()
		}
		texts = append(texts, text)
	}
	return texts
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
	x.s.a.Note("sends %s", text)
	if _, err := io.WriteString(x.w, text); err != nil {
		return err
	}
	return http.NewResponseController(x.w).Flush()
}

// begin sends the header.
func (x exchange) begin() { http.NewResponseController(x.w).Flush() }

// refuse answers with a code and a body.
func (x exchange) refuse(code int, body string) {
	if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable { // as API servers do
		x.s.a.Note("says Retry-After: 1")
		x.w.Header().Set("Retry-After", "1")
	}
	x.s.a.Note("answers %d with the body %s", code, body)
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

// failure is a Status in JSON as an API server writes it, with fields that kit does not know.
func failure(err *kit.StatusError) string {
	return `{"metadata":{},"details":{"name":"a","kind":"pods"},` + mustJSON(err.ErrStatus)[1:]
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the suite's own types
	}
	return string(text)
}
