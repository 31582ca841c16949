package serverstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hiddenShutdown = []conform.Case[Subject]{
	{
		Name:   "refuses-new-connections",
		Points: 5,
		Func:   "Serve",
		Rule:   "Once the delay is over new connections are refused, while requests under way still have their grace.",
		Why:    "A client tries a refused connection again elsewhere; a connection that a dying process accepts is lost.",
		Hint: []string{
			"Is the listener closed before the last request has ended, or after?",
			"http.Server.Shutdown does it in the right order: listener, idle connections, then it waits.",
		},
		Contract: []string{
			"After Delay the listener is closed, so that new connections are refused",
			"Requests under way may take Grace to end and get their whole answer.",
		},
		Source: "Go net/http/server.go: Server.Shutdown",
		Check:  checkRefuses,
	},
	{
		Name:   "readyz-turns-first",
		Points: 6,
		Func:   "Serve",
		Look:   []string{"Serve", "NewAPI"},
		Rule:   "/readyz turns 503 as soon as shutdown begins; /healthz stays 200, and during Delay all requests are served as before.",
		Why:    "Endpoints leave a Service some seconds after a pod begins to stop; a server that closes its listener before that refuses clients that did nothing wrong.",
		Hint: []string{
			"How does the handler of /readyz learn that shutdown has begun, and when: before the delay or after it?",
			"A flag that NewAPI makes, Serve sets and the handler reads. They are different goroutines: atomic.Bool.",
			"Not ready is not dead: a /healthz that fails gets the container killed in the middle of its drain.",
		},
		Contract: []string{
			"At once, /readyz of every server made by NewAPI turns 503.",
			"Nothing else changes during Delay: new connections and requests are served as before.",
			"A server keeps a connection open for its client's next request, as net/http does. (It may close one that has waited for a minute",
			"A server that failed gets no new connections; it serves those it has, request after request.",
			"connections that wait for their next request are closed",
			"All servers go through it side by side, the one that failed included",
			"/readyz is about its own shutdown: any number of API servers can live in one process",
			"several may have the same",
			"All fields may be set until the Server is handed to Serve",
			"so does a handler of yours around theirs",
			`200 and the body "ok", from the first request to the last`,
		},
		Source: "apiserver pkg/server/genericapiserver.go: ShutdownDelayDuration (addReadyzShutdownCheck)",
		Check:  checkReadyzFirst,
	},
	{
		Name:   "grace-is-bounded",
		Points: 6,
		Func:   "Serve",
		Rule:   "When the grace is over, which begins when the delay ends, Serve closes the connections that are left and returns an error that is context.DeadlineExceeded, unless a server had failed before.",
		Why:    "After terminationGracePeriodSeconds the kubelet kills the process: what it has not cleaned up by then stays that way.",
		Hint: []string{
			"What does Shutdown return when its context ends first? Has it closed anything by then?",
			"Shutdown leaves the connections that are busy alone. Close is for those.",
			"Two errors may be there at the end: of a server that failed, and of one that ran out of grace after that. Which is the cause?",
		},
		Contract: []string{
			"When Grace is over, connections that still carry a request are closed.",
			"A handler that goes on all the same is not waited for.",
			"Serve returns an error that wraps context.DeadlineExceeded",
			"Serve returns the error of the one that failed first, even if others fail or run out of grace later, or ctx ends",
			"No goroutine of its own outlives it.",
		},
		Source: "Go net/http/server.go: Server.Shutdown, Server.Close; controller-runtime pkg/manager/manager.go: GracefulShutdownTimeout",
		Check:  checkGraceBounded,
	},
	{
		Name:   "streams-end-with-the-shutdown",
		Points: 9,
		Func:   "Serve",
		Rule:   "Whatever began the shutdown, the contexts of requests are cancelled when the delay is over and the listener is closed; before, each ends with its client or its handler alone.",
		Why:    "Every watch is a request that never ends by itself: unless the server ends it, each rollout waits out the whole grace; and if the server ends it while the listener is still open, ten thousand watchers come back to the process that is stopping.",
		Hint: []string{
			"Where does the context of a request come from? http.Server has a field for its ancestor.",
			"If BaseContext returns ctx, requests end before their delay when ctx ends, and never when a server fails.",
			"Make a context of your own for requests. Shutdown closes the listener first and then calls what was registered with RegisterOnShutdown.",
		},
		Contract: []string{
			"After the listener, and not before, the contexts of all requests are cancelled",
			"It is cancelled when its client goes away, when its handler returns, and in step 2; the end of ctx alone does not cancel it.",
			"a stream ends then, and its client is refused when it comes back at once",
			"Serve returns nil if ctx ended the servers and every request ended within its grace",
			"Serve returns the error of the one that failed first, even if others fail or run out of grace later, or ctx ends",
			"All servers go through it side by side, the one that failed included, each with its own Delay and Grace",
		},
		Source: "Go net/http/server.go: Server.BaseContext, Server.RegisterOnShutdown; controller-runtime pkg/internal/httpserver/server.go: New",
		Check:  checkStreamsEnd,
	},
	{
		Name:   "drains-side-by-side",
		Points: 5,
		Func:   "Serve",
		Rule:   "All servers go through their shutdown at the same time, each with its own delay and grace.",
		Why:    "Two servers that drain one after the other take twice the grace, and the kubelet does not wait twice as long.",
		Hint: []string{
			"Shutdown blocks. Who shuts down the second server meanwhile?",
		},
		Contract: []string{
			"All servers go through it side by side, the one that failed included, each with its own Delay and Grace",
			"When Grace is over, connections that still carry a request are closed.",
			"If no server failed and one ran out of grace, Serve returns an error",
			"DefaultGrace stands in for a Grace of zero.",
			"several may have the same",
			"After the listener, and not before, the contexts of all requests are cancelled",
			"Every error wraps its cause and begins with the Name of its server and a colon.",
		},
		Source: "controller-runtime pkg/manager/runnable_group.go: runnableGroup",
		Mode:   conform.Virtual,
		Check:  checkSideBySideDrain,
	},
	{
		Name:   "values-reach-handlers",
		Points: 3,
		Func:   "Serve",
		Rule:   "The context of a request carries the values of ctx.",
		Why:    "Loggers and traces travel in contexts; without them a handler writes log lines that belong to no request.",
		Hint: []string{
			"You want the values of a context without its end. Package context has a function for exactly this.",
			"context.WithoutCancel(ctx), and a WithCancel of your own around it.",
		},
		Contract: []string{"The context of a request carries the values of ctx."},
		Source:   "Go context/context.go: WithoutCancel",
		Mode:     conform.Virtual,
		Check:    checkValues,
	},
	{
		Name:   "cannot-listen",
		Points: 5,
		Func:   "Serve",
		Look:   []string{"Serve", "NewMetrics"},
		Rule:   "If one server can't listen, Serve returns its error, closes the listeners of all others and serves none of them.",
		Why:    "With two managers on one host and the same metrics port, the second must exit and say why, not run by half.",
		Hint: []string{
			"Which listeners are open when the last net.Listen fails? And which would be if the first failed?",
			"Listen for all before you serve any; on an error close all that were opened and all that were given.",
		},
		Contract: []string{
			"If one can't listen, Serve closes every listener, those it was given too, and returns that error.",
			"serves only when all of them are listening",
			`where to listen, as net.Listen("tcp", Addr) understands it`,
			`Its Name is "metrics"`,
			"if not nil, it is served and Addr is not looked at",
		},
		Source: "controller-runtime pkg/metrics/server/server.go: defaultServer.Start (a metrics server that can't bind makes Start fail)",
		Check:  checkCannotListen,
	},
	{
		Name:   "slow-headers-are-cut-off",
		Points: 5,
		Func:   "Serve",
		Rule:   "A client that has not sent its header within ReadHeaderTimeout is cut off; a slow body or a slow answer is not.",
		Why:    "Slowloris: a thousand connections that send one byte a second hold a server that waits for them for ever. And an upload is no attack.",
		Hint: []string{
			"Without limits http.Server waits for ever. It has four timeouts: which of them bounds the header and nothing else?",
			"ReadTimeout bounds the body too, WriteTimeout the answer: either would end every watch.",
		},
		Contract: []string{
			"ReadHeaderTimeout is how long a client may take to send the header of a request; after that its connection is closed. It bounds neither the body nor the answer.",
			"DefaultReadHeaderTimeout stands in for a ReadHeaderTimeout of zero.",
			"A server keeps a connection open for its client's next request, as net/http does.",
			"It is cancelled when its client goes away, when its handler returns, and in step 2",
		},
		Source: "Go net/http/server.go: Server.ReadHeaderTimeout; controller-runtime pkg/internal/httpserver/server.go: New",
		Check:  checkSlowHeaders,
	},
}

func checkRefuses(t *conform.T, open func() Subject) {
	s, api := open(), fake.Loopback(t, "api")
	entered, draining, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done() // after the delay, which is none
		close(draining)
		<-release
		io.WriteString(w, "done")
	}), s.Counters(), Settings{Listener: api}))
	asking := newClient(api)
	defer asking.close()
	last := asking.ask(t, "client", "/")
	<-entered
	v.cancel()
	<-draining
	var conn net.Conn
	err := conform.Do(t.Actor, func() (err error) { conn, err = api.Dial(t.Context()); return err }, "dial api")
	if err == nil {
		conn.Close()
	}
	close(release)
	t.Require(err != nil, "The delay was over and a request still had its grace, and a new connection was accepted: the listener should have been closed.")
	<-last.done
	last.whole(t, "done")
	v.cleanly()
}

func checkReadyzFirst(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, metrics, second := open(), fake.InMemory("api"), fake.InMemory("metrics"), fake.InMemory("second")
		counters := s.Counters()
		apart := servesApart(t, s, counters)
		t.Note("api and second have a Delay of 10s and both the Name api, metrics has one of 20s")
		v := serve(t, s,
			s.API(says("hello"), counters, Settings{Listener: api, Delay: 10 * time.Second}),
			s.API(says("hello"), s.Counters(), Settings{Listener: second, Delay: 10 * time.Second}),
			s.Metrics(counters, Settings{Listener: metrics, Delay: 20 * time.Second}))
		kept := newClient(api.Door()) // sees the same through a connection it had before
		defer kept.close()
		before := kept.get(t.Actor, "/readyz")
		t.Require(before.code == 200, "The server was serving, and /readyz answered %v: it should have answered 200.", before)
		v.cancel()
		t.Wait()
		for range 3 {
			t.Require(!api.Closed(), "At %v after shutdown had begun, in its Delay of 10s, the listener of api was closed: the Delay comes first, and a server in it goes on as before, but for /readyz.", t.Elapsed())
			mustGet(t, api.Door(), "/readyz", 503, "/readyz did not turn 503 as soon as shutdown began.")
			mustGet(t, second.Door(), "/readyz", 503, "/readyz of a second API server, which has the same Name, did not turn 503 as soon as shutdown began.")
			again := kept.get(t.Actor, "/readyz")
			t.Require(again.code == 503, "Shutdown had begun, and /readyz answered on an old connection with %v: it should have answered 503.", again)
			mustGet(t, api.Door(), "/healthz", 200, "/healthz did not stay 200 while the server was shutting down.")
			mustGet(t, api.Door(), "/", 200, "A new request was not served during the delay.")
			mustGet(t, metrics.Door(), "/metrics", 200, "The metrics server did not answer during its delay.")
			time.Sleep(3 * time.Second)
		}
		time.Sleep(time.Second + tolerance)
		t.Require(api.Closed(), "The Delay of api, 10s, is over, and its listener is still open.")
		t.Require(!probe.Closed(v.done), "Serve returned before the delay of the other server was over.")
		mustGet(t, metrics.Door(), "/metrics", 200, "The metrics server did not answer during its own, longer delay.")
		v.within(10*time.Second, "Serve did not return when the last delay was over, with nothing under way.")
		v.cleanly()
		apart()
	})
	checkReadyzOnFailure(t, open)
	checkReadyzOfTheFailed(t, open)
	checkReadyzOfTheWrapped(t, open)
	checkReadyzWithoutDelay(t, open)
	checkKept(t, open)
	checkDelayStands(t, open)
}

// servesApart serves another API server in a call of Serve of its own, with the same counters. What it returns requires
// that this one is still ready, and ends it.
func servesApart(t *conform.T, s Subject, counters Counters) func() {
	apart := fake.InMemory("apart")
	v := serve(t, s, s.API(says("hello"), counters, Settings{Listener: apart}))
	return func() {
		v.mustGet(apart.Door(), "/readyz", 200, "Of two API servers with the same Counters, each in a call of Serve of its own, one was shut down, and no shutdown of the other has begun.")
		v.ends()
	}
}

// checkReadyzOnFailure has a sibling fail; nobody ends ctx.
func checkReadyzOnFailure(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
		v := serve(t, s,
			s.API(says("hello"), s.Counters(), Settings{Name: "front", Listener: api, Delay: 10 * time.Second}), // no longer "api"
			s.Plain(says("hello"), Settings{Name: "other", Listener: other}))
		mustGet(t, api.Door(), "/readyz", 200, "The server was serving, and /readyz did not answer 200. Another API server of this process had been shut down before, which is no business of this one.")
		t.Note("the listener of other breaks, shutdown begins")
		other.Breaks(errFirst)
		t.Wait()
		mustGet(t, api.Door(), "/readyz", 503, "/readyz did not turn 503 as soon as a sibling had failed.")
		mustGet(t, api.Door(), "/healthz", 200, "/healthz did not stay 200 while the server was shutting down.")
		v.within(10*time.Second+tolerance, "Serve did not return when the last delay was over, with nothing under way.")
	})
}

// checkKept has a connection wait for its next request when shutdown begins.
func checkKept(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		app := handler(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				time.Sleep(15 * time.Second)
			}
			io.WriteString(w, "done")
		})
		v := serve(t, s, s.API(app, s.Counters(), Settings{Listener: api, Delay: 10 * time.Second}))
		door, dialled := counting(api)
		kept := newClient(door)
		defer kept.close()
		r := kept.get(t.Actor, "/")
		t.Require(r.code == 200, "The server was serving, and a request was not answered with 200, but: %v.", r)
		t.Wait()
		v.cancel()
		t.Wait()
		for range 2 { // the answer to the first may not close the connection either
			r = kept.get(t.Actor, "/")
			t.Require(r.code == 200, "Shutdown had begun, with a Delay of 10s, and a request was not answered with 200, but: %v.", r)
			t.Wait()
		}
		t.Require(dialled.Load() == 1, "A connection waited for its next request in the Delay of 10s, and was closed: that comes after the Delay.")
		busy := newClient(api.Door())
		defer busy.close()
		slow := busy.ask(t, "slow client", "/slow")
		time.Sleep(10*time.Second + tolerance)
		r = kept.get(t.Actor, "/")
		t.Require(r.err != nil, "The Delay was over, and a client asked on a connection that had waited for its next request. It got %v: that connection should have been closed, and a new one refused.", r)
		<-slow.done
		slow.whole(t, "done")
		v.within(tolerance, "Serve did not return when the last request had ended.")
		v.cleanly()
	})
}

func checkGraceBounded(t *conform.T, open func() Subject) {
	const seven = 7 * time.Second
	graceIsBounded(t, open, "Grace is 7s", Settings{Grace: seven}, seven)
	graceIsBounded(t, open, "Grace is 500ms", Settings{Grace: 500 * time.Millisecond}, 500*time.Millisecond)
	graceIsBounded(t, open, "Delay is 800ms, and Grace is 500ms from its end on", Settings{Delay: 800 * time.Millisecond, Grace: 500 * time.Millisecond}, 1300*time.Millisecond)
	graceIsBounded(t, open, "Grace is 45s", Settings{Grace: 45 * time.Second}, 45*time.Second)
	graceIsBounded(t, open, "Grace is not set, which means 30s", Settings{}, 30*time.Second)
	graceIsBounded(t, open, "Delay is 10s, and Grace is 7s from its end on", Settings{Delay: 10 * time.Second, Grace: seven}, 17*time.Second)
	graceIsBounded(t, open, "Delay is 10s, and Grace is not set, which means 30s from its end on", Settings{Delay: 10 * time.Second}, 40*time.Second)
	checkFailureThenGrace(t, open)
	checkDeadlineThenGrace(t, open)
}

// graceIsBounded has two requests whose handlers never end: their connections are closed when all, which is
// Delay and then Grace, is over.
func graceIsBounded(t *conform.T, open func() Subject, set string, settings Settings, all time.Duration) {
	t.Virtual(func(t *conform.T) {
		s, api, metrics := open(), fake.InMemory("api"), fake.InMemory("metrics")
		entered, release := make(chan struct{}), make(chan struct{})
		defer close(release) // for the handlers that nothing else can stop
		counters := s.Counters()
		settings.Name, settings.Listener = "api-100%d", api
		v := serve(t, s,
			s.API(handler(func(http.ResponseWriter, *http.Request) {
				entered <- struct{}{}
				<-release
			}), counters, settings),
			s.Metrics(counters, Settings{Listener: metrics}))
		var asked []*later
		for range 2 {
			asking := newClient(api.Door())
			defer asking.close()
			asked = append(asked, asking.ask(t, "client", "/"))
			<-entered // a server may take its time to begin
		}
		v.cancel()
		const margin = 250 * time.Millisecond
		v.stays(all-margin, fmt.Sprintf("a request was under way and its grace was not over (%s)", set))
		for _, l := range asked {
			t.Require(!probe.Closed(l.done), "A request was cut off before its grace was over: %s.", set)
		}
		v.within(margin+tolerance, fmt.Sprintf("%s. The grace was over, and Serve went on waiting for a handler that does not end.", set))
		t.Wait()
		for i, l := range asked {
			t.Require(probe.Closed(l.done), "The grace was over with two requests under way, and the connection of number %d was not closed.", i+1)
			t.Require(l.err != nil, "A handler never answered, and its client got an answer: %v.", l.reply)
		}
		t.Require(v.err != nil, "The grace ran out with a request under way, and Serve returned nil: it should have returned an error that is context.DeadlineExceeded.")
		t.Require(errors.Is(v.err, context.DeadlineExceeded), "The grace ran out with a request under way, and Serve returned “%v”, which is not context.DeadlineExceeded.", v.err)
		named(t, v.err, settings.Name)
		quiet(t)
	})
}

// quiet requires that nothing polls after Serve has returned, while a handler is stuck that nobody waits for.
func quiet(t *conform.T) {
	before := probe.Wakeups()
	time.Sleep(time.Hour)
	woken, polled := probe.Woken(before)
	t.Require(!polled, "Serve returned when the grace was over, with a handler stuck, and in the next hour about %d times a goroutine woke up to look: none of Serve's own outlives it.", woken)
}

// streamDelay is the Delay of the server that has a stream in checkStreamsEnd.
const streamDelay = 40*time.Second + 500*time.Millisecond

func checkStreamsEnd(t *conform.T, open func() Subject) {
	var early, intime []string
	for _, begin := range beginnings {
		if after := streamHears(t, open, begin); after < streamDelay {
			early = append(early, fmt.Sprintf("%v after a shutdown that began as %s", after, begin.as))
		} else {
			intime = append(intime, begin.as)
		}
	}
	others := ""
	if len(intime) > 0 {
		others = fmt.Sprintf(" It was in time when the shutdown began as %s.", conform.Listed(intime))
	}
	t.Require(len(early) == 0, "The Delay is %v, and the context of a stream's request was cancelled too early: %s.%s", streamDelay, conform.Listed(early), others)
	checkDoorFirst(t, open, false)
	checkDoorFirst(t, open, true)
	for range 10 { // the client is quicker than a server that cancels before it refuses, in one of seven
		checkComesBack(t, open)
	}
	checkEndsWithItsClient(t, open)
	checkBrokenFromTheStart(t, open)
}

// beginning is how a shutdown begins.
type beginning struct {
	as    string
	begin func(v *serving, own, sibling *fake.Memory)
	limit time.Duration // how long ctx lives, if not for ever
	fails error         // what Serve returns
}

var beginnings = []beginning{
	{as: "ctx ended", begin: func(v *serving, _, _ *fake.Memory) { v.stop() }},
	{as: "the deadline of ctx passed", begin: func(*serving, *fake.Memory, *fake.Memory) {}, limit: time.Hour},
	{as: "a sibling failed", fails: errFirst, begin: func(_ *serving, _, sibling *fake.Memory) { sibling.Breaks(errFirst) }},
	{as: "its own server failed", fails: errFirst, begin: func(_ *serving, own, _ *fake.Memory) { own.Breaks(errFirst) }},
	{as: "a sibling failed, a second before ctx ended", fails: errFirst, begin: func(v *serving, _, sibling *fake.Memory) {
		sibling.Breaks(errFirst)
		time.Sleep(time.Second)
		v.t.Do(v.stop, "cancel()")
	}},
}

// streamHears returns how long after the beginning of a shutdown the context of a stream's
// request is cancelled.
func streamHears(t *conform.T, open func() Subject, shutdown beginning) (after time.Duration) {
	t.Virtual(func(t *conform.T) {
		s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
		release := make(chan struct{})
		defer close(release)
		var began, ended atomic.Int64 // the shutdown, and when the stream heard of it
		streaming := t.Named("handler")
		stream := handler(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
				streaming.Note("the context of the stream's request ends")
				if from := time.Duration(began.Load()); from == 0 || t.Elapsed() < from+streamDelay {
					streaming.Breaks("it ends before the delay of %v is over", streamDelay)
				}
				ended.Store(int64(t.Elapsed()))
				io.WriteString(w, "bye")
			case <-release:
			}
		})
		ctx := context.Background()
		if shutdown.limit != 0 {
			limited, cancel := context.WithTimeout(ctx, shutdown.limit)
			defer cancel()
			ctx = limited
		}
		v := serveIn(ctx, t, s,
			s.API(stream, s.Counters(), Settings{Listener: api, Delay: streamDelay, Grace: time.Hour}),
			s.Plain(says("hello"), Settings{Name: "other", Listener: other}))
		asking := newClient(api.Door())
		defer asking.close()
		last := asking.ask(t, "client", "/")
		time.Sleep(time.Hour - time.Second)
		t.Require(!probe.Closed(last.done), "A stream ended although nobody had ended it.")
		began.Store(int64(time.Hour))
		time.Sleep(time.Second)
		t.Note("shutdown begins, as %s", shutdown.as)
		shutdown.begin(v, api, other)
		v.within(streamDelay+tolerance, fmt.Sprintf("The shutdown began as %s. The delay of %v was over, and a stream that waits for its context kept the server from ending.", shutdown.as, streamDelay))
		<-last.done
		after = time.Duration(ended.Load() - began.Load())
		last.saysBye(t)
		t.Require(errors.Is(v.err, shutdown.fails), "The shutdown began as %s, every request ended in time, and Serve returned %s: it should have returned %s.", shutdown.as, conform.Said(v.err), conform.Said(shutdown.fails))
	})
	return after
}

// saysBye requires the end of a stream in streamHears, whose Grace is 1h.
func (l *later) saysBye(t *conform.T) {
	t.Require(l.err == nil, "The context of a stream's request ended when the Delay was over, and its handler wrote the end of its answer at once, %v after the request had begun. The client did not get it: %v. The Grace is 1h, and nothing else bounds how long an answer may take.", l.at-l.began, l.err)
	l.whole(t, "bye")
}

// checkDoorFirst has a listener that takes a second to close, so that a Serve which
// ends the streams before it closes the listener is a whole second early. The shutdown begins
// because ctx is cancelled, or because its deadline passes.
func checkDoorFirst(t *conform.T, open func() Subject, deadline bool) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		api.Slow = time.Second // Close takes its time
		var early atomic.Bool
		streaming := t.Named("handler")
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		if deadline {
			ctx, cancel = context.WithTimeout(ctx, time.Second)
		}
		defer cancel()
		v := serveIn(ctx, t, s, s.API(handler(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			if !api.Closed() {
				early.Store(true)
				streaming.Breaks("the context of the stream's request ends, and the listener is still open")
			}
			<-api.Shut() // a Serve that holds a lock while it closes must not meet us
		}), s.Counters(), Settings{Listener: api}))
		asking := newClient(api.Door())
		defer asking.close()
		last := asking.ask(t, "client", "/")
		time.Sleep(time.Second)
		if deadline {
			t.Note("the deadline of ctx has passed: shutdown begins")
		} else {
			v.cancel()
		}
		v.within(api.Slow+tolerance, "The delay was over, and a stream that waits for its context kept the server from ending.")
		<-last.done
		t.Require(!early.Load(), "The context of a stream was cancelled while the listener, which takes 1s to close, was still open.")
		v.cleanly()
	})
}

func checkSideBySideDrain(t *conform.T, open func() Subject) {
	s, doors := open(), []*fake.Memory{fake.InMemory("a"), fake.InMemory("b"), fake.InMemory("c")}
	var servers []Handle
	var answers []*later
	for _, d := range doors {
		servers = append(servers, s.API(takes(9*time.Second), s.Counters(), Settings{Name: "same", Listener: d, Grace: 10 * time.Second}))
	}
	t.Note("the servers a, b and c all have the Name same")
	v := serve(t, s, servers...)
	for _, d := range doors {
		asking := newClient(d.Door())
		defer asking.close()
		answers = append(answers, asking.ask(t, "client of "+d.Name, "/"))
	}
	time.Sleep(time.Second)
	v.cancel()
	time.Sleep(tolerance)
	for _, d := range doors {
		t.Require(d.Closed(), "Shutdown began %v ago without a delay, and the server %s still listens: all servers shut down at the same time.", tolerance, d.Name)
	}
	v.within(9*time.Second+tolerance, "Every request ended in time, and Serve did not return with the last of them.")
	for _, l := range answers {
		<-l.done
		t.Require(l.err == nil, "A request was under way and its grace was not over, and its connection was cut: %v.", l.err)
	}
	v.cleanly()
	eachItsGrace(t, s)
	eachItsDelay(t, s)
}

func checkValues(t *conform.T, open func() Subject) {
	type key struct{}
	s, api := open(), fake.InMemory("api")
	app := handler(func(w http.ResponseWriter, r *http.Request) {
		text, _ := r.Context().Value(key{}).(string)
		if r.URL.Path == "/end" {
			text = contextEnds(r.Context(), time.Minute)
		}
		io.WriteString(w, text)
	})
	plain := fake.InMemory("plain")
	v := serveIn(context.WithValue(context.Background(), key{}, "from ctx"), t, s,
		s.API(app, s.Counters(), Settings{Listener: api}),
		s.Plain(app, Settings{Name: "plain", Listener: plain}))
	r := mustGet(t, api.Door(), "/", 200, "The API server did not answer.")
	if r.body != "from ctx" {
		asking := newClient(api.Door())
		defer asking.close()
		last := asking.ask(t, "client", "/end")
		t.Wait()
		v.cancel()
		<-last.done
		t.Fatalf("Serve's context has a value, and a handler found %q for it in the context of its request: that does not carry the values of Serve's. When the server was shut down, the context of a request %s.", r.body, last.body)
	}
	r = mustGet(t, plain.Door(), "/", 200, "The second server did not answer.")
	t.Require(r.body == "from ctx", "Serve's context has a value, and a handler of the second server found %q for it in the context of its request: that carries the values of Serve's, whichever server it came to.", r.body)
	v.ends()
}

// contextEnds waits for the end of ctx, and says whether it came within d.
func contextEnds(ctx context.Context, d time.Duration) string {
	select {
	case <-ctx.Done():
		return "was cancelled, as it should be"
	case <-time.After(d):
		return fmt.Sprintf("was not cancelled either, not even %v later", d)
	}
}

func checkCannotListen(t *conform.T, open func() Subject) {
	address := "127.0.0.1:99999" // no such port
	if taken, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		defer taken.Close()
		address = taken.Addr().String()
	}
	for _, position := range []int{0, 1, 2} {
		s, before, after := open(), fake.InMemory("before"), fake.InMemory("after")
		bad := s.Plain(says("hello"), Settings{Name: "bad", Addr: address})
		servers := []Handle{
			s.Plain(says("hello"), Settings{Name: "before", Listener: before}),
			s.Plain(says("hello"), Settings{Name: "after", Listener: after}),
		}
		servers = append(servers[:position:position], append([]Handle{bad}, servers[position:]...)...)
		v := serve(t, s, servers...)
		<-v.done
		var op *net.OpError
		t.Require(errors.As(v.err, &op) && op.Op == "listen", "The server bad could not listen, and Serve returned “%v”: it should have returned the error of that server.", v.err)
		named(t, v.err, "bad")
		t.Require(before.Closed() && after.Closed(), "The server bad, number %d of 3, could not listen, and Serve returned and left the listener of another open.", position+1)
	}
	metricsCannotListen(t, open(), address)
	servesAnAddress(t, open(), "127.0.0.1")
	onePortForTwo(t, open())
	anyPort(t, open())
	servesAnAddress(t, open(), "::1") // where there is one
	portsAreFreed(t, open())
	servesNone(t, open(), address)
	t.Virtual(func(t *conform.T) { closesTheRest(t, open()) })
	t.Virtual(func(t *conform.T) { listenerGoesFirst(t, open()) })
}

// servesNone has the last of four servers fail to listen, many times: a Serve that
// serves each of them as soon as it listens gets to an Accept in some of the rounds.
func servesNone(t *conform.T, s Subject, address string) {
	const rounds = 500
	served := 0
	call := t.Call("Serve(ctx, 4 servers), the last can't listen, %d times", rounds)
	for range rounds {
		var doors []*fake.Memory
		var servers []Handle
		for _, name := range []string{"a", "b", "c"} {
			d := fake.InMemory(name)
			doors = append(doors, d)
			servers = append(servers, s.Plain(says("hello"), Settings{Name: name, Listener: d}))
		}
		s.Serve(t.Context(), append(servers, s.Plain(says("hello"), Settings{Name: "bad", Addr: address}))...)
		for _, d := range doors {
			if d.Asked() {
				served++
			}
		}
	}
	call.Returned("%d servers were served", served)
	t.Require(served == 0, "A server could not listen, and %d others were served before that was known, in %d calls of Serve.", served, rounds)
}
