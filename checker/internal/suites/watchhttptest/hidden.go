package watchhttptest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(serving, ends, broken, together)

// serving are the cases about the server's side of a stream.
var serving = []conform.Case[Subject]{
	{
		Name:   "each-event-at-once",
		Points: 5,
		Func:   "Handler",
		Rule:   "The header is sent before the first event, and each event before Handler waits for the next, also through a ResponseWriter that is wrapped.",
		Why:    "net/http holds back a few KiB. A pod whose event waits in a buffer until several others have changed does not start.",
		Hint: []string{
			"What holds back the bytes you have written, and for how long?",
			"A wrapped ResponseWriter is no http.Flusher. What finds the one inside?",
			"http.NewResponseController(w).Flush() after WriteHeader and after each event.",
		},
		Source: "apiserver pkg/endpoints/handlers/watch.go: WatchServer.HandleHTTP (Flush before the loop and whenever the channel is empty); Go net/http/responsecontroller.go: ResponseController",
		Contract: []string{
			"The header is sent before the first event, as soon as source.Watch has returned, and each event is sent before Handler waits for the next",
			"Handler flushes through http.ResponseController, so the ResponseWriter may be wrapped (http.ResponseController finds the real one through Unwrap).",
			"to Handler it is an event like the others, and not the end",
		},
		Check: checkFlush,
	},
	{
		Name:   "timeout-ends-cleanly",
		Points: 4,
		Func:   "Handler",
		Rule:   "When the source's watch ends, after timeoutSeconds or by itself, the answer ends as a complete one, without another line; the client's ResultChan is closed, without an Error.",
		Why:    "Every watch ends this way every few minutes, by design: it spreads clients over servers again. An Error would make each of them list.",
		Hint: []string{
			"What does a receive from a closed channel give, and how often?",
			"event, ok := <-watch.ResultChan()",
		},
		Source: "kubernetes#137398: a closed ResultChan read without ok spins; client-go tools/cache/reflector.go: Reflector.watch (timeoutSeconds is random in 5 to 10 minutes)",
		Contract: []string{
			"The answer ends, as a complete answer ends, when the source's watch has ended",
			"It ends no watch because of timeoutSeconds, which the source does.",
			"When the answer ends, when the connection is cut or breaks in whatever way",
			"There is no Error then",
		},
		Check: checkTimeout,
	},
	{
		Name:   "client-gone-ends-the-watch",
		Points: 5,
		Func:   "Handler",
		Rule:   "When the client hangs up, and when it can't be written to, the source's watch is stopped: idle or in the middle of a write.",
		Why:    "Clients leave without a word. A server that keeps the watch of every client that has left runs out of memory.",
		Hint: []string{
			"How does a handler that waits for an event learn that its client has gone?",
			"net/http cancels r.Context() when the connection is gone. Who listens to that context?",
			"defer watch.Stop(), for all ways out; and don't pass over the error of a write.",
		},
		Source: `kubernetes#6627; apiserver pkg/endpoints/handlers/get.go: handleWatch, "defer watcher.Stop()"`,
		Contract: []string{
			"By the time ServeHTTP has returned it has stopped the source's watch, with its Stop, whatever the reason: the source, the context, a client that is gone.",
			"and when the request's context is done",
			"The answer also ends when a write or a flush fails.",
			"source.List and source.Watch get the context of the request, or one that ends with it: List and Watch may each block until that context is done.",
		},
		Check: checkClientGone,
	},
	{
		Name:   "shutdown-ends-streams",
		Points: 4,
		Func:   "Handler",
		Rule:   "When the server ends the requests' contexts, every watch ends as a complete answer, and Shutdown has nothing left to wait for.",
		Why:    "A watch never ends by itself. An API server that is updated and waits for ten thousand watches is killed instead, with every other request.",
		Hint: []string{
			"Which context does the source's watch get?",
		},
		Source: "apiserver pkg/server/genericapiserver.go: ShutdownWatchTerminationGracePeriod; lab 06, streams-end-with-the-shutdown",
		Contract: []string{
			"The answer ends, as a complete answer ends, when the source's watch has ended and when the request's context is done.",
			"Handler does not wait for a source that notices the end of that context late, even if it goes on to bring events.",
			"By the time ServeHTTP has returned it has stopped the source's watch",
			`Every answer that is neither list nor watch is a metav1.Status in JSON: kind "Status", apiVersion "v1", status "Failure", and its code is that of the answer.`,
			"for any other error, the answer is 500 with the reason InternalError and the error's words in the message",
		},
		Check: checkShutdown,
	},
}

func checkFlush(t *conform.T, open func() Subject) {
	wrap := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(wrapped{w}, r) })
	}
	twice := func(h http.Handler) http.Handler { return wrap(wrap(h)) }
	for _, writer := range []struct {
		what   string
		around func(http.Handler) http.Handler
	}{
		{"net/http's own, an http.Flusher", func(h http.Handler) http.Handler { return h }},
		{"wrapped: it has Unwrap, and is no http.Flusher itself", wrap},
		{"wrapped twice, as by a log and by metrics: each has Unwrap, and is no http.Flusher itself", twice},
		{"wrapped by one that keeps what is written until its own FlushError is called", keeping},
	} {
		t.Virtual(func(t *conform.T) {
			t.Note("the ResponseWriter is %s", writer.what)
			src := newSource(t)
			api := serve(t, writer.around(open().Handler(kit.Pods, src)))
			defer api.close()
			l := api.listen("/api/v1/pods?watch=1")
			defer l.hang()
			l.opened(t)
			l.a.Note("received the header of the answer")
			put := func() { src.put("default", "a") }
			fails := func() { src.fails(kit.NewResourceExpired("too old").ErrStatus, "") }
			for _, happens := range []func(){put, put, src.bookmark, put, fails, put} {
				happens()
				event := src.log[len(src.log)-1].event
				lines := l.take(t)
				t.Require(len(lines) > 0 || !probe.Closed(l.ended), "The source has %s, and the answer to the watch had ended before: the source had not ended it, and an ERROR is to Handler an event like the others, and not the end.", listwatch.Show(event))
				t.Require(len(lines) == 1, "The source has given the event %s, and the client has got %s of it, where one is due at once: Handler must not wait for the next. The ResponseWriter is %s.", listwatch.Show(event), conform.Count(len(lines), "line"), writer.what)
				sameJSON(t, line(event), lines[0], "The line that was sent at once is not the event %s", listwatch.Show(event))
			}
		})
	}
	t.Virtual(func(t *conform.T) { headerOfAWatchList(t, open()) })
	t.Virtual(func(t *conform.T) { initialEventAtOnce(t, open()) })
}

// initialEventAtOnce asks for a watch list of a source that rests after the first of its initial events.
func initialEventAtOnce(t *conform.T, s Subject) {
	first := added("a", 7)
	api := serve(t, s.Handler(kit.Pods, &handed{source: newSource(t), events: []kit.Event[*kit.Pod]{first}}))
	defer api.close()
	l := api.listen("/api/v1/pods?watch=1&sendInitialEvents=1&allowWatchBookmarks=1")
	defer l.hang()
	lines := l.take(t)
	t.Require(len(lines) == 1, "The source of a watch list has given its first event, %s, and not yet the bookmark behind the initial events. The client has got %s, where one is due at once: each event is sent before Handler waits for the next.", listwatch.Show(first), conform.Count(len(lines), "line"))
	sameJSON(t, line(first), lines[0], "The line that was sent at once is not the event %s", listwatch.Show(first))
}

// headerOfAWatchList asks for a watch list of a source that has nothing to say yet.
func headerOfAWatchList(t *conform.T, s Subject) {
	api := serve(t, s.Handler(kit.Pods, &handed{source: newSource(t)}))
	defer api.close()
	l := api.listen("/api/v1/pods?watch=1&sendInitialEvents=1&allowWatchBookmarks=1&resourceVersion=7&timeoutSeconds=600")
	defer l.hang()
	l.opened(t)
}

// wrapped is a ResponseWriter like the one of lab 06: for what it does not do itself
// it has Unwrap.
type wrapped struct{ inner http.ResponseWriter }

func (w wrapped) Header() http.Header         { return w.inner.Header() }
func (w wrapped) WriteHeader(code int)        { w.inner.WriteHeader(code) }
func (w wrapped) Write(b []byte) (int, error) { return w.inner.Write(b) }
func (w wrapped) Unwrap() http.ResponseWriter { return w.inner }

// keeping wraps a ResponseWriter in one that keeps what is written until it is flushed, as one that compresses does.
func keeping(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&kept{wrapped: wrapped{w}}, r)
	})
}

type kept struct {
	wrapped
	text []byte
}

func (k *kept) Write(b []byte) (int, error) {
	k.text = append(k.text, b...)
	return len(b), nil
}

// FlushError writes what was kept.
func (k *kept) FlushError() error {
	text := k.text
	k.text = nil
	if _, err := k.inner.Write(text); err != nil {
		return err
	}
	return http.NewResponseController(k.inner).Flush()
}

func checkTimeout(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		src := newSource(t)
		sub := open()
		api := serve(t, sub.Handler(kit.Pods, src))
		defer api.close()
		l := api.listen("/api/v1/pods?watch=1&timeoutSeconds=30&resourceVersion=100")
		defer l.hang()
		w := api.caller(sub, 0).watch(t, kit.ListOptions{TimeoutSeconds: 30, ResourceVersion: "100"})
		defer w.Stop()
		src.put("default", "a")
		w.Expect(t, []string{"ADDED default/a@103"}, "A watch did not bring the event that there was.")
		time.Sleep(29 * time.Second)
		l.brings(t, src.log[0].event)
		w.Expect(t, []string{}, "Something came although nothing had happened.")
		t.Require(!probe.Closed(l.ended), "A watch with timeoutSeconds=30 had ended after %v.", t.Elapsed())
		time.Sleep(time.Second)
		l.quiet(t, "The watch was over and Handler wrote another line.")
		l.cleanly(t, "A watch did not end after its timeoutSeconds.")
		w.ExpectEnd(t, []string{}, "A watch that had ended by its timeout brought something more.")
		src.gone(t, "A watch was over, and the source's goes on.")
	})
	t.Virtual(func(t *conform.T) {
		src := newSource(t)
		api := serve(t, open().Handler(kit.Pods, src))
		defer api.close()
		l := api.listen("/api/v1/pods?watch=1")
		defer l.hang()
		time.Sleep(24 * time.Hour)
		l.opened(t)
		t.Require(!probe.Closed(l.ended), "A watch without timeoutSeconds had ended after a day, and nothing has ended it.")
		src.end()
		l.quiet(t, "The source's watch was over and Handler wrote another line.")
		l.cleanly(t, "The source's watch had ended, and the answer went on.")
	})
	t.Virtual(func(t *conform.T) { endsLate(t, open()) })
}

// endsLate has a source whose watch goes on for long after its timeoutSeconds.
func endsLate(t *conform.T, s Subject) {
	api := serve(t, s.Handler(kit.Pods, &handed{source: newSource(t)}))
	defer api.close()
	l := api.listen("/api/v1/pods?watch=1&timeoutSeconds=30")
	defer l.hang()
	time.Sleep(time.Hour)
	l.opened(t)
	t.Require(!probe.Closed(l.ended), "The source's watch with timeoutSeconds=30 has not ended, and within an hour the answer had: Handler ends no watch because of timeoutSeconds, which the source does.")
}

func checkClientGone(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { hangsUpIdle(t, open()) })
	t.Virtual(func(t *conform.T) { hangsUpWaiting(t, open()) })
	t.Virtual(func(t *conform.T) { hangsUpMidWrite(t, open()) })
	for _, w := range []deaf{{header: http.Header{}}, {header: http.Header{}, flushes: true}, {header: http.Header{}, buffer: new(atomic.Bool)}} {
		t.Virtual(func(t *conform.T) { everyWriteFails(t, open(), w) })
	}
	t.Virtual(func(t *conform.T) { stopsOnEveryWay(t, open()) })
	t.Copies(func(t *conform.T) { hangUpTogether(t, open()) })
}

// hangsUpIdle has a client hang up while there is nothing to write.
func hangsUpIdle(t *conform.T, s Subject) {
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	l := api.listen("/api/v1/pods?watch=1")
	l.opened(t)
	t.Require(src.live() == 1, "Handler has begun to answer one watch, and %d watches of the source are open.", src.live())
	l.hang()
	t.Wait()
	src.gone(t, "A client hung up on a quiet watch, and the watch of the source goes on. "+api.state())
}

// hangsUpWaiting has a client hang up while the source has not answered.
func hangsUpWaiting(t *conform.T, s Subject) {
	src := waiting{newSource(t), make(chan struct{})}
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	defer close(src.over)
	calls := []struct{ call, path string }{{"List", "/api/v1/pods"}, {"Watch", "/api/v1/pods?watch=1"}, {"List", "/api/v1/pods"}, {"Watch", "/api/v1/pods?watch=1"}}
	var clients []*listening
	for _, c := range calls {
		l := api.listen(c.path)
		defer l.hang()
		clients = append(clients, l)
		t.Wait()
	}
	time.Sleep(time.Hour)
	t.Wait()
	for i, c := range calls {
		left := int64(len(calls) - i)
		t.Require(api.serving.Load() == left, "%s wait for an answer, which the source has not given, and %d are being served: source.List and source.Watch may block until their context is done, and each gets that of its own request, or one that ends with it.", conform.Count(int(left), "client"), api.serving.Load())
		clients[i].hang()
		t.Wait()
		t.Require(api.serving.Load() < left, "A client hung up while source.%s waited for its context to end, and Handler has not returned: source.%s gets the context of the request, or one that ends with it.", c.call, c.call)
	}
}

// waiting is a source that answers when its context is done, and not before. A Client whose server
// is silent is one.
type waiting struct {
	*source
	over chan struct{} // closed when the scenario is over
}

func (w waiting) List(ctx context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	return kit.List[*kit.Pod]{}, w.wait(ctx, "List", o)
}

func (w waiting) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	return nil, w.wait(ctx, "Watch", o)
}

func (w waiting) wait(ctx context.Context, method string, o kit.ListOptions) error {
	call := w.a.Callback("%s(%s)", method, listwatch.Options(o))
	select {
	case <-ctx.Done():
	case <-w.over:
	}
	call.Returned("%v", context.Canceled)
	return context.Canceled
}

// hangsUpMidWrite has a client that reads nothing hang up in the middle of a write.
func hangsUpMidWrite(t *conform.T, s Subject) {
	src := newSource(t)
	d := fake.InMemory("api").Door()
	api := serveAt(t, d, s.Handler(kit.Pods, src), false)
	defer api.close()
	conn, err := d.Dial(t.Context())
	t.Require(err == nil, "%v", err) // the suite's own
	io.WriteString(conn, "GET /api/v1/pods?watch=1 HTTP/1.1\r\nHost: api\r\n\r\n")
	src.many(200, func(int) { src.put("default", "a") })
	t.Wait()
	t.Note("the client, which has read nothing, hangs up")
	conn.Close()
	t.Wait()
	src.gone(t, "A client hung up while Handler was writing to it, and the watch of the source goes on. "+api.state())
}

// aborted calls a handler that may panic with http.ErrAbortHandler, which is how net/http's handlers give up an answer.
func aborted(handler http.Handler, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		}
	}()
	handler.ServeHTTP(w, r)
}

// everyWriteFails calls Handler for a client that cannot be written to, with no server around
// it that would end the context.
func everyWriteFails(t *conform.T, s Subject, w deaf) {
	src := newSource(t)
	src.put("default", "a")
	handler := s.Handler(kit.Pods, src)
	r := incoming(t, context.Background(), "/api/v1/pods?watch=1")
	done := make(chan struct{})
	t.Go("server", func(a *conform.Actor) {
		defer close(done)
		call := a.Call("ServeHTTP(%s, watch=1)", w)
		aborted(handler, w, r)
		running := src.unended()
		call.Returned("")
		t.Assert(running == 0, "A write to the client, or a flush, failed, and Handler returned before it had stopped the watch of the source: by the time Handler has returned it has.")
	})
	t.Wait()
	if !probe.Closed(done) {
		src.put("default", "a") // one that only notices at the second write
		t.Wait()
	}
	t.Require(probe.Closed(done), "Handler serves %s, and has not returned: the answer also ends when a write or a flush fails.", w)
	src.gone(t, "Handler has returned, and has not stopped the watch of the source.")
}

// incoming is a request as a Handler gets it.
func incoming(t *conform.T, ctx context.Context, path string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	t.Require(err == nil, "%v", err) // the suite's own
	r.RequestURI, r.Host = path, "api"
	return r
}

// hangUpTogether has three clients hang up, over real connections, while events come.
func hangUpTogether(t *conform.T, s Subject) {
	src := newSource(t)
	api := serveAt(t, fake.Loopback(t, "api"), s.Handler(kit.Pods, src), false)
	defer api.close()
	var all []*listening
	for range 3 {
		l := api.listen("/api/v1/pods?watch=1")
		<-l.begun
		all = append(all, l)
	}
	for range t.Rand().IntN(20) {
		src.put("default", "a")
	}
	for _, l := range all {
		l.hang()
	}
	for _, w := range src.begun() {
		<-w.done // a deadlock, if it is never stopped
	}
}

// deaf is a ResponseWriter that nothing can be written to.
type deaf struct {
	header  http.Header
	flushes bool         // what is flushed is only the header, which still gets through
	buffer  *atomic.Bool // says whether something lies in the buffer: then a flush fails, and no write does. nil where every write fails
}

func (d deaf) Header() http.Header { return d.header }
func (d deaf) WriteHeader(int)     {}
func (d deaf) Write(b []byte) (int, error) {
	if d.buffer != nil {
		d.buffer.Store(true)
		return len(b), nil
	}
	return 0, errors.New("broken pipe")
}

// String says what fails.
func (d deaf) String() string {
	if d.buffer != nil {
		return "a client to whom each flush behind a write fails, and no write, which only fills a buffer"
	}
	return "a client to whom every write fails"
}

func (d deaf) FlushError() error {
	if d.flushes || d.buffer != nil && !d.buffer.Load() {
		return nil
	}
	return errors.New("broken pipe")
}

func checkShutdown(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { shutdownBeforeTheAnswer(t, open()) })
	t.Virtual(func(t *conform.T) { shutdownUnnoticed(t, open()) })
	for _, h2 := range []bool{false, true} {
		t.Virtual(func(t *conform.T) {
			src := newSource(t)
			api := serveAt(t, fake.InMemory("api").Door(), open().Handler(kit.Pods, src), h2)
			defer api.close()
			all := []*listening{api.listen("/api/v1/pods?watch=1"), api.listen("/api/v1/namespaces/web/pods?watch=1")}
			src.put("web", "a")
			for _, l := range all {
				defer l.hang()
				l.opened(t)
				l.brings(t, src.log[0].event)
			}
			t.Note("the server ends the contexts of its requests")
			api.shutdown()
			for _, l := range all {
				l.quiet(t, "The context of a request was done, the source has no event, and Handler wrote to its watch.")
				l.cleanly(t, "The context of a request was done, and its watch went on.")
			}
			src.gone(t, "The contexts of all requests were done, and a watch of the source goes on.")
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			err := api.server.Shutdown(ctx)
			t.Require(err == nil, "The contexts of all requests are done, and a minute later Shutdown still waits for a watch: %v.", err)
		})
	}
}

// shutdownBeforeTheAnswer has the contexts of requests end before the source has answered, which then returns an error.
// The clients are there still.
func shutdownBeforeTheAnswer(t *conform.T, s Subject) {
	src := waiting{newSource(t), make(chan struct{})}
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	defer close(src.over)
	paths := []string{"/api/v1/pods", "/api/v1/pods?watch=1"}
	var all []*listening
	for _, path := range paths {
		l := api.listen(path)
		defer l.hang()
		all = append(all, l)
	}
	t.Wait()
	t.Note("the server ends the contexts of its requests")
	api.shutdown()
	for i, l := range all {
		l.cleanly(t, "The context of a request was done, the source returned an error, and Handler has not answered.")
		what := "The context of a request was done before the source had answered, the source returned an error, and GET " + paths[i]
		requireStatus(t, what, l.reply(t), 500, kit.ReasonInternalError)
	}
}
