package serverstest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// reply is what a client got. err is the failure to get an answer, or to get all
// of it.
type reply struct {
	code   int
	body   string
	header http.Header
	after  http.Header // the trailer
	early  []int       // the informational statuses that came before the answer
	err    error
}

// String is a reply as the history has it.
func (r reply) String() string {
	if r.err != nil {
		return r.err.Error()
	}
	return fmt.Sprintf("%d %q", r.code, r.body)
}

// whole requires the whole answer that app gave to a request under way, when it has come.
func (l *later) whole(t *conform.T, body string) {
	t.Require(l.err == nil, "A request was under way and its grace was not over, and its connection was cut, %v after the request had begun: %v.", l.at-l.began, l.err)
	t.Require(l.body == body, "A request under way did not get its whole answer: %q and not %q.", l.body, body)
}

// client asks one server. It has a Transport of its own, so that its connections
// are nobody else's, and close ends them.
type client struct {
	door fake.Door
	http *http.Client
}

func newClient(d fake.Door) *client {
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return d.Dial(ctx) },
	}
	return &client{d, &http.Client{Transport: transport}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// get asks for path as the actor a.
func (c *client) get(a *conform.Actor, path string) reply {
	return c.send(a, http.MethodGet, path, nil)
}

func (c *client) send(a *conform.Actor, method, path string, body io.Reader) reply {
	return conform.Do(a, func() reply { return c.roundTrip(method, path, body) }, "%s %s%s", method, c.door.Name, path)
}

func (c *client) roundTrip(method, path string, body io.Reader) reply {
	// The request has a context of its own: the scenario's would hang the request
	// up when the scenario ends, and with it what the server left open.
	var early []int
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			early = append(early, code)
			return nil
		},
	})
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.door.Name+path, body)
	if err != nil {
		return reply{err: err}
	}
	res, err := c.http.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	var b strings.Builder
	_, err = io.Copy(&b, res.Body)
	return reply{res.StatusCode, b.String(), res.Header, res.Trailer, early, err}
}

// later is a reply that is still to come.
type later struct {
	reply
	began time.Duration // when it was asked for, since the scenario began
	at    time.Duration // when it came
	done  chan struct{}
}

// ask asks for path in a goroutine of its own.
func (c *client) ask(t *conform.T, who, path string) *later {
	l := &later{began: t.Elapsed(), done: make(chan struct{})}
	t.Go(who, func(a *conform.Actor) {
		defer close(l.done)
		l.reply = c.get(a, path)
		l.at = t.Elapsed()
	})
	return l
}

// mustGet asks on a connection of its own and requires an answer with this code.
func mustGet(t *conform.T, d fake.Door, path string, code int, sentence string) reply {
	c := newClient(d)
	defer c.close()
	r := c.get(t.Actor, path)
	r.required(t, path, code, sentence)
	return r
}

// mustGet is mustGet that does not wait for an answer when Serve has returned.
func (v *serving) mustGet(d fake.Door, path string, code int, sentence string) reply {
	c := newClient(d)
	defer c.close()
	l := c.ask(v.t, "client", path)
	select {
	case <-l.done:
	case <-v.done:
		v.t.Fatalf("Serve returned %s. It serves until its context ends or a server fails, and neither has happened.", conform.Said(v.err))
	}
	l.required(v.t, path, code, sentence)
	return l.reply
}

// required requires an answer with this code.
func (r reply) required(t *conform.T, path string, code int, sentence string) {
	t.Require(r.err == nil, "%s GET %s failed: %v.", sentence, path, r.err)
	t.Require(r.code == code, "%s The answer to GET %s is %d, and should be %d.", sentence, path, r.code, code)
}

// counting is the way in to api with a count of those who came.
func counting(api *fake.Memory) (fake.Door, *atomic.Int32) {
	door, dialled := api.Door(), new(atomic.Int32)
	door.Dial = func(ctx context.Context) (net.Conn, error) {
		dialled.Add(1)
		return api.Door().Dial(ctx)
	}
	return door, dialled
}

// staysOpen requires that the client has needed one connection only.
func staysOpen(t *conform.T, dialled *atomic.Int32, what string) {
	t.Require(dialled.Load() == 1, "%s The server closed that connection, so that the client needed a new one: a server keeps a connection open for its client's next request.", what)
}
