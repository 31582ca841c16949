package serverstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// checkClosedOutside has somebody else close a listener that is served: net.ErrClosed is a failure then.
func checkClosedOutside(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
		v := serve(t, s,
			s.API(says("hello"), s.Counters(), Settings{Listener: api}),
			s.Plain(says("hello"), Settings{Name: "other", Listener: other}))
		v.doors = []*fake.Memory{api, other}
		time.Sleep(time.Second)
		t.Do(func() { api.Close() }, "api's listener.Close(), ctx has not ended")
		v.within(tolerance, "Somebody else closed the listener of api. Its Accept fails for good with net.ErrClosed, which is a failure, and Serve did not return.")
		t.Require(errors.Is(v.err, net.ErrClosed), "Somebody else closed the listener of api, and Serve returned %s: it should have returned the error of its Accept, net.ErrClosed.", conform.Said(v.err))
		named(t, v.err, "api")
	})
}

// checkAloneClosedOutside has somebody else close the listener of the only server. ctx never ends and is of a type
// of its caller's own: what waits for its end when Serve has returned is a goroutine that is left.
func checkAloneClosedOutside(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		t.Note("the ctx of Serve has a type of its caller's own")
		never, _ := conform.Foreign(t.Context(), nil)
		v := serveUntil(never, func() {}, t, s, s.API(says("hello"), s.Counters(), Settings{Listener: api}))
		time.Sleep(time.Second)
		t.Do(func() { api.Close() }, "api's listener.Close(), ctx has not ended")
		v.within(tolerance, "Somebody else closed the listener of the only server. Its Accept fails for good with net.ErrClosed, which is a failure, and Serve did not return.")
		t.Require(errors.Is(v.err, net.ErrClosed), "Somebody else closed the listener of the only server, and Serve returned %s: it should have returned the error of its Accept, net.ErrClosed.", conform.Said(v.err))
		named(t, v.err, "api")
		t.Note("ctx has not ended, and never will: what waits for its end stays")
	})
}

// checkFailureThenEnd has ctx end in the shutdown that a failure has begun.
func checkFailureThenEnd(t *conform.T, open func() Subject) {
	for _, c := range []struct {
		broken error
		as     string
	}{
		{errFirst, "cancel"},
		{fmt.Errorf("the network was taken down: %w", context.Canceled), "cancel"},
		{fmt.Errorf("nobody came: %w", context.DeadlineExceeded), "deadline"},
	} {
		failsThenEnds(t, open, c.broken, c.as)
	}
}

// failsThenEnds has api fail with broken, after 1s, and ctx end at 2s, as it says.
func failsThenEnds(t *conform.T, open func() Subject, broken error, as string) {
	t.Virtual(func(t *conform.T) {
		s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
		ctx, cancel := context.WithCancel(context.Background())
		if as == "deadline" {
			ctx, cancel = context.WithTimeout(context.Background(), 2*time.Second)
		}
		defer cancel()
		v := serveIn(ctx, t, s,
			s.API(says("hello"), s.Counters(), Settings{Listener: api}),
			s.Plain(takes(5*time.Second), Settings{Name: "other", Listener: other, Grace: time.Minute}))
		asking := newClient(other.Door())
		defer asking.close()
		last := asking.ask(t, "client", "/")
		time.Sleep(time.Second)
		t.Note("the listener of api breaks, shutdown begins: %v", broken)
		api.Breaks(broken)
		time.Sleep(time.Second)
		if as == "deadline" {
			t.Note("the deadline of ctx passes, in the shutdown that has begun")
		} else {
			t.Do(v.stop, "cancel(): ctx ends, in the shutdown that has begun")
		}
		v.stays(2*time.Second, "ctx ended in the shutdown that a failure had begun, a request was under way and its grace was not over")
		<-last.done
		last.whole(t, "done")
		v.within(tolerance, "Serve did not return when the last request had ended.")
		t.Require(errors.Is(v.err, broken), "The server api failed with “%v”, and ctx ended a second later, while another drained. Serve returned %s: it should have returned the error of the server that failed.%s", broken, conform.Said(v.err), itsOwn(broken))
		named(t, v.err, "api")
	})
}

// checkFailsForGood has Accept fail with errors that look like a clean end, and are none.
func checkFailsForGood(t *conform.T, open func() Subject) {
	for _, broken := range []error{
		io.EOF,
		fmt.Errorf("the network was taken down: %w", context.Canceled),
		fmt.Errorf("nobody came: %w", context.DeadlineExceeded),
		timedOut{errFirst},
		&net.OpError{Op: "accept", Net: "tcp", Err: errFirst},
	} {
		t.Virtual(func(t *conform.T) {
			s, api, other := open(), fake.InMemory("api"), fake.InMemory("other")
			v := serve(t, s,
				s.API(says("hello"), s.Counters(), Settings{Listener: api}),
				s.Plain(says("hello"), Settings{Name: "other%d", Listener: other}))
			time.Sleep(time.Second)
			t.Note("the Name of other is other%%d; its listener breaks: %v", broken)
			other.Breaks(broken)
			v.within(tolerance, fmt.Sprintf("The Accept of other's listener failed for good, with “%v”, and Serve did not return.", broken))
			if v.err != nil {
				named(t, v.err, "other%d") // before its cause: a Name that is taken for a format loses that, too
			}
			t.Require(errors.Is(v.err, broken), "The Accept of other's listener failed for good, with “%v”, and Serve returned %s: it should have returned that error.%s", broken, conform.Said(v.err), itsOwn(broken))
		})
	}
}

// itsOwn says of a listener's error that looks like the end of a context that it is none.
func itsOwn(broken error) string {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(broken, end) {
			return fmt.Sprintf(" That error wraps “%v”, but it is the listener's and not the end of ctx: a server has failed.", end)
		}
	}
	return ""
}

// timedOut is a net.Error that is not Temporary.
type timedOut struct{ error }

func (timedOut) Timeout() bool   { return true }
func (timedOut) Temporary() bool { return false }

// checkTemporary has Accept fail many times in a row, each time for a moment only.
func checkTemporary(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		v := serve(t, s, s.API(says("hello"), s.Counters(), Settings{Listener: api}))
		for i := range 20 {
			t.Note("the listener of api fails: %v", errMoment)
			api.Breaks(errMoment)
			v.stays(3*time.Second, fmt.Sprintf("the error of its listener's Accept was Temporary, number %d in a row: net/http calls Accept again then", i+1))
		}
		v.mustGet(api.Door(), "/", 200, "The Accept of a listener had failed twenty times with an error that is Temporary, and goes on.")
		v.ends()
	})
}

// errMoment says that the next Accept may succeed.
var errMoment net.Error = momentary{}

type momentary struct{}

func (momentary) Error() string   { return "too many open files, for a moment" }
func (momentary) Temporary() bool { return true }
func (momentary) Timeout() bool   { return false }

// checkUnwilling ends a Serve whose listener closes and returns an error. Whether Serve returns that error is left open.
func checkUnwilling(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s, api := open(), fake.InMemory("api")
		v := serve(t, s, s.API(says("hello"), s.Counters(), Settings{Listener: unwilling{api}}))
		v.mustGet(api.Door(), "/", 200, "The server is serving.")
		v.cancel()
		v.within(tolerance, "The listener's Close returned an error, and Serve did not return after its context had ended.")
		if v.err != nil {
			named(t, v.err, "api")
		}
	})
}

// checkEndsMeanwhile has ctx end right after Serve has first asked for its error: Serve has been called, so that is
// a shutdown, with its Delay. A Serve that does not ask has its ctx cancelled a little later.
func checkEndsMeanwhile(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		const delay = 10 * time.Second
		s, api := open(), fake.InMemory("api")
		inner, stop := context.WithCancel(context.Background())
		t.Note("ctx ends as soon as somebody has called its Err, which returns nil that time; api has a Delay of %v", delay)
		v := serveUntil(&onceAsked{Context: inner, end: stop}, stop, t, s, s.API(says("hello"), s.Counters(), Settings{Listener: api, Delay: delay}))
		t.Wait()
		v.cancel()
		const meanwhile = "ctx ended after Serve had been called, which is a shutdown: for a Delay of 10s the server goes on as before"
		v.stays(delay-time.Second, meanwhile)
		t.Require(!api.Closed(), "9s ago ctx ended, after Serve had been called, and the listener of api is closed: that is a shutdown, and for its Delay of %v the server goes on as before.", delay)
		mustGet(t, api.Door(), "/", 200, "A new request was not served, but "+meanwhile+".")
		v.within(time.Second+tolerance, "Serve did not return when the delay was over, with nothing under way.")
		v.cleanly()
	})
}

// onceAsked is a context that ends when its Err has been called once.
type onceAsked struct {
	context.Context
	end func()
}

// Err returns what is so before that end.
func (c *onceAsked) Err() error {
	err := c.Context.Err()
	c.end()
	return err
}

// unwilling is a listener that closes and returns an error.
type unwilling struct{ *fake.Memory }

// Close does both.
func (u unwilling) Close() error {
	u.Memory.Close()
	return errSecond
}

// checkAllFail has many servers, and then all of them fail at the same moment.
func checkAllFail(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		s := open()
		var doors []*fake.Memory
		var servers []Handle
		for i := range 40 {
			d := fake.InMemory(fmt.Sprintf("server-%d", i))
			doors = append(doors, d)
			servers = append(servers, s.Plain(says("hello"), Settings{Name: d.Name, Listener: d}))
		}
		v := serve(t, s, servers...)
		v.doors = doors
		t.Wait()
		for _, d := range doors {
			t.Require(d.Asked(), "Serve was called with %d servers, and does not serve %s.", len(doors), d.Name)
		}
		t.Note("the listeners of all %d servers break at once", len(doors))
		for _, d := range doors {
			d.Breaks(errFirst)
		}
		v.within(tolerance, fmt.Sprintf("All %d servers failed at once, no request was under way, and Serve did not return.", len(doors)))
		t.Require(errors.Is(v.err, errFirst), "All servers failed with “%v”, and Serve returned %s.", errFirst, conform.Said(v.err))
	})
}
