package serverstest

import (
	"bufio"
	"io"
	"net"
	"net/http"
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

// takesOver has app hijack its connection and return. What the client sent right behind its header is for app, and
// the connection lives on, beyond the shutdown.
func takesOver(t *conform.T, s Subject) {
	const limit = 10 * time.Second
	api, taken := fake.InMemory("api"), make(chan hijacked, 1)
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		taken <- hijacked{conn, rw, err}
	}), s.Counters(), Settings{Listener: api}))
	conn, err := api.Door().Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(limit))
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: api\r\n\r\nhello\n")
	t.Note("a client sent GET api/ and a line behind it; app calls Hijack and returns")
	got := <-taken
	t.Require(got.err == nil, "app could not hijack its connection (%v): the ResponseWriter that it is given hides that of net/http.", got.err)
	defer got.conn.Close()
	t.Wait() // app has returned
	got.conn.SetDeadline(time.Now().Add(limit))
	line, err := got.rw.ReadString('\n')
	t.Require(line == "hello\n", "A client sent %q right behind its header, and app hijacked the connection and read %q, %s.", "hello\n", line, conform.Said(err))
	v.ends()
	t.Go("app", func(*conform.Actor) { io.WriteString(got.conn, "bye\n") })
	line, err = bufio.NewReader(conn).ReadString('\n')
	t.Require(line == "bye\n", "app had hijacked its connection and returned, wrote %q after that, and its client got %q, %s: the connection is app's own.", "bye\n", line, conform.Said(err))
}
