package watchhttptest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// site is an HTTP server that runs, and an HTTP client that reaches it and nobody else.
type site struct {
	t         *conform.T
	server    *http.Server
	client    *http.Client
	transport *http.Transport
	way       *way               // between client and transport
	served    chan struct{}      // closed when the server has ended
	shutdown  context.CancelFunc // ends the context of every request
	conns     atomic.Int64       // connections the client has made
	serving   atomic.Int64       // requests that the handler has not returned from
	once      sync.Once

	panicked atomic.Pointer[string] // with what a handler panicked last, as a sentence

	while string // what decides over the answers just now, for a message; "" if nothing does
}

const base = "http://api"

// serve serves handler in memory.
func serve(t *conform.T, handler http.Handler) *site {
	return serveAt(t, fake.InMemory("api").Door(), handler, false)
}

func serveAt(t *conform.T, d fake.Door, handler http.Handler, h2 bool) *site {
	requests, shutdown := context.WithCancel(context.Background())
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!h2)
	protocols.SetUnencryptedHTTP2(h2)
	s := &site{t: t, served: make(chan struct{}), shutdown: shutdown}
	s.server = &http.Server{
		Handler:     s.recorded(handler),
		BaseContext: func(net.Listener) context.Context { return requests },
		Protocols:   protocols,
	}
	s.transport = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			s.conns.Add(1)
			return d.Dial(ctx)
		},
		Protocols: protocols,
	}
	s.way = &way{s.transport}
	s.client = &http.Client{Transport: s.way}
	go func() {
		defer close(s.served)
		s.server.Serve(d)
	}()
	return s
}

// way is the Transport of a site's client. It hands requests to another, which may be exchanged after
// NewClient: a Client may have kept a copy of its http.Client.
type way struct{ http.RoundTripper }

// CloseIdleConnections closes them, if there are any.
func (w *way) CloseIdleConnections() {
	if inner, is := w.RoundTripper.(interface{ CloseIdleConnections() }); is {
		inner.CloseIdleConnections()
	}
}

// through has the requests of the site's client go through another Transport from now on.
func (s *site) through(transport http.RoundTripper) { s.way.RoundTripper = transport }

// recorded writes each request, and the end of the answer to it, into the history.
func (s *site) recorded(handler http.Handler) http.Handler {
	a := s.t.Named("server")
	if own, is := handler.(*script); is {
		own.a = a
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.serving.Add(1)
		defer s.serving.Add(-1)
		call := a.Callback("ServeHTTP(%s %s)", r.Method, r.URL)
		defer func() {
			if p := recover(); p == http.ErrAbortHandler {
				call.Returned("the connection is cut")
				panic(p)
			} else if p != nil { // net/http recovers it, and cuts the connection in silence
				call.Returned("panicked: %v", p)
				text := fmt.Sprintf(" ServeHTTP panicked: %v.", p)
				s.panicked.Store(&text)
				panic(p)
			}
			if r.Context().Err() != nil {
				call.Returned("the answer ends, and the request's context was done")
				return
			}
			call.Returned("the answer ends")
		}()
		handler.ServeHTTP(w, r)
	})
}

// state says whether a handler is at work, which a watch that has not ended leaves open.
func (s *site) state() string {
	if s.serving.Load() > 0 {
		return "Handler has not returned."
	}
	return "Handler has returned."
}

// panic says with what a handler panicked; "" if none did.
func (s *site) panic() string {
	if text := s.panicked.Load(); text != nil {
		return *text
	}
	return ""
}

// close ends the site and every connection to it. It may be called more than once.
func (s *site) close() {
	s.once.Do(func() {
		s.transport.CloseIdleConnections()
		s.server.Close()
		s.shutdown()
		<-s.served
	})
}

// reply is a whole answer.
type reply struct {
	code   int
	header http.Header
	body   string
}

// get asks for path and requires a whole answer.
func (s *site) get(path string) reply { return s.ask(http.MethodGet, path) }

func (s *site) ask(method, path string) reply {
	call := s.t.Call("%s %s", method, path)
	req, err := http.NewRequest(method, base+path, nil)
	s.t.Require(err == nil, "%v", err) // the suite's own
	res, err := s.client.Do(req)
	s.t.Require(err == nil, "Handler gave no answer to %s %s: %v.%s%s", method, path, err, s.while, s.panic())
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	s.t.Require(err == nil, "Handler did not finish its answer to %s %s: %v.", method, path, err)
	call.Returned("%d %s", res.StatusCode, strings.TrimSuffix(string(body), "\n"))
	return reply{res.StatusCode, res.Header, string(body)}
}

// whole asks for what ends by itself, and fails with the sentence if it goes on.
func (s *site) whole(t *conform.T, path, sentence string) reply {
	l := s.listen(path)
	defer l.hang()
	time.Sleep(time.Minute)
	t.Wait()
	t.Require(probe.Closed(l.begun), "%s Not even its header had come.", sentence)
	r := l.reply(t)
	t.Require(probe.Closed(l.ended), "%s It was answered with %d and the body %q.", sentence, r.code, r.body)
	t.Require(l.err == nil, "Handler did not finish its answer to GET %s: %s.", path, conform.Said(l.err))
	return r
}

// listening is an answer that is read line by line as it comes.
type listening struct {
	a     *conform.Actor
	hang  func()        // the client goes away
	begun chan struct{} // closed when the header is there
	ended chan struct{} // closed when the answer has ended, with err
	code  int
	mime  string
	err   error

	mu    sync.Mutex // guards lines
	lines []string
}

// listen asks for path in a goroutine of its own and reads what comes.
func (s *site) listen(path string) *listening {
	// Not the scenario's context: that would hang up when the scenario ends, and
	// with it what the server has left open.
	ctx, hang := context.WithCancel(context.Background())
	l := &listening{begun: make(chan struct{}), ended: make(chan struct{})}
	l.a = s.t.Named("client")
	l.hang = sync.OnceFunc(func() {
		if !probe.Closed(l.ended) {
			l.a.Note("hangs up")
		}
		hang()
	})
	l.a.Note("asks for %s", path)
	go func() {
		defer close(l.ended)
		l.err = l.read(ctx, s.client, path)
		l.a.Note("the answer ends%s", why(l.err))
	}()
	return l
}

// why is how an answer ended that is not whole.
func why(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(", but not as a whole one: %v", err)
}

func (l *listening) read(ctx context.Context, client *http.Client, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	l.code, l.mime = res.StatusCode, res.Header.Get("Content-Type")
	close(l.begun)
	in := bufio.NewReader(res.Body)
	for range 5000 { // a server that writes without an end is not read without an end
		line, err := in.ReadString('\n')
		if line != "" {
			l.a.Note("received %s", strings.TrimSuffix(line, "\n"))
			l.mu.Lock()
			l.lines = append(l.lines, line)
			l.mu.Unlock()
		}
		if errors.Is(err, io.EOF) {
			return nil // a whole answer: a cut is io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
	}
	return errors.New("thousands of lines")
}

// reply is the answer with the lines that have come so far. Its header has come.
func (l *listening) reply(t *conform.T) reply {
	return reply{l.code, http.Header{"Content-Type": {l.mime}}, strings.Join(l.take(t), "")}
}

// take takes the lines that have come so far.
func (l *listening) take(t *conform.T) []string {
	t.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// brings requires that this event has come, and nothing else, on an answer that is a watch.
func (l *listening) brings(t *conform.T, e kit.Event[*kit.Pod]) {
	lines := l.take(t)
	t.Require(l.code == http.StatusOK, "A watch was answered with %d and not with 200.", l.code)
	t.Require(len(lines) == 1, "The source has %s, and a watch has brought %s of it, where one is due.", listwatch.Show(e), conform.Count(len(lines), "line"))
	sameJSON(t, line(e), lines[0], "The line that a watch brought is not the event %s", listwatch.Show(e))
}

// quiet requires that nothing has come.
func (l *listening) quiet(t *conform.T, sentence string) {
	lines := l.take(t)
	if len(lines) > 0 {
		t.Fatalf("%s %d lines came, the first of them %q.", sentence, len(lines), lines[0])
	}
}

// opened waits for the header of an answer whose body may be long in coming.
func (l *listening) opened(t *conform.T) {
	t.Wait()
	t.Require(probe.Closed(l.begun), "A watch has begun and there is no event yet, and the header of the answer has not come: it comes before the first event.")
}

// cleanly requires that the answer has ended, and as a whole one.
func (l *listening) cleanly(t *conform.T, sentence string) {
	t.Wait()
	t.Require(probe.Closed(l.ended), "%s", sentence)
	t.Require(l.err == nil, "The answer of a watch was cut off, and did not end as a complete answer ends: the client's error is %v.", l.err)
}

// sameJSON requires that a text is JSON that says the same as want, which is JSON.
func sameJSON(t *conform.T, want, got, sentence string, args ...any) {
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		panic(err) // the suite's own
	}
	err := json.Unmarshal([]byte(got), &g)
	t.Require(err == nil, "%s: %q is not JSON.", fmt.Sprintf(sentence, args...), got)
	t.Same(w, g, sentence, args...)
}
