package watchhttptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ends are the cases about how a client's watch ends in order, and what is left of it.
var ends = []conform.Case[Subject]{
	{
		Name:   "stop-releases-everything",
		Points: 5,
		Func:   "stream.Stop",
		Look:   []string{"stream.Stop", "Client.Watch", "Client.ListAndWatch"},
		Rule:   "Stop may be called any number of times from any goroutine, never blocks, and ends the watch: the ResultChan is closed, the request is cancelled, no goroutine is left, whether anybody reads or not.",
		Why:    "A reflector stops its watch on every way out, often twice, and then stops reading (kubernetes#38670, #25331, #108080).",
		Hint: []string{
			"In which two places can your goroutine wait for ever? What ends each of them?",
			"Only the goroutine that sends may close the channel.",
			"Give the request a context of its own, and let Stop cancel it.",
		},
		Source: "apimachinery pkg/watch/streamwatcher.go: StreamWatcher.Stop; kubernetes#38670: blocked on a full result; kubernetes#108080: send on a closed channel",
		Contract: []string{
			"Stop never blocks and may be called any number of times, from any goroutine.",
			"Within a second of Stop, or of the end of ctx, whether anybody reads or not. Events that were not delivered by then are dropped, and no Error is sent for them.",
			"When the ResultChan is closed, the request is over as well: it is cancelled, its body is closed, and no goroutine is left.",
			"By then it has left nothing behind.",
		},
		Check: checkStop,
	},
	{
		Name:   "context-ends-the-watch",
		Points: 4,
		Func:   "Client.Watch",
		Look:   []string{"Client.Watch", "Client.ListAndWatch", "Client.List"},
		Rule:   "When ctx is done a call that waits for the server returns with ctx.Err(), and a watch that runs ends as after Stop.",
		Why:    "A controller that hangs in a connect while it should stop uses up the whole grace period of its process.",
		Hint: []string{
			"http.NewRequestWithContext: the context covers the connect, the wait for the header, and every read of the body.",
		},
		Source: "kubernetes#120980: an established watch was not closed on stop; Go net/http/request.go: Request.WithContext",
		Contract: []string{
			"If ctx is done before the answer is there, the error is ctx.Err() or wraps it.",
			"The answer to List is there when all of it has come",
			"Within a second of Stop, or of the end of ctx, whether anybody reads or not. Events that were not delivered by then are dropped, and no Error is sent for them.",
			"ListAndWatch returns soon after ctx is done, even if events lie ready (ctx.Err(), or an error that wraps it)",
			"By then it has left nothing behind.",
			"It blocks until the server has answered or ctx is done.",
		},
		Check: checkContext,
	},
	{
		Name:   "slow-reader-holds-the-line",
		Long:   true,
		Points: 4,
		Func:   "Client.Watch",
		Look:   []string{"Client.Watch", "Handler"},
		Rule:   "A slow reader slows the stream: neither end piles up events, and nothing is lost when the reader comes back.",
		Why:    "The connection is the queue: it fills, the server's write waits, and the server decides how long to accept that. A queue in between takes that decision away, until memory runs out.",
		Hint: []string{
			"How many events can lie between the connection and the reader?",
			"A channel with little or no buffer, and one goroutine that reads, decodes, and waits until the event is taken.",
		},
		Source: "apimachinery pkg/watch/streamwatcher.go: NewStreamWatcher (the result channel has no buffer)",
		Contract: []string{
			"A slow reader slows the stream: at most 1000 events are held for a reader.",
			"It takes an event from the source only when it can begin to write it.",
			"It may serve any number of requests at once.",
			"each event of source.Watch as one JSON object on one line",
		},
		Mode:  conform.Virtual,
		Check: checkSlowReader,
	},
	{
		Name:   "connections-are-used-again",
		Points: 3,
		Func:   "Client.List",
		Look:   []string{"Client.List", "Client.Watch", "the step that makes an error of an answer that refuses"},
		Rule:   "After a list, and after an answer that refuses, the connection serves the next request, and nothing is left of the call.",
		Why:    "A handshake costs more than a list. A thousand informers that list again after an outage, each over a new connection, are the next outage.",
		Hint: []string{
			"When does a Transport take a connection back? Read the documentation of http.Response.Body.",
			"Read to the end, and close. A json.Decoder stops at the last brace, one newline before the end.",
			"What does context.WithCancel leave in its parent, and until when?",
		},
		Source: "Go net/http/response.go: Response.Body (read to completion and closed)",
		Contract: []string{
			"List, and a Watch that is refused, read the answer to its end (a refusal of more than a megabyte may be cut short) and leave the connection to the next request.",
			"When they have returned they leave nothing else behind: no goroutine, no open body, nothing that waits for the end of ctx.",
		},
		Check: checkReuse,
	},
}

func checkStop(t *conform.T, open func() Subject) {
	for _, events := range []int{0, 1, 100} {
		t.Virtual(func(t *conform.T) { stopUnread(t, open(), events) })
	}
	t.Virtual(func(t *conform.T) { stopForgotten(t, open()) })
	t.Virtual(func(t *conform.T) { stopDoesNotWait(t, open()) })
	t.Virtual(func(t *conform.T) { nothingIsLeft(t, open()) })
	t.Virtual(func(t *conform.T) { stopsWhenFull(t, open()) })
	t.Virtual(func(t *conform.T) { stopAtOnce(t, open()) })
	t.Copies(func(t *conform.T) { stopInARush(t, open()) })
}

// stopUnread stops a watch before anybody has read one of its events.
func stopUnread(t *conform.T, s Subject, events int) {
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	src.many(events, func(int) { src.put("default", "a") })
	t.Wait()
	t.Require(src.live() == 1, "One Watch has returned, and %d watches of the source are open.", src.live())
	w.Stop()
	w.Stop()
	src.gone(t, "Stop was called, and the request was not cancelled: the watch of the source goes on.")
	noError(t, w.Rest(), "Stop was called")
	w.Stop()
}

// noError requires that no Error event says that a watch ended as it was told to.
func noError(t *conform.T, events []kit.Event[*kit.Pod], told string) {
	for _, e := range events {
		t.Require(e.Type != kit.Error, "%s, and the watch delivered %s: no Error says so.", told, listwatch.Show(e))
	}
}

// stopForgotten stops a watch whose channel nobody ever comes to read.
func stopForgotten(t *conform.T, s Subject) {
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	way := api.slow()
	w := api.caller(s, 0).Client.Watch(context.Background(), t, kit.ListOptions{})
	src.put("default", "a")
	t.Wait()
	w.Stop()
	time.Sleep(5 * time.Second)
	t.Require(way.open.Load() == 0, "Stop was called, and 5s later the body of the answer, which nobody has read, is open still: a watch ends soon after Stop, whether anybody reads or not, and its body is closed.")
}

// stopAtOnce has goroutines stop the same watch at the same moment, again and again.
func stopAtOnce(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(exchange) {}})
	defer api.close()
	api.through(mute{})
	const watches = 150
	t.Note("%d watches, one after the other, are answered with 200 and bring nothing; 4 goroutines call Stop of each at once", watches)
	client := api.caller(s, 0)
	for range watches {
		w, err := client.Subject.Watch(context.Background(), kit.ListOptions{})
		t.Require(err == nil, "Watch returned an error although the server had answered 200: %v.", err)
		var all sync.WaitGroup
		for range 4 {
			all.Go(w.Stop)
		}
		all.Wait()
		for range w.ResultChan() {
		}
	}
}

// mute is a Transport that answers with the header of a 200, and then says nothing.
type mute struct{}

func (mute) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: -1, Request: r,
		Body: &muteBody{request: r.Context(), closed: make(chan struct{})},
	}, nil
}

// muteBody is a body that never brings anything. It ends with its request.
type muteBody struct {
	request context.Context
	once    sync.Once
	closed  chan struct{}
}

func (b *muteBody) Read([]byte) (int, error) {
	select {
	case <-b.request.Done():
		return 0, b.request.Err()
	case <-b.closed:
		return 0, http.ErrBodyReadAfterClose
	}
}

func (b *muteBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}

// stopInARush stops a watch from two goroutines, one of which reads, while a third writes.
func stopInARush(t *conform.T, s Subject) {
	src := newSource(t)
	api := serveAt(t, fake.Loopback(t, "api"), s.Handler(kit.Pods, src), false)
	defer api.close()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	n := t.Rand().IntN(30)
	t.Go("writer", func(*conform.Actor) {
		for range 30 {
			src.put("default", "a")
		}
	})
	t.Go("reader", func(a *conform.Actor) {
		for range n {
			if _, ok := <-w.Watch.ResultChan(); !ok {
				return
			}
		}
		w.As(a).Stop()
	})
	t.Go("other", func(a *conform.Actor) { w.As(a).Stop() })
	t.Join()
	w.Rest()
	for _, w := range src.begun() {
		<-w.done
	}
}

func checkContext(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { cancelWaiting(t, open()) })
	t.Virtual(func(t *conform.T) { cancelHalfway(t, open()) })
	for _, events := range []int{0, 100} {
		t.Virtual(func(t *conform.T) { cancelUnread(t, open(), events) })
	}
	t.Virtual(func(t *conform.T) { cancelsWhenFull(t, open()) })
	t.Virtual(func(t *conform.T) { patient(t, open()) })
	t.Virtual(func(t *conform.T) { cancelFollowing(t, open()) })
	t.Virtual(func(t *conform.T) { cancelBehind(t, open()) })
	t.Virtual(func(t *conform.T) { cancelPause(t, open()) })
}

// cancelWaiting cancels calls that wait for a server that does not answer.
func cancelWaiting(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) { x.hold() }}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	nothing := func(kit.List[*kit.Pod]) {}
	ctx, cancel := t.WithCancel(context.Background(), "the contexts")
	short, done := context.WithTimeoutCause(context.Background(), time.Second, errors.New("the cause"))
	defer done()
	with, because := context.WithCancelCause(context.Background())
	defer because(nil)
	t.Go("watcher", func(a *conform.Actor) {
		_, err := client.Try(ctx, a, kit.ListOptions{})
		t.Assert(errors.Is(err, context.Canceled), "Watch was cancelled, and its error is not that of its context, but %q.", fmt.Sprint(err))
	})
	t.Go("lister", func(a *conform.Actor) {
		_, err := client.List(short, a, kit.ListOptions{})
		t.Assert(errors.Is(err, context.DeadlineExceeded), "The time of List's context was over, and List's error is not that of its context, but %q.", fmt.Sprint(err))
	})
	t.Go("watcher with a cause", func(a *conform.Actor) {
		_, err := client.Try(with, a, kit.ListOptions{})
		t.Assert(errors.Is(err, context.Canceled), "Watch was cancelled with a cause, and its error is not that of its context, but %q.", fmt.Sprint(err))
	})
	t.Go("follower", func(a *conform.Actor) {
		err := client.listAndWatch(ctx, a, kit.ListOptions{}, nothing, func(kit.Event[*kit.Pod]) {})
		t.Assert(errors.Is(err, context.Canceled), "ListAndWatch was cancelled, and its error is not that of its context, but %q.", fmt.Sprint(err))
	})
	time.Sleep(2 * time.Second)
	cancel()
	because(errors.New("the cause"))
	t.Join()
	t.Wait()
	t.Require(server.left() == 4, "4 calls have returned, and %d of their requests were given up: the server answers the others still.", server.left())
	_, err := client.Try(ctx, t.Actor, kit.ListOptions{})
	t.Require(errors.Is(err, context.Canceled), "Watch was called with a context that was done, and its error is not that of its context, but %q.", fmt.Sprint(err))
}

// cancelHalfway cancels calls that have got half of a list.
func cancelHalfway(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) {
		_ = x.say(podList(1)[:20])
		x.hold()
	}}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	t.Go("lister", func(a *conform.Actor) {
		_, err := client.List(ctx, a, kit.ListOptions{})
		t.Assert(errors.Is(err, context.Canceled), "The context of List was done in the middle of the answer, and List's error is not that of its context, but %q.", fmt.Sprint(err))
	})
	t.Go("follower", func(a *conform.Actor) {
		err := client.listAndWatch(ctx, a, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
		t.Assert(errors.Is(err, context.Canceled), "The context of ListAndWatch was done in the middle of the list, and its error is not that of its context, but %q.", fmt.Sprint(err))
	})
	time.Sleep(time.Second)
	t.Note("cancels the contexts, with a cause")
	cancel(errors.New("the cause"))
	t.Join()
}

// cancelUnread cancels a watch before anybody has read one of its events.
func cancelUnread(t *conform.T, s Subject, events int) {
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	w, err := api.caller(s, 0).Try(ctx, t.Actor, kit.ListOptions{})
	t.Require(err == nil, "Watch returned an error although the server had answered 200: %v.", err)
	src.many(events, func(int) { src.put("default", "a") })
	t.Wait()
	cancel()
	src.gone(t, "The context was done, and the request was not cancelled: the watch of the source goes on.")
	noError(t, w.Rest(), "The context was done")
}

// follow has an actor in ListAndWatch until ctx is cancelled. The channel is closed when it has returned.
func (c caller) follow(ctx context.Context, t *conform.T, apply func(kit.Event[*kit.Pod])) <-chan struct{} {
	returned := make(chan struct{})
	t.Go("follower", func(a *conform.Actor) {
		defer close(returned)
		err := c.listAndWatch(ctx, a, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, apply)
		t.Assert(errors.Is(err, context.Canceled), "ListAndWatch was cancelled, and its error is not that of its context, but %q.", fmt.Sprint(err))
	})
	return returned
}

// cancelFollowing cancels ListAndWatch while it follows the changes.
func cancelFollowing(t *conform.T, s Subject) {
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	way := api.slow()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	api.caller(s, 0).follow(ctx, t, func(kit.Event[*kit.Pod]) {})
	src.put("default", "a")
	time.Sleep(time.Second)
	t.Note("cancels the context, with a cause")
	cancel(errors.New("the cause"))
	t.Join()
	src.gone(t, "ListAndWatch has returned, and the watch of the source goes on.")
	t.Require(way.reading.Load() == 0 && way.closing.Load() == 0, "ListAndWatch has returned, for its context was done, and the body of an answer was still being read or closed: by then it has left nothing behind.")
}

// cancelBehind cancels ListAndWatch while it applies the first of many events, all of which have come. A loop
// that selects between its context and the events may apply some more.
func cancelBehind(t *conform.T, s Subject) {
	const events, few = 100, 50
	src := newSource(t)
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	way := api.slow()
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	defer cancel()
	t.Note("each apply takes a second")
	applied := 0
	api.caller(s, 0).follow(ctx, t, func(kit.Event[*kit.Pod]) {
		applied++
		time.Sleep(time.Second)
	})
	t.Wait()
	src.many(events, func(i int) { src.put("default", fmt.Sprint(i)) })
	time.Sleep(500 * time.Millisecond)
	cancel()
	t.Join()
	t.Require(way.open.Load() == 0 && way.reading.Load() == 0 && way.closing.Load() == 0, "ListAndWatch has returned, for its context was done, with events of its watch unread, and the body of the answer was still being read, or was not closed: by then it has left nothing behind.")
	t.Require(applied < few, "%d events had come when the context of ListAndWatch was done. It was applying the first of them, which takes a second each, and went on until it had applied %d: it returns soon after ctx is done.", events, applied)
}

// cancelPause cancels ListAndWatch in the second after a watch that brought nothing.
func cancelPause(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) {
		if !x.watch {
			x.say(podList(1))
			return
		}
		x.begin()
	}}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	defer cancel()
	returned := client.follow(ctx, t, func(kit.Event[*kit.Pod]) {})
	time.Sleep(300 * time.Millisecond)
	cancel()
	time.Sleep(200 * time.Millisecond) // it may look at its context now and then
	t.Wait()
	t.Require(probe.Closed(returned), "Its watch brought nothing, so ListAndWatch waits for a second before the next. Its context ended in that second, and 200ms later it had not returned.")
}

func checkSlowReader(t *conform.T, open func() Subject) {
	const events, most = 2100, 2000 // 1000 that are held, and a generous share for the buffers on the way
	full(t.Context(), t, open()).Stop()
	readerRests(t, open())
	writeWaits(t, open())
	takesOneByOne(t, open())
	src := newSource(t)
	sub := open()
	api := serve(t, sub.Handler(kit.Pods, src))
	defer api.close()
	w := api.caller(sub, 0).watch(t, kit.ListOptions{ResourceVersion: "100"})
	defer w.Stop()
	src.many(events, func(i int) { src.put("default", fmt.Sprint(i)) })
	t.Wait()
	taken := src.begun()[0].taken.Load()
	if taken > most {
		t.Fatalf("Nobody reads, and %d of %d events were taken from the source: at most 1000 are held for a reader, and no %d more are on the way. %s", taken, events, most-1000, whatIsLeft(t, w, events))
	}
	for i := range events {
		e, ok := <-w.Watch.ResultChan()
		t.Require(ok, "The reader was slow, and the watch ended after %d of %d events.", i, events)
		t.Require(e.Object.GetName() == fmt.Sprint(i), "The reader was slow, and got pod %s where pod %d was due.", e.Object.GetName(), i)
	}
}

// readerRests has a reader come back after a while.
func readerRests(t *conform.T, s Subject) {
	want := []string{"ADDED default/a@1", "ADDED default/b@2", "ADDED default/c@3"}
	api := serve(t, &script{answer: func(x exchange) {
		x.say(line(added("a", 1)) + line(added("b", 2)) + line(added("c", 3)))
		x.hold()
	}})
	defer api.close()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	defer w.Stop()
	time.Sleep(10 * time.Minute)
	w.Expect(t, want, "Three events were sent, and their reader came after 10 minutes: a slow reader slows the stream, and does not end it.")
}

// hesitant is a ResponseWriter each of whose writes waits until the gate is open. It keeps nothing but the
// number of lines.
type hesitant struct {
	header http.Header
	gate   chan struct{}
	lines  *atomic.Int64
}

func (h hesitant) Header() http.Header { return h.header }
func (h hesitant) WriteHeader(int)     {}
func (h hesitant) FlushError() error   { return nil }
func (h hesitant) Write(b []byte) (int, error) {
	<-h.gate
	h.lines.Add(int64(bytes.Count(b, []byte("\n"))))
	return len(b), nil
}

// writeWaits calls Handler for a client that does not read yet. The events are too large to be put
// together in a buffer.
func writeWaits(t *conform.T, s Subject) {
	const events = 5
	src := newSource(t)
	src.many(events, func(i int) {
		size := 128 << 10
		if i == events/2 {
			size = 1100 << 10
		}
		src.put("default", fmt.Sprint(i)).Annotations["big"] = strings.Repeat("x", size)
	})
	handler := s.Handler(kit.Pods, src)
	ctx, cancel := t.WithCancel(context.Background(), "the context of the request")
	defer cancel()
	r := incoming(t, ctx, "/api/v1/pods?watch=1&resourceVersion=100")
	w := hesitant{http.Header{}, make(chan struct{}), new(atomic.Int64)}
	t.Go("server", func(a *conform.Actor) {
		call := a.Call("ServeHTTP(a client that does not read yet, watch=1)")
		handler.ServeHTTP(w, r)
		call.Returned("")
	})
	time.Sleep(time.Minute)
	t.Wait()
	t.Require(len(src.begun()) == 1, "Handler was asked for one watch, and began %d of its source.", len(src.begun()))
	taken := &src.begun()[0].taken
	ahead := taken.Load()
	othersAreServed(t, handler, src, src.held("").ResourceVersion)
	t.Note("the client reads")
	close(w.gate)
	t.Wait()
	t.Require(taken.Load() == events, "The client was slow, and now reads. The source has %d events, and Handler has taken %d.", events, taken.Load())
	t.Require(w.lines.Load() == events, "The client was slow, and now reads. Handler has taken %d events from the source, and has written %s: an event of whatever size is a line.", events, conform.Count(int(w.lines.Load()), "line"))
	cancel()
	t.Join()
	if ahead > 2 { // the one that is being written; and one that somebody holds out to the writer is no queue yet
		t.Fatalf("The write of the first event had not returned, and Handler had taken %d events from the source: it takes an event only when it can begin to write it.", ahead)
	}
}

// takesOneByOne calls Handler for a client that does not read, with a source that has all its events at hand.
func takesOneByOne(t *conform.T, s Subject) {
	const events = 9
	src := &handed{source: newSource(t)}
	for i := range events {
		src.events = append(src.events, added(fmt.Sprint(i), i+1))
	}
	ctx, cancel := context.WithCancel(context.Background())
	handler, r := s.Handler(kit.Pods, src), incoming(t, ctx, "/api/v1/pods?watch=1")
	w := hesitant{http.Header{}, make(chan struct{}), new(atomic.Int64)}
	t.Go("server", func(a *conform.Actor) {
		a.Do(func() { handler.ServeHTTP(w, r) }, "ServeHTTP(a client that does not read, watch=1)")
	})
	t.Wait()
	ahead := events - src.left()
	cancel()
	close(w.gate)
	t.Join()
	t.Require(ahead <= 2, "The source had %d events at hand. The first write had not returned, and Handler had taken %d of them: it takes an event only when it can begin to write it.", events, ahead)
}

// whatIsLeft lets the reader of a watch come back, and says what it gets: what was piled up, or what is left
// when something was dropped.
func whatIsLeft(t *conform.T, w stream, events int) string {
	got, gap := 0, ""
	for {
		t.Wait()
		select {
		case e, ok := <-w.Watch.ResultChan():
			if !ok {
				return fmt.Sprintf("When the reader came back it got %d of them%s, and then the watch ended.", got, gap)
			}
			if name := e.Object.GetName(); gap == "" && name != fmt.Sprint(got) {
				gap = fmt.Sprintf(" (after the first %d came pod %s: what lies between is lost)", got, name)
			}
			got++
		default:
			if got == events {
				return fmt.Sprintf("When the reader came back it got all %d: they had filled memory somewhere.", got)
			}
			return fmt.Sprintf("When the reader came back it got only %d of %d%s: the others are lost.", got, events, gap)
		}
	}
}
