package serverstest

import (
	"context"
	"errors"
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
		v.stays(7*time.Second, "the server that failed has a Delay of 3s and a Grace of 5s, which begins after it")
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
