package serverstest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	const some = 30 * time.Second // of net/http itself it takes five
	silent := fake.InMemory("silent")
	v := serve(t, s, s.API(says("hello"), s.Counters(), Settings{Listener: silent, ReadHeaderTimeout: time.Hour, Grace: time.Hour}))
	conn, err := silent.Door().Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	defer conn.Close()
	t.Go("silent client", func(*conform.Actor) { io.Copy(io.Discard, conn) })
	t.Note("a client has connected to silent and sends nothing")
	v.cancel()
	v.within(some, "A client had connected and sent nothing, no request was under way, Grace and ReadHeaderTimeout are 1h, and Serve did not return some seconds after shutdown had begun.")
	v.cleanly()
}
