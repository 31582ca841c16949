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
	conn, err := api.Door().Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(limit))
	heard := make(chan string, 1)
	t.Go("client", func(*conform.Actor) { heard <- lastLine(conn) })
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: api\r\n\r\nhello\n")
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

// reachesTheWriter has middleware of the caller's around the Handler of an API server, with no method but Unwrap. Each
// thing that app does comes to the writer below, and its error goes back.
func reachesTheWriter(t *conform.T, s Subject) {
	below := &refusing{ResponseRecorder: httptest.NewRecorder()}
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
		s.Handler(api).ServeHTTP(middleware{below}, httptest.NewRequest(http.MethodGet, "/", nil))
	}, "GET api/, with middleware around the Handler that has an Unwrap, and a ResponseWriter below that refuses all")
	t.Require(len(below.lost) == 0, "app's ResponseWriter behaves as the one that the Handler was given, behind middleware with an Unwrap. That one refused all with the error “%v”, and app did not get it from: %s.", errRefused, conform.Listed(below.lost))
}

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
