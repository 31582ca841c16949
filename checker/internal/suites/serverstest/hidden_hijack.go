package serverstest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// hijacked is what app got from Hijack.
type hijacked struct {
	conn net.Conn
	rw   *bufio.ReadWriter
	err  error
}

// takesOver has app hijack its connection and return, perhaps after it has begun to answer. What the client sent
// right behind its header is for app, and the connection lives on, beyond the shutdown.
func takesOver(t *conform.T, s Subject, begun bool) {
	const limit = 10 * time.Second
	api, taken, did := fake.InMemory("api"), make(chan hijacked, 1), "calls Hijack and returns"
	if begun {
		did = "calls WriteHeader(101) and Hijack and returns"
	}
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		if begun {
			w.WriteHeader(http.StatusSwitchingProtocols)
		}
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.SetDeadline(time.Now().Add(limit)) // app's own, for the time after it has returned
		}
		taken <- hijacked{conn, rw, err}
	}), s.Counters(), Settings{Listener: api}))
	conn, heard := listens(t, api.Door(), "GET / HTTP/1.1\r\nHost: api\r\n\r\nhello\n", limit)
	defer conn.Close()
	t.Note("a client sent GET api/ and a line behind it; app %s", did)
	got := <-taken
	t.Require(got.err == nil, "app could not hijack its connection (%v), and net/http's own ResponseWriter can do that. app %s.", got.err, did)
	defer got.conn.Close()
	t.Wait() // app has returned
	line, err := got.rw.ReadString('\n')
	t.Require(line == "hello\n", "A client sent %q right behind its header, and app hijacked the connection and read %q, %s.", "hello\n", line, conform.Said(err))
	v.ends()
	_, err = io.WriteString(got.conn, "bye\n")
	t.Require(err == nil, "app had hijacked its connection, set a deadline that has not passed, and returned. What it wrote after that failed: %v. The connection is app's own.", err)
	got.conn.Close()
	last := <-heard
	t.Require(last == "bye\n", "app had hijacked its connection and returned, wrote %q after that, and its client got %q: the connection is app's own.", "bye\n", last)
}

// listens sends a request and reads all that comes, for as long as limit. heard gets the last line.
func listens(t *conform.T, d fake.Door, request string, limit time.Duration) (conn net.Conn, heard <-chan string) {
	conn, err := d.Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	conn.SetDeadline(time.Now().Add(limit))
	last := make(chan string, 1)
	t.Go("client", func(*conform.Actor) { last <- lastLine(conn) })
	io.WriteString(conn, request)
	return conn, last
}

// lastLine reads all that comes.
func lastLine(conn io.Reader) (last string) {
	for r := bufio.NewReader(conn); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return last
		}
		last = line
	}
}

// reachesTheWriter has middleware of the caller's around the Handler of an API server. Perhaps it has no method but
// Unwrap: then each thing that app does comes to the writer below. Perhaps it has all of them itself, and an Unwrap: then
// each comes to the middleware. Its error goes back.
func reachesTheWriter(t *conform.T, s Subject, own bool) {
	below := &refusing{ResponseRecorder: httptest.NewRecorder()}
	var given http.ResponseWriter = middleware{below}
	has, that := "that has an Unwrap, and a ResponseWriter below that refuses all", "behind middleware with an Unwrap. That one"
	if own {
		given = layered{below}
		has, that = "that has an Unwrap and refuses all itself", "here that of middleware, which has an Unwrap and methods of its own besides, and these go first. That one"
	}
	api := s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		c := http.NewResponseController(w)
		below.tells("EnableFullDuplex", c.EnableFullDuplex())
		below.tells("SetReadDeadline", c.SetReadDeadline(time.Now()))
		below.tells("SetWriteDeadline", c.SetWriteDeadline(time.Now()))
		_, err := io.WriteString(w, "hello")
		below.tells("Write", err)
		below.tells("Flush", c.Flush())
		_, _, err = c.Hijack()
		below.tells("Hijack", err)
	}), s.Counters(), Settings{})
	t.Do(func() {
		s.Handler(api).ServeHTTP(given, httptest.NewRequest(http.MethodGet, "/", nil))
	}, "GET api/, with middleware around the Handler %s", has)
	t.Require(len(below.lost) == 0, "app's ResponseWriter behaves as the one that the Handler was given, %s refused all with the error “%v”, and app did not get it from: %s.", that, errRefused, conform.Listed(below.lost))
}

// hearsOfTooMuch has app write what its answer may not have: net/http's own ResponseWriter says so.
func hearsOfTooMuch(t *conform.T, s Subject) {
	api, wrote := fake.InMemory("api"), make(chan error, 1)
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/nobody":
			w.WriteHeader(http.StatusNoContent)
		case "/same":
			w.WriteHeader(http.StatusNotModified)
		case "/length":
			w.Header().Set("Content-Length", "3")
		}
		_, err := io.WriteString(w, "hello")
		wrote <- err
	}), s.Counters(), Settings{Listener: api}))
	for _, c := range []struct {
		path, did string
		err       error
	}{
		{"/nobody", "called WriteHeader(204)", http.ErrBodyNotAllowed},
		{"/same", "called WriteHeader(304)", http.ErrBodyNotAllowed},
		{"/length", "set Content-Length to 3", http.ErrContentLength},
	} {
		asking := newClient(api.Door())
		asking.get(t.Actor, c.path)
		asking.close()
		err := <-wrote
		t.Require(errors.Is(err, c.err), "app %s and wrote “hello”, and Write returned %s. That of net/http's own ResponseWriter returns “%v”, and app's behaves as the one that the Handler was given.", c.did, conform.Said(err), c.err)
	}
	v.ends()
}

// layered is the ResponseWriter of middleware that refuses all itself. The one below it takes what it can.
type layered struct{ *refusing }

func (layered) Unwrap() http.ResponseWriter { return httptest.NewRecorder() }

// middleware is the ResponseWriter of a handler around the Handler.
type middleware struct{ below http.ResponseWriter }

func (m middleware) Header() http.Header         { return m.below.Header() }
func (m middleware) Write(p []byte) (int, error) { return m.below.Write(p) }
func (m middleware) WriteHeader(code int)        { m.below.WriteHeader(code) }
func (m middleware) Unwrap() http.ResponseWriter { return m.below }

var errRefused = errors.New("refused")

// refusing is a ResponseWriter that has all that net/http's own has, and refuses it.
type refusing struct {
	*httptest.ResponseRecorder
	lost []string // what app heard something else about
}

// tells says what app got.
func (r *refusing) tells(what string, err error) {
	if !errors.Is(err, errRefused) {
		r.lost = append(r.lost, fmt.Sprintf("%s (%v)", what, conform.Said(err)))
	}
}

func (*refusing) EnableFullDuplex() error                      { return errRefused }
func (*refusing) SetReadDeadline(time.Time) error              { return errRefused }
func (*refusing) SetWriteDeadline(time.Time) error             { return errRefused }
func (*refusing) Write([]byte) (int, error)                    { return 0, errRefused }
func (*refusing) WriteString(string) (int, error)              { return 0, errRefused }
func (*refusing) FlushError() error                            { return errRefused }
func (*refusing) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, errRefused }

// staysWithIt has app hijack its connection and not return, which keeps Serve from nothing. Perhaps another request is
// stuck, so that the grace runs out: the connections that carry a request are closed then, and the hijacked one is not.
func staysWithIt(t *conform.T, s Subject, stuck bool) {
	const grace, limit = 5 * time.Second, time.Minute
	api, taken, release := fake.InMemory("api"), make(chan hijacked, 1), make(chan struct{})
	defer close(release)
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hijack" {
			conn, rw, err := http.NewResponseController(w).Hijack()
			taken <- hijacked{conn, rw, err}
		}
		<-release
	}), s.Counters(), Settings{Listener: api, Grace: grace}))
	conn, heard := listens(t, api.Door(), "GET /hijack HTTP/1.1\r\nHost: api\r\n\r\n", limit)
	defer conn.Close()
	t.Note("a client sent GET api/hijack; app calls Hijack and does not return")
	got := <-taken
	t.Require(got.err == nil, "app could not hijack its connection (%v), and net/http's own ResponseWriter can do that.", got.err)
	defer got.conn.Close()
	if stuck {
		asking := newClient(api.Door())
		defer asking.close()
		asking.ask(t, "client of another", "/stuck")
		t.Wait()
		v.cancel()
		v.within(grace+tolerance, "The grace was over, and Serve went on waiting for a handler that does not end.")
	} else {
		v.cancel()
		v.within(tolerance, "The handler of the only request had hijacked its connection and did not return, and Serve waited: it waits neither for such a connection nor for its handler.")
		v.cleanly()
	}
	_, err := io.WriteString(got.conn, "bye\n")
	after := "Serve had returned"
	if stuck {
		after = "the Grace was over, in which another request had not ended"
	}
	t.Require(err == nil, "A handler had hijacked its connection. When %s, it wrote to that connection, which failed: %v. The connection is app's own, and Serve does not close it.", after, err)
	got.conn.Close()
	last := <-heard
	t.Require(last == "bye\n", "A handler had hijacked its connection. When %s, it wrote %q, and its client got %q: the connection is app's own.", after, "bye\n", last)
}

// panicsAfterAHijack has app panic before it has begun to answer: in requests after one whose connection app has
// hijacked, and behind a Hijack that has failed.
func panicsAfterAHijack(t *conform.T, s Subject) {
	const rounds = 20
	api := s.Handler(s.API(handler(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/panic" {
			http.NewResponseController(w).Hijack()
		}
		if r.URL.Path != "/hijack" {
			panic("before the answer")
		}
	}), s.Counters(), Settings{}))
	for _, c := range []struct {
		writer func(*httptest.ResponseRecorder) http.ResponseWriter
		err    error
	}{
		{func(w *httptest.ResponseRecorder) http.ResponseWriter { return w }, http.ErrNotSupported},
		{func(w *httptest.ResponseRecorder) http.ResponseWriter { return unhijacked{w} }, errRefused},
	} {
		got := answerOf(t, api, "/failed", c.writer)
		t.Require(got == "500", "app called Hijack, which failed with “%v”, and panicked before it had begun to answer. Its client got %s: it should have got 500, for a Hijack that fails changes nothing.", c.err, got)
	}
	wrong, last := 0, ""
	call := t.Call("GET api/hijack and then GET api/panic, %d times", rounds)
	for range rounds {
		answerOf(t, api, "/hijack", func(w *httptest.ResponseRecorder) http.ResponseWriter { return takeable{w} })
		if got := answerOf(t, api, "/panic", func(w *httptest.ResponseRecorder) http.ResponseWriter { return w }); got != "500" {
			wrong, last = wrong+1, got
		}
	}
	call.Returned("%d times something else than a 500", wrong)
	t.Require(wrong == 0, "The handler of one request hijacked its connection, and that of the next panicked before it had begun to answer. The client of that one got %s, %d times of %d: it should have got 500, whatever became of the request before.", last, wrong, rounds)
}

// answerOf is the status of an answer, or what happened in place of one.
func answerOf(t *conform.T, api http.Handler, path string, around func(*httptest.ResponseRecorder) http.ResponseWriter) (got string) {
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			got = "no answer, for its connection was cut"
		}
	}()
	api.ServeHTTP(around(w), httptest.NewRequest(http.MethodGet, path, nil))
	return fmt.Sprint(w.Code)
}

// unhijacked is a ResponseWriter that refuses to be hijacked, and nothing else.
type unhijacked struct{ *httptest.ResponseRecorder }

func (unhijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, errRefused }

// takeable is a ResponseWriter whose connection may be hijacked.
type takeable struct{ *httptest.ResponseRecorder }

func (takeable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, _ := net.Pipe()
	return conn, bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn)), nil
}
