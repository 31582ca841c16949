package serverstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// checkFailureThenGrace has two servers run out of grace in the shutdown that the failure of one has begun.
func checkFailureThenGrace(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
		release := make(chan struct{})
		defer close(release)
		stuck := handler(func(http.ResponseWriter, *http.Request) { <-release })
		v := serve(t, s,
			s.API(stuck, s.Counters(), Settings{Listener: api, Delay: 3 * time.Second, Grace: 5 * time.Second}),
			s.Plain(stuck, Settings{Name: "other", Listener: other, Grace: 5 * time.Second}))
		var asked []*later
		for _, d := range []*fake.Memory{api, other} {
			asking := newClient(d.Door())
			defer asking.close()
			asked = append(asked, asking.ask(t, "client of "+d.Name, "/"))
		}
		time.Sleep(time.Second)
		t.Note("the listener of api breaks, shutdown begins")
		api.Breaks(errFirst)
		v.stays(4*time.Second, "the server that failed has a Delay of 3s and a Grace of 5s, which begins after it")
		v.stays(3*time.Second, "the server that failed has a Delay of 3s and a Grace of 5s, which begins after it. Its sibling, which has no Delay, ran out of its own Grace 5s after shutdown had begun: that ends no other server")
		t.Require(!probe.Closed(asked[0].done), "The server api failed 7s ago. Its Delay is 3s, its Grace, which begins after it, 5s, and a request that was under way there was cut off already.")
		v.within(time.Second+tolerance, "The server api failed, the grace of both servers, 5s, was over, and Serve went on waiting for handlers that do not end.")
		t.Require(errors.Is(v.err, errFirst), "The server api failed with “%v”, and both servers ran out of grace after that. Serve returned %s: the failure came first.", errFirst, conform.Said(v.err))
		t.Assert(!errors.Is(v.err, context.DeadlineExceeded), "The server api failed first, and Serve's error is about the grace, too, which ran out later: “%v”.", v.err)
		t.Wait()
		t.Assert(probe.Closed(asked[0].done) && probe.Closed(asked[1].done), "The grace of both servers was over, and the connection of a request under way was not closed.")
		named(t, v.err, "api")
	})
}

// checkBrokenFromTheStart has a server fail while Serve may still be about to start what drains it, many times.
func checkBrokenFromTheStart(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		const rounds, delay = 100, time.Second
		s := open()
		call := t.Call("Serve(ctx, a server whose listener is broken and whose Delay is %v), %d times", delay, rounds)
		for range rounds {
			api, begun := fake.InMemory("api"), t.Elapsed()
			api.Breaks(errFirst)
			err := s.Serve(context.Background(), s.Plain(says("hello"), Settings{Name: "api", Listener: api, Delay: delay}))
			took := t.Elapsed() - begun
			t.Require(took >= delay, "The server api failed, and Serve returned %v later, with %s: the one that failed goes through the shutdown, too, and its Delay is %v.", took, conform.Said(err), delay)
			t.Require(took <= delay+tolerance, "The server api failed, its Delay was %v, and Serve returned only %v later.", delay, took)
			t.Require(errors.Is(err, errFirst), "The server api failed with “%v”, and Serve returned %s.", errFirst, conform.Said(err))
		}
		call.Returned("")
	})
}

// checkDeadlineThenGrace has a deadline of the caller's end ctx, whose error is the same as that of a grace that runs out.
func checkDeadlineThenGrace(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		const grace = 5 * time.Second
		s, api := open(), fake.InMemory("api")
		release := make(chan struct{})
		defer close(release)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		v := serveIn(ctx, t, s, s.API(handler(func(http.ResponseWriter, *http.Request) { <-release }), s.Counters(), Settings{Listener: api, Grace: grace}))
		asking := newClient(api.Door())
		defer asking.close()
		asking.ask(t, "client", "/")
		time.Sleep(time.Second)
		t.Note("the deadline of ctx has passed: shutdown begins")
		v.within(grace+tolerance, "The grace was over, and Serve went on waiting for a handler that does not end.")
		t.Require(v.err != nil, "The deadline of ctx passed, and after that the grace ran out with a request under way. Serve returned nil: the end of ctx is no error, but the grace that ran out is, though both are context.DeadlineExceeded.")
		t.Require(errors.Is(v.err, context.DeadlineExceeded), "The grace ran out with a request under way, and Serve returned %s, which is not context.DeadlineExceeded.", conform.Said(v.err))
		named(t, v.err, "api")
	})
}

// checkDelayStands has a listener break in the Delay of a shutdown that has begun. The Delay goes on: that of its server,
// and that of the other.
func checkDelayStands(t *conform.T, open func() Subject) {
	for _, begins := range []string{"ctx ended", "the listener of third broke"} {
		for _, breaks := range []string{"api", "other"} {
			t.Virtual(func(t *conform.T) { delayStands(t, open(), begins, breaks) })
		}
	}
}

// delayStands looks at two servers in their Delay of 10s, which begins as it says; a second later the listener of one breaks.
func delayStands(t *conform.T, s Subject, begins, breaks string) {
	const delay = 10 * time.Second
	api, other, third := fake.InMemory("api"), fake.InMemory("other"), fake.InMemory("third")
	v := serve(t, s,
		s.API(untilItsEnd, s.Counters(), Settings{Listener: api, Delay: delay}),
		s.Plain(untilItsEnd, Settings{Name: "other", Listener: other, Delay: delay}),
		s.Plain(says("hello"), Settings{Name: "third", Listener: third}))
	delayed := []*delayed{before(t, api), before(t, other)}
	if begins == "ctx ended" {
		v.cancel()
	} else {
		t.Note("the listener of third breaks, shutdown begins")
		third.Breaks(errFirst)
	}
	time.Sleep(time.Second)
	t.Note("the listener of %s breaks, in its Delay of %v", breaks, delay)
	map[string]*fake.Memory{"api": api, "other": other}[breaks].Breaks(errSecond)
	time.Sleep(delay - 2*time.Second)
	for _, d := range delayed {
		d.goesOn(t, d.door.Name == breaks, fmt.Sprintf("Shutdown began when %s, and a second later the listener of %s broke. The Delay of %s is %v. 9s after shutdown began", begins, breaks, d.door.Name, delay))
	}
	v.within(time.Second+tolerance, "Serve did not return when the last Delay was over, with nothing under way.")
	for _, d := range delayed {
		<-d.stream.done
		d.stream.whole(t, "bye")
		d.kept.close()
	}
}

// delayed is a server that will be in its Delay, with a stream and a client whose connection waits.
type delayed struct {
	door   *fake.Memory
	kept   *client
	stream *later
}

// before has the clients come while the server is serving.
func before(t *conform.T, door *fake.Memory) *delayed {
	d := &delayed{door: door, kept: newClient(door.Door())}
	r := d.kept.get(t.Actor, "/")
	t.Require(r.code == 200, "The server was serving, and a request was not answered with 200, but: %v.", r)
	t.Wait()
	d.stream = newClient(door.Door()).ask(t, "client of a stream of "+door.Name, "/stream")
	t.Wait()
	return d
}

// goesOn requires that the server is still in its Delay. Nobody comes in through a listener that is broken.
func (d *delayed) goesOn(t *conform.T, broken bool, what string) {
	t.Require(!probe.Closed(d.stream.done), "%s a stream of %s has ended: nothing cuts a Delay short.", what, d.door.Name)
	r := boundedGet(t, d.kept, "/")
	t.Require(r.code == 200, "%s a client asked %s on the connection that it had, and got: %v. Nothing cuts a Delay short: it should have got 200.", what, d.door.Name, r)
	if !broken {
		mustGet(t, d.door.Door(), "/", 200, what+" a client came on a new connection, which is served as before: nothing cuts a Delay short.")
	}
}

// untilItsEnd is an app with a stream, which ends with the context of its request.
var untilItsEnd = handler(func(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/stream" {
		<-r.Context().Done()
	}
	io.WriteString(w, "bye")
})
