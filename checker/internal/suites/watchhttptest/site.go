package watchhttptest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"

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
	served    chan struct{}      // closed when the server has ended
	shutdown  context.CancelFunc // ends the context of every request
	conns     atomic.Int64       // connections the client has made
	once      sync.Once
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
		Handler:     handler,
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
	s.client = &http.Client{Transport: s.transport}
	go func() {
		defer close(s.served)
		s.server.Serve(d)
	}()
	return s
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
	require.NoError(s.t, err)
	res, err := s.client.Do(req)
	require.NoError(s.t, err, "Handler gave no answer to %s %s.", method, path)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err, "Handler did not finish its answer to %s %s.", method, path)
	call.Returned("%d %s", res.StatusCode, body)
	return reply{res.StatusCode, res.Header, string(body)}
}

// listening is an answer that is read line by line as it comes.
type listening struct {
	a     *conform.Actor
	hang  context.CancelFunc // the client goes away
	begun chan struct{}      // closed when the header is there
	ended chan struct{}      // closed when the answer has ended, with err
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
	l := &listening{hang: hang, begun: make(chan struct{}), ended: make(chan struct{})}
	l.a = s.t.Named("GET %s", path)
	go func() {
		defer close(l.ended)
		l.err = l.read(ctx, s.client, path)
		l.a.Note("the answer ends: %v", l.err)
	}()
	return l
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
	require.Equal(t, http.StatusOK, l.code, "A watch was answered with %d and not with 200.", l.code)
	require.Len(t, lines, 1, "There was one event, and a watch has brought %d lines.", len(lines))
	require.JSONEq(t, line(e), lines[0], "A watch did not bring %s, but %s", listwatch.Show(e), lines[0])
}

// quiet requires that nothing has come.
func (l *listening) quiet(t *conform.T, sentence string) {
	lines := l.take(t)
	require.Empty(t, lines, sentence+" %q came.", lines)
}

// opened waits for the header of an answer whose body may be long in coming.
func (l *listening) opened(t *conform.T) {
	t.Wait()
	require.True(t, probe.Closed(l.begun), "The header of a watch did not come before the first event.")
}

// cleanly requires that the answer has ended, and as a whole one.
func (l *listening) cleanly(t *conform.T, sentence string) {
	t.Wait()
	require.True(t, probe.Closed(l.ended), sentence)
	require.NoError(t, l.err, "The answer was cut off, and not ended as a whole answer is.")
}
