package watchhttptest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// answering is a Transport without a network: each answer is a 200, and the function makes its body.
type answering func(r *http.Request) io.ReadCloser

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: -1, Request: r, Body: f(r),
	}, nil
}

// ready is a body that has come already: a Read gets as much as it has room for, and the last one gets the
// error with its bytes, as any Read may.
type ready struct {
	text *strings.Reader
	err  error
}

func (b ready) Read(p []byte) (int, error) {
	n, _ := b.text.Read(p)
	if b.text.Len() == 0 {
		return n, b.err
	}
	return n, nil
}

func (b ready) Close() error { return nil }

// endsWithItsBytes has streams whose end, of whatever kind, comes together with their last bytes. The lines
// have 4096 bytes, as many as buffers often have.
func endsWithItsBytes(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(exchange) {}})
	defer api.close()
	client := api.caller(s, 0)
	var want []string
	var text strings.Builder
	for i := range 9 {
		e := exact(i, 4095)
		want = append(want, listwatch.Show(e))
		text.WriteString(line(e))
	}
	for _, tail := range []string{"", `{"type":`, `{"type":"PATCHED","object":{}}`, "<html>no luck"} {
		for _, err := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET} {
			api.through(answering(func(*http.Request) io.ReadCloser { return ready{strings.NewReader(text.String() + tail), err} }))
			t.Note("the answer is 9 events and %q, and the Read that brings the last bytes also returns the error %q", tail, err)
			before := t.Elapsed()
			got := listwatch.Texts(client.watch(t, kit.ListOptions{}).Rest())
			listwatch.Same(t, want, got, "A stream brought 9 events, then %q without the end of a line, and with these bytes the error %q: the watch brings the events that came whole, and no Error.", tail, err)
			t.Require(t.Elapsed() < before+time.Second, "A stream was over (%v), and its ResultChan was closed %v later.", err, t.Elapsed()-before)
		}
	}
}

// flood is a body that brings one event with each Read, up to a number, and then nothing. It ends with its
// request.
type flood struct {
	*muteBody
	left  int
	taken *atomic.Int64
}

const drop = `{"type":"ADDED","object":{}}` + "\n"

func (b *flood) Read(p []byte) (int, error) {
	if b.request.Err() != nil || b.left == 0 || len(p) < len(drop) {
		return b.muteBody.Read(p)
	}
	b.left--
	b.taken.Add(1)
	return copy(p, drop), nil
}

// full begins a watch of more events than a Client may hold, which nobody reads.
func full(ctx context.Context, t *conform.T, s Subject) stream {
	const events, most = 2000, 1100 // a hundred for those that are being read, decoded or sent
	api := serve(t, &script{answer: func(exchange) {}})
	api.close()
	var taken atomic.Int64
	api.through(answering(func(r *http.Request) io.ReadCloser {
		return &flood{&muteBody{request: r.Context(), closed: make(chan struct{})}, events, &taken}
	}))
	w, err := api.caller(s, 0).Try(ctx, t.Actor, kit.ListOptions{})
	t.Require(err == nil, "Watch returned an error although the server had answered 200: %v.", err)
	t.Wait()
	t.Require(taken.Load() <= most, "Nobody reads, and the Client has read %d events of the answer: at most 1000 are held for a reader.", taken.Load())
	return w
}

// stopsWhenFull stops a watch whose Client holds all that it can.
func stopsWhenFull(t *conform.T, s Subject) {
	w := full(context.Background(), t, s)
	w.Stop()
	noError(t, w.Rest(), "Stop was called, with many events unread")
}

// cancelsWhenFull cancels a watch whose Client holds all that it can, and whose channel nobody ever comes to read.
func cancelsWhenFull(t *conform.T, s Subject) {
	ctx, cancel := t.WithCancel(context.Background(), "the context of the watch")
	full(ctx, t, s)
	cancel()
}

// counted is a Transport that counts the bodies that are open. A Close takes a second.
type counted struct {
	inner http.RoundTripper
	open  atomic.Int64
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.inner.RoundTrip(r)
	if err == nil {
		c.open.Add(1)
		res.Body = &countedBody{ReadCloser: res.Body, count: sync.OnceFunc(func() { c.open.Add(-1) })}
	}
	return res, err
}

type countedBody struct {
	io.ReadCloser
	count func()
}

func (b *countedBody) Close() error {
	time.Sleep(time.Second)
	defer b.count()
	return b.ReadCloser.Close()
}

// closesBodies has answers of all kinds, and looks whether their bodies are closed when the call has returned.
func closesBodies(t *conform.T, s Subject) {
	var answer func(x exchange)
	api := serve(t, &script{answer: func(x exchange) { answer(x) }})
	defer api.close()
	way := &counted{inner: api.transport}
	api.through(way)
	t.Note("Close of a body takes a second")
	client := api.caller(s, 0)
	for _, c := range []struct {
		what    string
		refuses bool
		answer  func(x exchange)
	}{
		{"a list", false, func(x exchange) { x.say(podList(1)) }},
		{"a list of another type", false, func(x exchange) { x.say(nodeList) }},
		{"half a list", false, func(x exchange) {
			x.say(podList(1)[:20])
			x.cut()
		}},
		{"410 and a Status", true, func(x exchange) { x.refuse(410, failure(kit.NewResourceExpired("too old"))) }},
		{"502 and a page", true, func(x exchange) { x.refuse(502, "<html>no luck</html>") }},
	} {
		answer = c.answer
		_, _ = client.List(t.Context(), t.Actor, kit.ListOptions{})
		t.Require(way.open.Load() == 0, "The server answered a List with %s. List has returned, and the body of the answer is open still.", c.what)
		if !c.refuses {
			continue
		}
		_, err := client.Try(t.Context(), t.Actor, kit.ListOptions{})
		t.Require(err != nil, "The server answered a Watch with %s, and Watch returned no error.", c.what)
		t.Require(way.open.Load() == 0, "The server answered a Watch with %s. Watch has returned, and the body of the answer is open still.", c.what)
	}
}

// cancelling is a Transport that ends the context of a call when the header of the answer has come.
type cancelling struct {
	inner  http.RoundTripper
	cancel context.CancelFunc
}

func (e cancelling) RoundTrip(r *http.Request) (*http.Response, error) {
	defer e.cancel()
	return e.inner.RoundTrip(r)
}

// closesWhatIsCancelled has ctx end when a 200 has come, and before List or Watch looks at it. Watch may then return
// a watch, which ends at once, or an error.
func closesWhatIsCancelled(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(exchange) {}})
	defer api.close()
	way := &counted{inner: mute{}}
	client := api.caller(s, 0)
	for _, call := range []string{"Watch", "List"} {
		ctx, cancel := t.WithCancel(context.Background(), "the context, when the header of the answer has come")
		api.through(cancelling{way, cancel})
		if call == "List" {
			_, _ = client.List(ctx, t.Actor, kit.ListOptions{})
		} else if w, err := client.Try(ctx, t.Actor, kit.ListOptions{}); err == nil {
			w.Rest()
		}
		t.Require(way.open.Load() == 0, "The server answered a %s with 200, and at that moment ctx ended. The call is over, and the body of the answer is open still.", call)
	}
}

// leavesIdleConnections has a watch end while the connection of a List is idle. All runs in a bubble, where
// net/http keeps each connection whose answer was read to its end.
func leavesIdleConnections(t *conform.T, s Subject) {
	end := make(chan struct{})
	api := serve(t, &script{answer: func(x exchange) {
		if !x.watch {
			x.say(podList(1))
			return
		}
		x.begin()
		<-end
	}})
	defer api.close()
	client := api.caller(s, 0)
	w := client.watch(t, kit.ListOptions{})
	defer w.Stop()
	for i := range 2 {
		_, err := client.List(t.Context(), t.Actor, kit.ListOptions{})
		t.Require(err == nil, "The server answered with a list, and List returned %s.", conform.Said(err))
		t.Wait()
		if i == 0 {
			close(end)
			w.ExpectEnd(t, []string{}, "The answer to a watch ended, and had brought nothing.")
		}
	}
	t.Require(api.conns.Load() == 2, "A watch and a List took two connections. The watch ended, and the next List took another: the first List leaves its connection to the next request.")
}

// patient has a server that takes its time: ten minutes before the header, and ten before the only event, or
// the rest of the list.
func patient(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(x exchange) {
		time.Sleep(10 * time.Minute)
		if list := podList(1); !x.watch {
			x.say(list[:20])
			time.Sleep(10 * time.Minute)
			x.say(list[20:])
			return
		}
		x.begin()
		time.Sleep(10 * time.Minute)
		x.say(line(added("a", 2)))
	}})
	defer api.close()
	client := api.caller(s, 0)
	options := kit.ListOptions{TimeoutSeconds: 60} // which the server keeps, or does not
	_, err := client.List(t.Context(), t.Actor, options)
	t.Require(err == nil, "The server answered with a list, half of it after 10 minutes and half after 20, nothing had ended ctx, and List returned %s: it blocks until the server has answered or ctx is done.", conform.Said(err))
	w, err := client.Try(context.Background(), t.Actor, options)
	t.Require(err == nil, "The server answered 200 after 10 minutes, nothing had ended ctx, and Watch returned %s.", conform.Said(err))
	defer w.Stop()
	listwatch.Same(t, []string{"ADDED default/a@2"}, listwatch.Texts(w.Rest()), "The only event of a stream came 10 minutes after its header.")
}
