package serverstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing/iotest"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var public = []conform.Case[Subject]{
	{
		Name:   "side-by-side",
		Points: 4,
		Func:   "Serve",
		Look:   []string{"Serve", "NewAPI", "NewMetrics"},
		Rule:   "Servers run at the same time, each on its own listener with its own routes.",
		Why:    "A controller-runtime manager has its webhooks on one port and its metrics on another: a client that may scrape need not be allowed to call.",
		Hint: []string{
			"http.Server.Serve blocks for as long as it serves. Who starts the second server?",
			"http.HandleFunc registers in one table for the whole process. What gives each server a table of its own?",
			"http.NewServeMux in NewAPI and in NewMetrics; one goroutine for each http.Server in Serve.",
		},
		Contract: []string{
			"Serve runs the servers side by side until ctx is done or one of them fails",
			"answers /metrics with the counters and everything else with 404",
			"any number of API servers can live in one process",
			"nothing is registered in http.DefaultServeMux",
		},
		Source: "Go net/http/server.go: ServeMux; controller-runtime pkg/metrics/server/server.go: defaultServer.Start",
		Public: true,
		Check:  checkSideBySide,
	},
	{
		Name:   "probes-while-serving",
		Long:   true,
		Points: 3,
		Func:   "NewAPI",
		Rule:   "While the server serves, /healthz and /readyz answer 200 and ok, and all other paths are app's.",
		Why:    "The kubelet restarts a container whose /healthz fails. A pod whose /readyz fails gets no traffic from its Services.",
		Hint: []string{
			"A pattern of ServeMux that ends in a slash matches all that begins with it. Which pattern matches everything?",
		},
		Contract: []string{
			`200 and the body "ok", from the first request to the last`,
			`200 and the body "ok" until shutdown begins (see Serve), then 503`,
			"the rest   is app's",
			"All others are handed to app at once, before their body has arrived and however many are under way.",
			"app's ResponseWriter behaves as the one that the Handler was given, which is net/http's own",
		},
		Source: "apiserver pkg/server/healthz/healthz.go: InstallReadyzHandler",
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkProbes,
	},
	{
		Name:   "ends-with-its-context",
		Points: 4,
		Func:   "Serve",
		Rule:   "When ctx ends, Serve closes every listener and returns nil; also if ctx had ended before, and at once if there is nothing to serve.",
		Why:    "A rollout stops every pod once. If a process calls that an error, each deployment pages somebody.",
		Hint: []string{
			"What does http.Server.Serve return after Shutdown? Is that an error?",
			"errors.Is(err, http.ErrServerClosed) is how a server says that Shutdown or Close was called.",
		},
		Contract: []string{
			"Serve returns nil if ctx ended the servers and every request ended within its grace",
			"With no servers it returns nil at once.",
			"No goroutine of its own outlives it.",
			"Every error wraps its cause and begins with the Name of its server and a colon",
			"Serve closes the listeners that it was given and returns nil at once; it neither listens nor serves",
			"If ctx ends later, while Serve listens, say, that is a shutdown as above.",
		},
		Source: "Go net/http/server.go: ErrServerClosed",
		Public: true,
		Check:  checkEndsWithContext,
	},
	{
		Name:   "one-failure-stops-all",
		Points: 6,
		Func:   "Serve",
		Rule:   "When one server fails, all are shut down in order, that one too, and Serve returns the error of the first to fail.",
		Why:    "A process that has lost its API and still answers its probes looks healthy, and nobody restarts it.",
		Hint: []string{
			"Which goroutine sees that a server's Serve has returned? Which others must know?",
			"errgroup.WithContext: the first error cancels a context that every server waits for. A goroutine that waits for the caller's ctx alone waits for ever.",
			"The failure has to be known at once, not when the failed server has drained.",
			"net.ErrClosed is no clean end: if it was not your Serve that closed the listener, nobody can connect.",
		},
		Contract: []string{
			"All servers go through it side by side, the one that failed included",
			"Serve returns the error of the one that failed first, even if others fail or run out of grace later, or ctx ends",
			"which is when its listener's Accept fails for good, also if somebody else has closed the listener",
			"After an error that says of itself that it is Temporary, net/http calls Accept again.",
			"No goroutine of its own outlives it.",
			"Every error wraps its cause and begins with the Name of its server and a colon",
		},
		Source: "x/sync errgroup/errgroup.go: WithContext; controller-runtime pkg/manager/server.go: Server.Start (its goroutine waits for ctx alone)",
		Public: true,
		Check:  checkOneFailure,
	},
	{
		Name:   "in-flight-requests-finish",
		Points: 6,
		Func:   "Serve",
		Rule:   "Requests under way when shutdown begins get their whole answer within the grace, and Serve returns after them.",
		Why:    "A rollout that cuts off requests is an outage for each of those clients, many times a day.",
		Hint: []string{
			"What is the difference between http.Server.Close and http.Server.Shutdown?",
			"When does http.Server.Serve return: when Shutdown begins or when it has ended? Which of the two does your Serve wait for?",
			"Shutdown gives up when its context is done. Which context do you give it?",
		},
		Contract: []string{
			"Requests under way may take Grace to end and get their whole answer. The server ends soon after the last of them.",
			"A client that has connected and not yet sent a whole header may delay that for some seconds",
		},
		Source: "Go net/http/server.go: Server.Shutdown (make sure the program doesn't exit and waits instead for Shutdown to return)",
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkInFlight,
	},
	{
		Name:   "counts-answers",
		Points: 6,
		Func:   "NewMetrics",
		Look:   []string{"NewMetrics", "the wrapper that NewAPI puts around app"},
		Rule:   "/metrics shows every answered request of app under its status, in the text exposition format.",
		Why:    "An alert on the share of 500s is often the first sign of a bad rollout.",
		Hint: []string{
			"You can't ask a ResponseWriter for its status. What sees the call of WriteHeader?",
			"Embed the ResponseWriter in a type of your own that overrides WriteHeader and Write. A handler that calls neither has answered 200.",
			"'_' sorts before '{': sorting the series alone tears a metric apart. Sort by the metric's name first.",
		},
		Contract: []string{
			"Every request to app is counted in counters when app has returned, before its answer is complete",
			"with the status that the answer has",
			"That is the first status that app sets, because net/http ignores all that follow",
			"never an informational one (1xx, except 101)",
			"A Write or a Flush before any status sets 200, even if it fails. So does a return without any status.",
			"Series of one metric stand together, after one line",
			"each series with its count",
			"A series is named as the exposition format writes it",
			"in the text exposition format, whatever the client says that it accepts",
			"A scrape is a GET; a query in its URL changes nothing.",
			"Each of its series begins at zero when it is first counted, is not shown before that, and only ever grows.",
			"Requests to the probes are not counted.",
			"A scrape that begins after Inc has returned shows it.",
			"A server keeps a connection open for its client's next request, as net/http does.",
		},
		Source: "Prometheus documentation, Exposition formats: all lines for a given metric must be provided as one single group",
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkCounts,
	},
}

func checkSideBySide(t *conform.T, open func() Subject) {
	s := open()
	first, second, third := fake.Loopback(t, "api"), fake.Loopback(t, "admin"), fake.Loopback(t, "metrics")
	counters := s.Counters()
	v := serve(t, s,
		s.API(says("hello"), counters, Settings{Listener: first}),
		s.API(says("admin"), counters, Settings{Name: "admin", Listener: second}),
		s.Metrics(counters, Settings{Listener: third}))
	body := v.mustGet(first, "/", 200, "The API server should answer with its app.").body
	t.Require(body == "hello", "The app of the API server answers “hello”, and its client got %q.", body)
	body = v.mustGet(second, "/", 200, "The second API server should answer with its app.").body
	t.Require(body == "admin", "The app of the second API server answers “admin”, and its client got %q.", body)
	body = v.mustGet(first, "/metrics", 200, "/metrics is a route of the metrics server alone; on the API server it is app's.").body
	t.Require(body == "hello", "/metrics is a route of the metrics server alone; on the API server it is app's, which answers “hello”, and its client got %q.", body)
	v.mustGet(third, "/metrics", 200, "The metrics server did not answer.")
	v.mustGet(third, "/", 404, "The metrics server has no other route than /metrics.")
	for _, path := range []string{"/healthz", "/metrics/", "/metrics/x", "/metricsx"} {
		v.mustGet(third, path, 404, "The metrics server has no other route than /metrics.")
	}
	for _, path := range []string{"/", "/healthz", "/readyz", "/metrics"} {
		_, pattern := http.DefaultServeMux.Handler(httptest.NewRequest(http.MethodGet, path, nil))
		t.Require(pattern == "", "http.DefaultServeMux has the pattern %s, which answers %s: nothing is registered there.", pattern, path)
	}
	v.cancel()
	v.cleanly()
}

func checkProbes(t *conform.T, open func() Subject) {
	s, api := open(), fake.InMemory("api")
	server := s.API(handler(tellsItsPath), s.Counters(), Settings{Listener: api})
	readyBefore(t, s, server)
	v := serve(t, s, server)
	for range 2 { // a probe may not change what it probes
		for _, path := range []string{"/healthz", "/readyz", "/healthz?verbose", "/readyz?verbose=1"} {
			body := v.mustGet(api.Door(), path, 200, "The server is serving.").body
			t.Require(body == "ok", "The server is serving, and the body of %s is %q: it should be “ok”.", path, body)
		}
	}
	for _, path := range []string{"/", "/api/v1/pods", "/readyz/", "/healthz/", "/readyz/x", "/healthz/x", "/healthzx", "/livez", "/pods/healthz", "/pods/readyz"} {
		r := v.mustGet(api.Door(), path, http.StatusTeapot, "A path that is no probe did not reach app.")
		t.Require(r.body == path, "The client asked for %s, and app saw the path %q.", path, r.body)
	}
	answersAsApp(t, v, api.Door())
	takesLargeBodies(t, api.Door())
	v.ends()
	answersManyAtOnce(t, s)
	servesManyAtOnce(t, s)
}

func checkEndsWithContext(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, metrics := open(), fake.InMemory("api"), fake.InMemory("metrics")
		counters := s.Counters()
		ctx, cancel := context.WithCancelCause(context.Background())
		t.Note("both servers have the Name api; ctx will end with a cause of its own")
		v := serveUntil(ctx, func() { cancel(errors.New("the cause")) }, t, s,
			s.API(says("hello"), counters, Settings{Listener: api}), s.Metrics(counters, Settings{Name: "api", Listener: metrics}))
		kept := newClient(api.Door()) // its connection stays open between two requests
		defer kept.close()
		first := kept.get(t.Actor, "/")
		t.Require(first.code == 200, "Two servers are served, and both have the Name api. The first, an API server, should have answered 200, and the client got: %v.", first)
		v.stays(time.Minute, "its context had not ended and no server had failed")
		v.ends()
		t.Assert(api.Closed() && metrics.Closed(), "Serve returned and left a listener open.")
	})
	t.Virtual(func(t *conform.T) {
		s, api, last := open(), fake.InMemory("api"), fake.InMemory("last")
		over, cancel := context.WithTimeoutCause(context.Background(), 0, errors.New("the cause"))
		defer cancel()
		v := serveIn(over, t, s,
			s.API(says("hello"), s.Counters(), Settings{Listener: api, Delay: time.Minute}),
			s.Plain(says("hello"), Settings{Name: "bad", Addr: "127.0.0.1:99999"}), // no such port
			s.Plain(says("hello"), Settings{Name: "last", Listener: last, Addr: "127.0.0.1:99999"}))
		v.within(tolerance, "Serve did not return although its context had ended before the call.")
		t.Require(v.err == nil, "ctx had ended before Serve was called, and Serve returned %s: it should have returned nil, without listening or serving.", conform.Said(v.err))
		for _, d := range []*fake.Memory{api, last} {
			t.Assert(d.Closed(), "Serve was called with a context that had ended, and left the listener of %s open, which it was given.", d.Name)
			t.Assert(!d.Asked(), "Serve was called with a context that had ended, and began to serve %s.", d.Name)
		}
	})
	checkUnwilling(t, open)
	checkEndsMeanwhile(t, open)
	checkNothingToServe(t, open)
}

// checkNothingToServe calls Serve without a server.
func checkNothingToServe(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		v := serve(t, open())
		v.within(tolerance, "Serve did not return at once although there was no server.")
		v.cleanly()
	})
	t.Virtual(func(t *conform.T) {
		s := open()
		never, _ := conform.Foreign(t.Context(), nil)
		err := conform.Do(t.Actor, func() error { return s.Serve(never) }, "Serve(ctx), without a server; ctx has a type of its caller's own")
		t.Require(err == nil, "There was no server, and Serve returned %s: it should have returned nil.", conform.Said(err))
		t.Note("ctx has not ended, and never will: what waits for its end stays")
	})
}

func checkOneFailure(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { // no requests; the second of three fails, nobody ends ctx
		s, doors := open(), []*fake.Memory{fake.InMemory("a"), fake.InMemory("b"), fake.InMemory("c")}
		var servers []Handle
		for _, d := range doors {
			servers = append(servers, s.Plain(says("hello"), Settings{Name: d.Name, Listener: d}))
		}
		v := serve(t, s, servers...)
		v.doors = doors
		time.Sleep(time.Second)
		t.Note("the listener of b breaks, shutdown begins")
		doors[1].Breaks(errFirst)
		v.within(tolerance, "The server b failed, no request was under way, and Serve did not return.")
		t.Require(errors.Is(v.err, errFirst), "The server b failed with “%v”, and Serve returned “%v”.", errFirst, v.err)
		t.Assert(doors[0].Closed() && doors[2].Closed(), "The server b failed, and Serve returned and left a sibling's listener open.%s", listening(doors))
		named(t, v.err, "b")
	})
	checkAnEcho(t, open)
	checkNobodyLeft(t, open)
	checkClosedOutside(t, open)
	checkAloneClosedOutside(t, open)
	checkFailureThenEnd(t, open)
	checkFailsForGood(t, open)
	checkTemporary(t, open)
	checkAllFail(t, open)
}

// checkAnEcho has a server fail during the delay of the shutdown that another's failure has begun.
func checkAnEcho(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, metrics, admin := open(), fake.InMemory("api"), fake.InMemory("metrics"), fake.InMemory("admin")
		counters := s.Counters()
		v := serve(t, s,
			s.API(takes(5*time.Second), counters, Settings{Listener: api, Grace: time.Minute}),
			s.Metrics(counters, Settings{Listener: metrics, Delay: 2 * time.Second}),
			s.Plain(says("hello"), Settings{Name: "admin", Listener: admin}))
		v.doors = []*fake.Memory{api, metrics, admin}
		asking := newClient(api.Door())
		defer asking.close()
		last := asking.ask(t, "client", "/")
		time.Sleep(time.Second)
		t.Note("the listener of api breaks, shutdown begins")
		api.Breaks(errFirst)
		time.Sleep(time.Second)
		if !admin.Closed() {
			heardLate(t, v, api, admin, last)
		}
		t.Note("the listener of admin is closed")
		t.Note("the listener of metrics breaks too, during its delay")
		metrics.Breaks(errSecond)
		v.within(3*time.Second+tolerance, "A server failed, and Serve did not return when the last request had ended.")
		t.Wait()
		t.Require(probe.Closed(last.done), "Serve returned while a request of the failed server was under way.")
		t.Require(last.err == nil, "The listener of a server broke, and a request that was under way there did not get its answer: %v.", last.err)
		t.Require(errors.Is(v.err, errFirst), "The server api failed first, after 1s, with “%v”, and metrics after 2s, with “%v”. Serve returned “%v”: not the first error.", errFirst, errSecond, v.err)
		t.Assert(!errors.Is(v.err, errSecond), "The server api failed first, and Serve's error is about metrics, too, which failed later: “%v”.", v.err)
		named(t, v.err, "api")
		t.Note("ctx has not ended, and never will: what waits for its end stays")
	})
}

// heardLate says of a sibling that has not heard of a failure whether it hears of it later, and with what.
func heardLate(t *conform.T, v *serving, failed, sibling *fake.Memory, last *later) {
	t.Note("the listener of %s is %s, that of %s is open", failed.Name, openOr(failed), sibling.Name)
	begun := t.Elapsed()
	<-last.done
	time.Sleep(tolerance)
	t.Note("the last request of %s has ended, and the listener of %s is %s", failed.Name, sibling.Name, openOr(sibling))
	var when string
	if sibling.Closed() {
		when = fmt.Sprintf("It had when the last request of %s had ended, at %v: no server waits for the drain of another, or for its Delay.", failed.Name, last.at)
	} else {
		v.cancel()
		time.Sleep(tolerance)
		when = fmt.Sprintf("It did not when the last request of %s had ended, at %v. When ctx was cancelled after that, its listener was %s.", failed.Name, last.at, openOr(sibling))
	}
	t.Fatalf("The server %s failed at 1s, and at %v its sibling %s, which has no delay, had not begun to shut down. %s", failed.Name, begun, sibling.Name, when)
}

// openOr says what has become of a listener.
func openOr(d *fake.Memory) string {
	if d.Closed() {
		return "closed"
	}
	return "open"
}

// checkNobodyLeft has a server fail, during the delay, with an error that takes two seconds
// to compare: whichever goroutine asks what it is ends before Serve returns.
func checkNobodyLeft(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, a, b := open(), fake.InMemory("a"), fake.InMemory("b")
		v := serve(t, s, // the first to fail is not the first of the servers
			s.Plain(says("hello"), Settings{Name: "b", Listener: b, Delay: 2 * time.Second}),
			s.Plain(says("hello"), Settings{Name: "a", Listener: a}))
		time.Sleep(time.Second)
		t.Note("the listener of a breaks, shutdown begins")
		a.Breaks(errFirst)
		time.Sleep(time.Second)
		t.Note("the listener of b breaks too")
		slow := &slowError{}
		b.Breaks(slow)
		v.within(4*time.Second+tolerance, "Two servers failed, and Serve did not return when the last delay was over.")
		t.Require(slow.busy.Load() == 0, "Serve returned, and a goroutine of its own was still at work: it was looking at the error of b, which had failed.")
		t.Require(errors.Is(v.err, errFirst), "The server a failed first, with “%v”, and b a second later. Serve returned %s: it should have returned the error of the one that failed first.", errFirst, conform.Said(v.err))
	})
}

// slowError takes its time to say that it is no other.
type slowError struct{ busy atomic.Int32 }

func (*slowError) Error() string { return "the listener broke in a way that takes time to see" }

// Is notes who is at it.
func (e *slowError) Is(error) bool {
	e.busy.Add(1)
	defer e.busy.Add(-1)
	time.Sleep(2 * time.Second)
	return false
}

// named requires that the error begins with the name of the server that it is about.
func named(t *conform.T, err error, server string) {
	text := ""
	if strings.Contains(server, "%") {
		text = " A Name is text, and no format: it may have a % in it."
	}
	t.Assert(strings.HasPrefix(err.Error(), server+":"), "The error of a server does not begin with %q, the Name of that server and a colon. It is “%v”.%s", server+":", err, text)
}

func checkInFlight(t *conform.T, open func() Subject) {
	s, api := open(), fake.InMemory("api")
	app := handler(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			n, err := io.Copy(io.Discard, r.Body)
			io.WriteString(w, received(n, err))
			return
		}
		takes(8*time.Second).ServeHTTP(w, r)
	})
	v := serve(t, s, s.API(app, s.Counters(), Settings{Listener: api, Grace: 10 * time.Second}))
	asking := newClient(api.Door())
	defer asking.close()
	last := asking.ask(t, "client", "/")
	upload := uploads(t, api.Door(), 3*time.Second)
	time.Sleep(time.Second)
	v.cancel()
	v.stays(5*time.Second, "a request was under way and its grace was not over")
	<-upload.done
	upload.whole(t, received(2, nil))
	<-last.done
	last.whole(t, "done")
	v.within(tolerance, "Serve did not return when the last request had ended.")
	v.cleanly()
	endsBesideTheSilent(t, s)
}

// means are what statuses does for each path, as the history has it.
var means = map[string]string{
	"/":          "returns",
	"/missing":   "http.NotFound",
	"/twice":     "WriteHeader(202), Write, Write",
	"/wrong":     "WriteHeader(202), WriteHeader(1000)",
	"/text":      "Write, WriteHeader(418)",
	"/hints":     "WriteHeader(100), WriteHeader(102), WriteHeader(103), WriteHeader(199), WriteHeader(201), WriteHeader(418)",
	"/copied":    "io.Copy",
	"/absent":    "io.Copy from a reader that has nothing, WriteHeader(404)",
	"/unread":    "io.Copy from a reader that fails at once, WriteHeader(502)",
	"/flushed":   "Flush, WriteHeader(418), Write",
	"/empty":     "WriteHeader(204)",
	"/unchanged": "WriteHeader(304)",
	"/busy":      "WriteHeader(503)",
	"/odd":       "WriteHeader(799)",
}

// statuses answers with a status for each path, in one of the ways in which a handler may say it.
func statuses(a *conform.Actor, w http.ResponseWriter, r *http.Request) {
	a.Note("%s: %s", r.URL.Path, means[r.URL.Path])
	switch r.URL.Path {
	case "/missing":
		http.NotFound(w, r)
	case "/twice":
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, "a")
		io.WriteString(w, "b")
	case "/wrong":
		w.WriteHeader(http.StatusAccepted)
		w.WriteHeader(1000) // no status at all, and too late: net/http does not look at it
	case "/text":
		io.WriteString(w, "hello")
		w.WriteHeader(http.StatusTeapot) // too late: the answer has its status
	case "/hints":
		w.WriteHeader(http.StatusContinue)
		w.WriteHeader(http.StatusProcessing)
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(199) // the last that is informational
		w.WriteHeader(http.StatusCreated)
		w.WriteHeader(http.StatusTeapot)
	case "/copied", "/absent", "/unread":
		copies(w, r.URL.Path)
	case "/flushed":
		http.NewResponseController(w).Flush()
		w.WriteHeader(http.StatusTeapot) // too late, too
		io.WriteString(w, "hello")
	case "/empty":
		w.WriteHeader(http.StatusNoContent)
	case "/unchanged":
		w.WriteHeader(http.StatusNotModified)
	case "/busy":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "/odd":
		w.WriteHeader(799) // no status that anybody knows, but one that net/http sends
	}
}

// copies answers with io.Copy, which uses w's ReadFrom where there is one. A reader without a byte begins no answer.
func copies(w http.ResponseWriter, path string) {
	switch path {
	case "/copied":
		io.Copy(w, io.LimitReader(strings.NewReader("hello"), 5))
	case "/absent":
		io.Copy(w, io.LimitReader(strings.NewReader(""), 5))
		w.WriteHeader(http.StatusNotFound)
	case "/unread":
		io.Copy(w, struct{ io.Reader }{iotest.ErrReader(errFirst)})
		w.WriteHeader(http.StatusBadGateway)
	}
}

// otherSeries are counted beside those of app. Sorted as plain strings, the series of jobs_total are not together.
var otherSeries = []string{
	`jobs_total{kind="b"}`, "jobs_total", "jobs_total_x", "jobs_total", `jobs_total{kind="a"}`, `jobs_total{kind="{c}"}`, `jobs_total{kind="50%d"}`,
	`jobs_total{kind="d e"}`, `jobs_total{kind="\\f\"g"}`, `jobs_total{kind="z,a",of="}"}`, `jobs_total{kind="größer"}`, "jobs:failed:total",
}

func checkCounts(t *conform.T, open func() Subject) {
	s, api, metrics := open(), fake.InMemory("api"), fake.InMemory("metrics")
	counters := s.Counters()
	a := t.Named("app")
	app := handler(func(w http.ResponseWriter, r *http.Request) { statuses(a, w, r) })
	v := serve(t, s, s.API(app, counters, Settings{Listener: api}), s.Metrics(counters, Settings{Listener: metrics}))
	asking := newClient(api.Door())
	defer asking.close()
	asksForAll(t, asking)
	for _, series := range otherSeries {
		t.Do(func() { counters.Inc(series) }, "Inc(%s)", series)
	}
	r := mustGet(t, metrics.Door(), "/metrics", 200, "The metrics server did not answer.")
	shows(t, counts(t, r.header, r.body), map[string]float64{
		`http_requests_total{code="200"}`: 4,
		`http_requests_total{code="201"}`: 1,
		`http_requests_total{code="202"}`: 2,
		`http_requests_total{code="204"}`: 1,
		`http_requests_total{code="304"}`: 1,
		`http_requests_total{code="404"}`: 4,
		`http_requests_total{code="502"}`: 1,
		`http_requests_total{code="503"}`: 1,
		`http_requests_total{code="799"}`: 1,
		"jobs_total":                      2,
		`jobs_total{kind="a"}`:            1,
		`jobs_total{kind="b"}`:            1,
		`jobs_total{kind="{c}"}`:          1,
		`jobs_total{kind="50%d"}`:         1,
		`jobs_total{kind="d e"}`:          1,
		`jobs_total{kind="\\f\"g"}`:       1,
		`jobs_total{kind="z,a",of="}"}`:   1,
		`jobs_total{kind="größer"}`:       1,
		"jobs_total_x":                    1,
		"jobs:failed:total":               1,
	}, "Each answer of app is counted once, under the status that its client got, and nothing else is.")
	staysTogether(t, s, counters)
	v.ends()
	countsTheRest(t, s)
}

// countsTheRest is what checkCounts looks at one by one.
func countsTheRest(t *conform.T, s Subject) {
	countsInTime(t, s)
	showsTheLatest(t, s)
	countsASwitch(t, s)
	countsBeforeTheEnd(t, s)
	countsNoProbes(t, s)
	countsTheGone(t, s)
	countsALot(t, s)
	keepsItsConnections(t, s)
}

// asksForAll asks for each path of statuses, for the probes, and some more.
func asksForAll(t *conform.T, asking *client) {
	for _, path := range []string{"/", "/text", "/missing", "/twice", "/wrong", "/hints", "/copied", "/absent", "/unread", "/flushed", "/healthz", "/readyz",
		"/empty", "/unchanged", "/busy", "/odd", "/missing", "HEAD /missing"} {
		method, path := methodOf(path)
		r := asking.send(t.Actor, method, path, nil)
		t.Require(r.err == nil, "%s %s got no answer from the API server, and app did this for it: %s. The client got: %v.", method, path, means[path], r.err)
		t.Require(path != "/copied" || r.body == "hello", "app answered “hello” with io.Copy, and its client got %q.", r.body)
	}
}

// methodOf takes a request apart: "HEAD /x", or "/x" for a GET.
func methodOf(request string) (method, path string) {
	if method, path, ok := strings.Cut(request, " "); ok {
		return method, path
	}
	return http.MethodGet, request
}
