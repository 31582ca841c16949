package serverstest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// readyBefore asks the Handler of an API server that nobody serves yet: no shutdown has begun.
func readyBefore(t *conform.T, s Subject, api Handle) {
	w := httptest.NewRecorder()
	t.Do(func() {
		s.Handler(api).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	}, "GET api/readyz, before Serve")
	t.Require(w.Code == 200, "The Handler of an API server that is not served yet answered /readyz with %d: it answers 200 until shutdown begins.", w.Code)
}

// takesLargeBodies sends more than a cautious wrapper would let through.
func takesLargeBodies(t *conform.T, api fake.Door) {
	const size = 3 << 19
	asking := newClient(api)
	defer asking.close()
	r := asking.send(t.Actor, http.MethodPost, "/upload", strings.NewReader(strings.Repeat("x", size)))
	t.Require(r.err == nil, "A client sent app a body of %d bytes, and got no answer: %v.", size, r.err)
	t.Require(r.header.Get("Got") == received(size, nil), "A client sent app a body of %d bytes, and app got %s: it should have got all of it.", size, r.header.Get("Got"))
}

// received is what the app of checkProbes says of a body.
func received(bytes int64, err error) string {
	return fmt.Sprintf("%d bytes and the error %v", bytes, err)
}

// answersManyAtOnce has more requests under way than a limit would let in. They need no connections.
func answersManyAtOnce(t *conform.T, s Subject) {
	const requests = 1100
	var all sync.WaitGroup
	var under atomic.Int32
	release := make(chan struct{})
	api := s.Handler(s.API(handler(func(http.ResponseWriter, *http.Request) {
		under.Add(1)
		<-release
	}), s.Counters(), Settings{}))
	call := t.Call("GET api/, %d times at once", requests)
	for range requests {
		all.Go(func() { api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)) })
	}
	t.Wait()
	got := under.Load()
	close(release)
	all.Wait()
	call.Returned("app had %d of them at once", got)
	t.Require(got == requests, "%d requests were under way at once, and app got %d of them: each is handed to app at once, however many there are.", requests, got)
}

// endsBesideTheSilent shuts down while a client has a connection on which it has never sent anything.
func endsBesideTheSilent(t *conform.T, s Subject) {
	const some, long = 30 * time.Second, 3 * time.Hour // of net/http itself it takes five seconds
	silent := fake.InMemory("silent")
	v := serve(t, s, s.API(says("hello"), s.Counters(), Settings{Listener: silent, ReadHeaderTimeout: long, Grace: long}))
	conn, err := silent.Door().Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	defer conn.Close()
	t.Go("silent client", func(*conform.Actor) { io.Copy(io.Discard, conn) })
	t.Note("a client has connected to silent and sends nothing")
	v.cancel()
	v.within(some, "A client had connected and sent nothing, no request was under way, Grace and ReadHeaderTimeout are 3h, and Serve did not return some seconds after shutdown had begun.")
	v.cleanly()
	t.Note("Grace and ReadHeaderTimeout are 3h: what still waits for either stays")
}

// tellsItsPath is the app of checkProbes.
func tellsItsPath(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/hints":
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusProcessing) // both are informational: the answer comes after them
		w.WriteHeader(http.StatusEarlyHints)
	case "/page":
		io.WriteString(w, "<html>") // net/http sees what it is
		return
	case "/sum":
		w.Header().Set("Trailer", "Sum, Size")
		defer w.Header().Set("Sum", "42") // asks for the map now, before the answer
		defer func() { w.Header().Set("Size", "7") }()
	}
	n, err := io.Copy(io.Discard, r.Body)
	w.Header().Set("Got", received(n, err))
	w.WriteHeader(http.StatusTeapot)
	io.WriteString(w, r.URL.Path)
}

// answersAsApp asks for what a wrapper around the ResponseWriter may spoil.
func answersAsApp(t *conform.T, v *serving, api fake.Door) {
	const hints = "app set the header Link, the informational statuses 102 and 103, which begin no answer, and then 418."
	r := v.mustGet(api, "/hints", http.StatusTeapot, hints)
	t.Require(slices.Equal(r.early, []int{102, 103}), "%s Of informational statuses its client got %v: it should have got what app answers, 102 and 103 too.", hints, r.early)
	t.Require(r.header.Get("Link") != "" && r.header.Get("Got") != "", "%s Of the headers of its answer, set before and after 102 and 103, the client got %v: it should have got Link and Got.", hints, r.header)
	r = v.mustGet(api, "/page", 200, "app wrote a page of HTML.")
	kind := r.header.Get("Content-Type")
	t.Require(strings.HasPrefix(kind, "text/html"), "app wrote “<html>” and set no Content-Type, and that of its answer is %q: net/http's own ResponseWriter looks at what is written, and sets text/html.", kind)
	r = v.mustGet(api, "/sum", http.StatusTeapot, "app has a trailer.")
	t.Require(r.after.Get("Sum") == "42" && r.after.Get("Size") == "7", "app announced the trailers Sum and Size, wrote its answer and set Sum to 42 and Size to 7, and its client got the trailers %v. For Size app called Header after it had begun to answer.", r.after)
}

// unfinished are requests whose body has not come, or half of it.
var unfinished = []struct{ text, sent string }{
	{"Content-Length: 10\r\n\r\nhello", "the header of a request and half of its body"},
	{"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "the header of a request and one chunk of its body, which goes on"},
	{"Content-Length: 1048576\r\nExpect: 100-continue\r\n\r\n", "the header of a request, with Expect: 100-continue, and nothing yet of its body of 1 MiB"},
}

// servesManyAtOnce has more connections with a request under way than a limit of Serve's would let in. Of no
// request the whole body has come.
func servesManyAtOnce(t *conform.T, s Subject) {
	const requests = 130
	api, release := fake.InMemory("api"), make(chan struct{})
	var under atomic.Int32
	var conns []net.Conn
	v := serve(t, s, s.API(handler(func(http.ResponseWriter, *http.Request) {
		under.Add(1)
		<-release
	}), s.Counters(), Settings{Listener: api}))
	call := t.Call("POST api/, %d times at once, none with its whole body", requests)
	for i := range requests {
		conn, err := api.Door().Dial(t.Context())
		t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
		conns = append(conns, conn)
		u := unfinished[i%len(unfinished)]
		io.WriteString(conn, "POST / HTTP/1.1\r\nHost: api\r\n"+u.text)
		if i < len(unfinished) {
			t.Wait()
			t.Require(under.Load() == int32(i+1), "A client had sent %s, and app did not get that request: it is handed to app at once, before its body has arrived.", u.sent)
		}
	}
	t.Wait()
	got := under.Load()
	for _, conn := range conns {
		conn.Close()
	}
	close(release)
	call.Returned("app had %d of them at once", got)
	t.Require(got == requests, "On %d connections requests were under way at once, and app got %d of them: each is handed to app at once, however many there are.", requests, got)
	v.ends()
}

// uploads sends a body of two bytes, the second some time after the first.
func uploads(t *conform.T, d fake.Door, pause time.Duration) *later {
	l := &later{began: t.Elapsed(), done: make(chan struct{})}
	in, out := io.Pipe()
	t.Go("uploader", func(a *conform.Actor) {
		defer close(l.done)
		asking := newClient(d)
		defer asking.close()
		defer in.Close()
		l.reply = asking.send(a, http.MethodPost, "/upload", in)
		l.at = t.Elapsed()
	})
	t.Go("body", func(*conform.Actor) {
		defer out.Close()
		io.WriteString(out, "x")
		time.Sleep(pause)
		io.WriteString(out, "x")
	})
	return l
}
