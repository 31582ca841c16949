package realtest

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
)

// link is the learner's way to the server: an http.Client that adds the token, and
// a network that a case can break. It changes no request, but for the one thing that
// shorten says.
type link struct {
	a     *conform.Actor
	token string
	base  *http.Transport

	mu      sync.Mutex // guards what follows
	conns   map[net.Conn]bool
	down    bool
	shorten int64
	seen    []request
	cutAt   int // bytes after which the next watch is cut, 0 for none
}

// request is one that was answered, or failed.
type request struct {
	Method, Path string
	Watch        bool
	Version      string
	Code         int // 0 if there was no answer
}

// String is what the request reads.
func (r request) String() string {
	_, what, namespaced := strings.Cut(r.Path, "/namespaces/")
	_, what, _ = strings.Cut(what, "/")
	switch {
	case !namespaced:
		return "get " + r.Path
	case strings.Contains(what, "/"):
		return "get " + what
	case r.Watch:
		return fmt.Sprintf("watch %s from %q", what, r.Version)
	}
	return fmt.Sprintf("list %s from %q", what, r.Version)
}

func newLink(t *conform.T, token, ca string) *link {
	l := &link{a: t.Named("network"), token: token, conns: map[net.Conn]bool{}}
	l.base = &http.Transport{DialContext: l.dial, ForceAttemptHTTP2: true}
	if ca != "" {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM([]byte(ca))
		l.base.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return l
}

func (l *link) client() *http.Client { return &http.Client{Transport: l} }

// errDown is what a machine says on which nothing listens: a reflector takes it for a server
// that will be back, and watches again from where it was.
var errDown = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}

func (l *link) dial(ctx context.Context, network, address string) (net.Conn, error) {
	l.mu.Lock()
	down := l.down
	l.mu.Unlock()
	if down {
		return nil, errDown
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[conn] = true
	return conn, nil
}

// RoundTrip sends a request of the learner's client.
func (l *link) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+l.token)
	query := req.URL.Query()
	r := request{Method: req.Method, Path: req.URL.Path, Watch: query.Has("watch"), Version: query.Get("resourceVersion")}
	l.mu.Lock()
	if r.Watch && l.shorten > 0 {
		query.Set("timeoutSeconds", strconv.FormatInt(l.shorten, 10))
		req.URL.RawQuery = query.Encode()
	}
	l.mu.Unlock()
	res, err := l.base.RoundTrip(req)
	if err == nil {
		r.Code = res.StatusCode
	}
	if r.Method == http.MethodGet && err == nil {
		l.a.Note("%s: %d", r, r.Code)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, r)
	if err == nil && r.Watch && l.cutAt > 0 {
		res.Body = &cutBody{ReadCloser: res.Body, left: l.cutAt}
		l.cutAt = 0
	}
	return res, err
}

// cut breaks every connection: what is on its way does not come.
func (l *link) cut() {
	l.a.Note("every connection is cut")
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.Close()
	}
	clear(l.conns)
}

// cutNext has the next watch break after so many bytes of its answer.
func (l *link) cutNext(bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cutAt = bytes
}

// setDown has connections refused, or accepted again.
func (l *link) setDown(down bool) {
	l.mu.Lock()
	l.down = down
	l.mu.Unlock()
	if down {
		l.a.Note("connections are cut and refused")
		l.cut()
		return
	}
	l.a.Note("connections are accepted again")
}

// shortWatches has the server end every watch after so many seconds. Two seconds before the
// end it sends a bookmark, for which one would wait a minute otherwise.
func (l *link) shortWatches(seconds int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shorten = seconds
}

// requests are those so far.
func (l *link) requests() []request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.seen)
}

func (l *link) close() {
	l.cut()
	l.base.CloseIdleConnections()
}

// cutBody is an answer that breaks in the middle.
type cutBody struct {
	io.ReadCloser
	left int
}

func (c *cutBody) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// pause waits between two looks. It does so in one of two places, by chance, so that the
// watchdog, which looks at stacks, does not take a case that waits for one that is stuck.
func pause(t *conform.T) {
	const d = 40 * time.Millisecond
	if t.Rand().IntN(2) == 0 {
		time.Sleep(d)
		return
	}
	time.Sleep(d + time.Millisecond)
}

// long is how long a case waits for what has to come: many times what it takes. A reflector
// that has failed three times in a row waits for up to six seconds.
var long = sync.OnceValue(func() time.Duration {
	at, _, _ := site.Load()
	return cmp.Or(at.Patience, 30*time.Second)
})

// eventually waits until wrong returns "", and ends the case with what it returned last.
func eventually(t *conform.T, wrong func() string) {
	began := time.Now()
	for {
		why := wrong()
		if why == "" {
			return
		}
		if time.Since(began) > long() {
			t.Fatalf("%s", why)
		}
		pause(t)
	}
}
