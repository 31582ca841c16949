package serverstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// checkReadyzOfTheFailed has an API server fail itself: it goes through the shutdown as the others do, for those
// clients that had a connection before.
func checkReadyzOfTheFailed(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		const patience = 59 * time.Second // after a minute a connection that waits may be closed
		const failed = "The server api failed, and is in its Delay of 10s. A client has a connection from before, and is served on it until the Delay is over."
		s, api := open(), fake.InMemory("api")
		v := serve(t, s, s.API(says("hello"), s.Counters(), Settings{Listener: api, Delay: 10 * time.Second}))
		door, dialled := counting(api)
		kept := newClient(door)
		defer kept.close()
		for range 2 {
			r := kept.get(t.Actor, "/readyz")
			t.Require(r.code == 200, "The server was serving, and /readyz answered %v: it should have answered 200.", r)
			time.Sleep(patience)
		}
		r := kept.get(t.Actor, "/readyz")
		t.Require(r.code == 200, "The server was serving, and /readyz answered %v: it should have answered 200.", r)
		t.Wait()
		staysOpen(t, dialled, fmt.Sprintf("The server was serving, and a client asked three times on one connection, each time %v after its last answer. A connection may be closed when it has waited for a minute.", patience))
		t.Note("the listener of api breaks, shutdown begins")
		api.Breaks(errFirst)
		t.Wait()
		// The connection has to stay: through a listener that is broken nobody gets another.
		for range 2 {
			r := boundedGet(t, kept, "/readyz")
			staysOpen(t, dialled, failed)
			t.Require(r.code == 503, "%s It asked for /readyz, and got: %v. It should have got 503.", failed, r)
			r = boundedGet(t, kept, "/")
			staysOpen(t, dialled, failed)
			t.Require(r.code == 200, "%s It sent a request, and got: %v. It should have been served as before.", failed, r)
			t.Wait()
		}
		v.within(10*time.Second+tolerance, "Serve did not return when the delay was over, with nothing under way.")
		r = boundedGet(t, kept, "/")
		t.Require(r.err != nil, "The server api failed, and Serve has returned. A client asked on the connection that it had, which had waited for its next request, and got %v: that connection should have been closed.", r)
	})
}

// checkReadyzOfTheWrapped has a handler of the caller's around that of an API server. It holds some probes from the
// Delay into the Grace.
func checkReadyzOfTheWrapped(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		wrapped := s.Around(s.API(says("hello"), s.Counters(), Settings{Listener: api, Delay: 10 * time.Second}), func(next http.Handler) http.Handler {
			return handler(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RawQuery == "hold" {
					<-r.Context().Done()
				}
				next.ServeHTTP(w, r)
			})
		})
		v := serve(t, s, wrapped)
		mustGet(t, api.Door(), "/readyz", 200, "The server is serving; its caller has put a handler around its Handler.")
		v.cancel()
		t.Wait()
		mustGet(t, api.Door(), "/readyz", 503, "The caller had put a handler around the Handler of an API server, and /readyz did not turn 503 as soon as shutdown began.")
		asking, asked := newClient(api.Door()), []*later{}
		defer asking.close()
		for _, path := range []string{"/readyz?hold", "/healthz?hold"} {
			asked = append(asked, asking.ask(t, "client of "+path, path))
		}
		v.within(10*time.Second+tolerance, "A handler around that of an API server held two probes until their contexts ended, when the Delay was over, and Serve did not return after that.")
		v.cleanly()
		t.Wait()
		const held = "The caller's handler held a probe from the Delay into the Grace, and then called the Handler of the API server."
		asked[0].required(t, "/readyz", 503, held)
		asked[1].required(t, "/healthz", 200, held)
	})
}

// checkReadyzWithoutDelay has no Delay: who asks /readyz in time, and is held on the way to it, sees that shutdown has
// begun, too.
func checkReadyzWithoutDelay(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		wrapped := s.Around(s.API(says("hello"), s.Counters(), Settings{Listener: api}), func(next http.Handler) http.Handler {
			return handler(func(w http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				time.Sleep(time.Millisecond) // one goroutine may turn /readyz while others shut down
				next.ServeHTTP(w, r)
			})
		})
		v := serve(t, s, wrapped)
		asking := newClient(api.Door())
		defer asking.close()
		asked := asking.ask(t, "client", "/readyz")
		t.Wait()
		v.cancel()
		v.within(tolerance, "A handler around that of an API server held a probe until its context ended, which it does at once without a Delay, and Serve did not return after that.")
		v.cleanly()
		<-asked.done
		asked.required(t, "/readyz", 503, "There is no Delay. The caller's handler held a probe until shutdown had begun, and then called the Handler of the API server.")
	})
}

// boundedGet asks for path and gives up after a second.
func boundedGet(t *conform.T, c *client, path string) reply {
	l := c.ask(t, "client", path)
	select {
	case <-l.done:
		return l.reply
	case <-time.After(time.Second):
		return reply{err: errNoAnswer}
	}
}

var errNoAnswer = errors.New("no answer within a second")

// checkComesBack has a stream whose client asks again as soon as the shutdown has ended it. Its server is a literal.
func checkComesBack(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, plain := open(), fake.InMemory("plain")
		var came atomic.Int32
		stream := handler(func(w http.ResponseWriter, r *http.Request) {
			came.Add(1)
			<-r.Context().Done()
			io.WriteString(w, "bye")
		})
		v := serve(t, s, s.Plain(stream, Settings{Name: "plain", Listener: plain}))
		asking := newClient(plain.Door())
		defer asking.close()
		first := asking.ask(t, "client", "/")
		t.Wait()
		v.cancel()
		select {
		case <-first.done:
		case <-time.After(tolerance):
			t.Fatalf("Shutdown began %v ago, without a Delay, and the context of a request to plain, whose server is a literal with a Handler, was not cancelled. The listener of plain is %s.", tolerance, openOr(plain))
		}
		first.whole(t, "bye")
		again := asking.get(t.Actor, "/")
		t.Require(again.err != nil && came.Load() == 1, "The shutdown ended a stream, and its client asked again at once, with the connection that it had or a new one. It got %v: it should have been refused.", again)
		v.within(tolerance, "Serve did not return when the last stream had ended.")
		v.cleanly()
	})
}

// checkEndsWithItsClient looks at the contexts of requests while the server is serving.
func checkEndsWithItsClient(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		contexts := make(chan context.Context, 2)
		v := serve(t, s, s.API(handler(func(_ http.ResponseWriter, r *http.Request) {
			contexts <- r.Context()
			if r.URL.Path == "/stream" {
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute):
				}
			}
		}), s.Counters(), Settings{Listener: api}))
		mustGet(t, api.Door(), "/", 200, "The server was serving.")
		t.Wait()
		t.Require((<-contexts).Err() != nil, "A handler returned, its answer is complete, and the context of its request was not cancelled: that comes when the handler returns.")
		conn, err := api.Door().Dial(t.Context())
		t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
		io.WriteString(conn, "GET /stream HTTP/1.1\r\nHost: api\r\n\r\n")
		stream := <-contexts
		t.Wait()
		t.Require(stream.Err() == nil, "A client waits for its answer, the server is serving, and the context of that request has ended.")
		t.Do(func() { conn.Close() }, "the client of GET api/stream hangs up")
		t.Wait()
		t.Require(stream.Err() != nil, "A client went away while a handler was busy with its request, and the context of that request was not cancelled.")
		v.ends()
	})
}

// eachItsDelay has four servers, each with a stream and a Delay of its own. Each stream ends with the Delay of its server.
func eachItsDelay(t *conform.T, s Subject) {
	delays := []time.Duration{20 * time.Second, 3 * time.Second, 0, 10 * time.Second}
	var servers []Handle
	var doors []*fake.Memory
	var streams []*later
	for _, delay := range delays {
		d := fake.InMemory(fmt.Sprintf("delay-%v", delay))
		doors = append(doors, d)
		servers = append(servers, s.Plain(untilItsEnd, Settings{Name: d.Name, Listener: d, Delay: delay}))
	}
	v := serve(t, s, servers...)
	for _, d := range doors {
		asking := newClient(d.Door())
		defer asking.close()
		streams = append(streams, asking.ask(t, "client of "+d.Name, "/stream"))
	}
	t.Wait()
	begun := t.Elapsed()
	v.cancel()
	v.within(20*time.Second+tolerance, "The longest Delay of four servers, 20s, was over, each has a stream that waits for its context, and Serve did not return.")
	v.cleanly()
	for i, l := range streams {
		<-l.done
		l.whole(t, "bye")
		after := l.at - begun
		t.Require(after >= delays[i] && after <= delays[i]+tolerance, "Four servers have a Delay of 20s, 3s, 0 and 10s. The context of a stream's request to the one with %v was cancelled %v after shutdown had begun: each has its own Delay, and waits for no other.", delays[i], after)
	}
}

// cutAfter requires that the request was cut off when the grace of its server was over.
func (l *later) cutAfter(t *conform.T, begun time.Duration, server string, grace time.Duration) {
	t.Require(probe.Closed(l.done), "The Grace of %s is %v, and 11s after shutdown began a connection of it, which still carries a request, is open.", server, grace)
	after := l.at - begun
	t.Require(after >= grace && after <= grace+tolerance, "The Grace of %s is %v, and a request that does not end was cut off %v after shutdown had begun: each server has a Grace of its own.", server, grace, after)
}

// timed is an app whose requests take 4s, 12s, or until release is closed.
func timed(release <-chan struct{}) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/stuck":
			<-release
		case "/brief":
			time.Sleep(4 * time.Second)
		case "/long":
			time.Sleep(12 * time.Second)
		}
		io.WriteString(w, "done")
	})
}

// eachItsGrace has five servers of which two run out of grace, each at its time, before the last ends well. On the
// first nothing is under way.
func eachItsGrace(t *conform.T, s Subject) {
	release := make(chan struct{})
	defer close(release)
	app := timed(release)
	short, middle, patient, unset := fake.InMemory("short"), fake.InMemory("middle"), fake.InMemory("patient"), fake.InMemory("unset")
	v := serve(t, s,
		s.Plain(app, Settings{Name: "idle", Listener: fake.InMemory("idle"), Grace: 3 * time.Second}),
		s.Plain(app, Settings{Name: "patient", Listener: patient, Grace: 20 * time.Second}),
		s.Plain(app, Settings{Name: "middle", Listener: middle, Grace: 6 * time.Second}),
		s.Plain(app, Settings{Name: "short", Listener: short, Grace: 2 * time.Second}),
		s.Plain(app, Settings{Name: "unset", Listener: unset}))
	var asked []*later
	for _, c := range []struct {
		door *fake.Memory
		path string
	}{{short, "/stuck"}, {middle, "/stuck"}, {middle, "/brief"}, {patient, "/long"}, {unset, "/long"}} {
		asking := newClient(c.door.Door())
		defer asking.close()
		asked = append(asked, asking.ask(t, "client of "+c.door.Name, c.path))
	}
	t.Wait()
	t.Note("idle, which has no request, has a Grace of 3s, short one of 2s, middle one of 6s, patient one of 20s; that of unset is zero, which means 30s")
	begun := t.Elapsed()
	v.cancel()
	v.stays(11*time.Second, "a request of patient was under way and its grace of 20s was not over")
	asked[0].cutAfter(t, begun, "short", 2*time.Second)
	asked[1].cutAfter(t, begun, "middle", 6*time.Second)
	for _, l := range asked[2:] {
		<-l.done
		t.Require(l.err == nil, "Of five servers idle has a Grace of 3s and no request, short a Grace of 2s, middle one of 6s, patient one of 20s, and unset none, which means 30s. A request of one ended in its grace, and its connection was cut %v after shutdown had begun: %v.", l.at-begun, l.err)
		l.whole(t, "done")
	}
	v.within(tolerance, "Serve did not return when the last request had ended.")
	t.Require(errors.Is(v.err, context.DeadlineExceeded), "Two of five servers ran out of grace, the last to end did not, and Serve returned %s: it should have returned an error that is context.DeadlineExceeded.", conform.Said(v.err))
	t.Require(strings.HasPrefix(v.err.Error(), "short:") || strings.HasPrefix(v.err.Error(), "middle:"), "The servers short and middle ran out of grace, and the error of Serve begins with the name of neither: %v", v.err)
}
