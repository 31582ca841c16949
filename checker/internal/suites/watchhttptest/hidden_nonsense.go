package watchhttptest

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkNonsense(t *conform.T, open func() Subject) {
	for _, bad := range []string{
		"<html>no luck</html>",
		": a comment, in another kind of stream",
		`{"type":"PATCHED","object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"type":"added","object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"type":"ADDED"}`,
		`{"type":"ADDED","object":null}`,
		`{"type":"ADDED","object":"text"}`,
		`{"type":"ADDED","object":{"metadata":{"name":7}}}`,
		`{"type":"ERROR","object":[]}`,
		`{"type":"ERROR"}`,
		`{"type":"ERROR","object":null}`,
		`{"type":"BOOKMARK"}`,
		`{"type":"BOOKMARK","object":null}`,
		failure(kit.NewResourceExpired("a Status, and no event")),
		`[1,2]`,
		`}`,
	} {
		t.Virtual(func(t *conform.T) {
			server := &script{answer: func(x exchange) {
				x.say(line(added("a", 2)) + bad + "\n" + line(added("b", 4)))
				x.hold()
			}}
			api := serve(t, server)
			defer api.close()
			t.Note("the server sends %s", bad)
			w := api.caller(open(), 0).watch(t, kit.ListOptions{})
			w.ExpectEnd(t, []string{"ADDED default/a@2", "ERROR 500 InternalError"}, "The server sent the line %s, which is no event: it ends the watch, with an Error.", bad)
			t.Wait()
			t.Require(server.left() == 1, "The watch was over, and its request was not given up: the server has it still.")
		})
	}
	nonsenseBehind(t, open)
	for _, bad := range []string{"nonsense", strings.Repeat("too long ", 500)} {
		t.Virtual(func(t *conform.T) { errorComesLate(t, open(), bad) })
	}
	expired := kit.NewResourceExpired("too old").ErrStatus
	for _, unread := range []string{"nonsense\n", line(kit.Event[*kit.Pod]{Type: kit.Error, Status: &expired}), line(bookmarkAt(7, false))} {
		t.Virtual(func(t *conform.T) { stopsUnread(t, open(), unread) })
	}
	t.Virtual(func(t *conform.T) { nonsenseFollowed(t, open()) })
}

// nonsenseBehind has an event and something else in the same line. Whether the event is delivered is not
// looked at: who reads value by value has it before the rest of its line.
func nonsenseBehind(t *conform.T, open func() Subject) {
	for _, tail := range []string{" and more", "}", "]"} { // of the last two Decoder.More says that they are no more
		t.Virtual(func(t *conform.T) { endsIn(t, open(), tail) })
	}
}

// endsIn has a line that is an event and a tail.
func endsIn(t *conform.T, s Subject, tail string) {
	bad := strings.TrimSuffix(line(added("x", 3)), "\n") + tail
	server := &script{answer: func(x exchange) {
		x.say(line(added("a", 2)) + bad + "\n" + line(added("b", 4)))
		x.hold()
	}}
	api := serve(t, server)
	defer api.close()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	defer w.Stop()
	events, closed := w.Ready(t)
	got := slices.DeleteFunc(listwatch.Texts(events), func(text string) bool { return text == "ADDED default/x@3" })
	listwatch.Same(t, []string{"ADDED default/a@2", "ERROR 500 InternalError"}, got, "The server sent the line %s, which is not JSON, and so no event: it ends the watch, with an Error.", bad)
	t.Require(closed, "The server sent a line that is no event, the Error was delivered, and the ResultChan is still open.")
}

// errorComesLate has a reader come when many events wait, and behind them a line that is no event.
func errorComesLate(t *conform.T, s Subject, bad string) {
	const events, limit = 300, 400 // more than a hundred times as much as one event may have
	var want []string
	var text strings.Builder
	for i := range events {
		e := added(fmt.Sprint(i), i+1)
		want = append(want, listwatch.Show(e))
		text.WriteString(line(e))
	}
	text.WriteString(bad + "\n")
	api := serve(t, &script{answer: func(x exchange) {
		x.s.a.Note("sends %d events, and a line of %d bytes that is none", events, len(bad))
		_, _ = io.WriteString(x.w, text.String())
		x.begin()
		x.hold()
	}})
	defer api.close()
	w := api.caller(s, limit).watch(t, kit.ListOptions{})
	defer w.Stop()
	w.ExpectEnd(t, append(want, "ERROR 500 InternalError"), "The server sent %d events and a line of %d bytes that is no event (MaxEvent is %d), and the reader came late.", events, len(bad), limit)
}

// stopsUnread stops a watch that has an Error or a bookmark to deliver which nobody reads.
func stopsUnread(t *conform.T, s Subject, unread string) {
	server := &script{answer: func(x exchange) {
		x.say(unread)
		x.hold()
	}}
	api := serve(t, server)
	defer api.close()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	t.Wait()
	w.Stop()
	t.Wait()
	t.Require(server.left() == 1, "The server had sent %q, and nobody read what came of it. Stop was called, and the request was not given up.", unread)
}

// nonsenseFollowed has ListAndWatch come upon a line that is no event.
func nonsenseFollowed(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) {
		if x.watch {
			x.say("nonsense\n")
			return
		}
		x.say(podList(1))
	}}
	api := serve(t, server)
	defer api.close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := api.caller(s, 0).listAndWatch(ctx, t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	told{"the watch of ListAndWatch", err}.stops(t, "a line that is no event", 500, kit.ReasonInternalError)
}

func checkHuge(t *conform.T, open func() Subject) {
	const limit = 16 << 10 // and 16 of them are more than the 64 KiB that may be read whatever the limit
	t.Virtual(func(t *conform.T) {
		var sent atomic.Int64
		server := &script{answer: func(x exchange) {
			for n := range 20 {
				x.say(line(exact(n, limit)))
				x.say(line(added("small", 1)))
			}
			text := `{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"` + strings.Repeat("x", 1000)
			for sent.Load() < 64*limit && x.say(text) == nil {
				sent.Add(int64(len(text)))
				text = strings.Repeat("x", 1000)
			}
		}}
		api := serve(t, server)
		defer api.close()
		events := api.caller(open(), limit).watch(t, kit.ListOptions{}).Rest()
		t.Wait()
		last := "nothing"
		if len(events) > 0 {
			last = listwatch.Show(events[len(events)-1])
		}
		t.Require(len(events) == 41, "The server sent 40 events that are not too long (the first, the third and so on have exactly MaxEvent bytes and a newline, which does not count), and one without an end: that is 40 events and an Error, and the watch brought %d, the last of them %s.", len(events), last)
		for _, e := range events[:40] {
			t.Require(e.Type == kit.Added, "An event of no more than MaxEvent bytes, its newline not counted, brought %s.", listwatch.Show(e))
		}
		t.Require(listwatch.Show(events[40]) == "ERROR 500 InternalError", "An event without an end did not bring an Error with 500 and InternalError, but %s.", listwatch.Show(events[40]))
		t.Require(sent.Load() < int64(16*limit), "MaxEvent is %d KiB, and the client went on reading an event without an end for %d KiB: it must hang up after a few times MaxEvent.", limit>>10, sent.Load()>>10)
	})
	t.Virtual(func(t *conform.T) {
		api := serve(t, &script{answer: func(x exchange) { x.say(line(exact(0, limit+1))) }})
		defer api.close()
		events := api.caller(open(), limit).watch(t, kit.ListOptions{}).Rest()
		listwatch.Same(t, []string{"ERROR 500 InternalError"}, listwatch.Texts(events), "An event of one byte more than MaxEvent, its newline not counted, did not bring an Error with 500 and InternalError.")
	})
	t.Virtual(func(t *conform.T) { blankWithoutAnEnd(t, open()) })
	t.Virtual(func(t *conform.T) { longBehindAnother(t, open()) })
	t.Virtual(func(t *conform.T) { longByDefault(t, open()) })
	t.Virtual(func(t *conform.T) { anyLength(t, open()) })
}

// blankWithoutAnEnd has a line of white space that does not end.
func blankWithoutAnEnd(t *conform.T, s Subject) {
	const limit, piece = 1000, 8 << 10
	var sent atomic.Int64
	api := serve(t, &script{answer: func(x exchange) {
		x.say(line(added("a", 1)))
		x.s.a.Note("sends spaces, and no newline")
		for text := strings.Repeat(" ", piece); sent.Load() < 64*piece; sent.Add(piece) {
			if _, err := io.WriteString(x.w, text); err != nil || http.NewResponseController(x.w).Flush() != nil {
				return
			}
		}
	}})
	defer api.close()
	events := api.caller(s, limit).watch(t, kit.ListOptions{}).Rest()
	t.Wait()
	t.Require(sent.Load() < 32*piece, "MaxEvent is %d, and the client went on reading a line of white space without an end for %d KiB: of a line that is too long at most a few times MaxEvent bytes are read, or 64 KiB if that is more.", limit, sent.Load()>>10)
	listwatch.Same(t, []string{"ADDED default/a@1", "ERROR 500 InternalError"}, listwatch.Texts(events), "MaxEvent is %d. Behind an event came a line of white space that is longer, and did not end.", limit)
}

// longByDefault has an event that is larger than any that etcd would hold (1.5 MiB), and a Client whose MaxEvent is
// left to its default. Decoding is dear: of each megabyte every byte is looked at four or five times.
func longByDefault(t *conform.T, s Subject) {
	const size = 2 << 20
	api := serve(t, &script{answer: func(x exchange) { x.say(line(big(0, size))) }})
	defer api.close()
	events := api.caller(s, 0).watch(t, kit.ListOptions{}).Rest()
	listwatch.Same(t, []string{"ADDED default/0@1"}, listwatch.Texts(events), "An event of %d MiB was not delivered although MaxEvent was left to its default, which is 16 MiB.", size>>20)
	t.Require(len(events[0].Object.Annotations["big"]) == size, "An annotation of %d MiB was delivered with %d bytes.", size>>20, len(events[0].Object.Annotations["big"]))
}

// anyLength has a Client whose MaxEvent is as large as an int may be.
func anyLength(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(x exchange) { x.say(line(added("a", 1))) }})
	defer api.close()
	events := api.caller(s, math.MaxInt).watch(t, kit.ListOptions{}).Rest()
	listwatch.Same(t, []string{"ADDED default/a@1"}, listwatch.Texts(events), "MaxEvent is math.MaxInt, so no event is too long: a short one is delivered.")
}

// longBehindAnother has an event of one byte too many come together with the one before it.
func longBehindAnother(t *conform.T, s Subject) {
	const limit = 400
	api := serve(t, &script{answer: func(x exchange) { x.say(line(added("a", 1)) + line(exact(1, limit)) + line(exact(2, limit+1))) }})
	defer api.close()
	events := api.caller(s, limit).watch(t, kit.ListOptions{}).Rest()
	listwatch.Same(t, []string{"ADDED default/a@1", "ADDED default/1@2", "ERROR 500 InternalError"}, listwatch.Texts(events), "MaxEvent is %d. Behind two events that are not too long came one of a byte more than MaxEvent, its newline not counted.", limit)
}

// big makes an event with an annotation of this length in bytes, in which one character has two.
func big(n, size int) kit.Event[*kit.Pod] {
	e := added(fmt.Sprint(n), n+1)
	text := strings.Repeat("x", size)
	if size > 1 {
		text = "é" + text[2:]
	}
	e.Object.Annotations = map[string]string{"big": text}
	return e
}

// exact makes an event whose line, without the newline, has this length.
func exact(n, length int) kit.Event[*kit.Pod] {
	return big(n, length-len(line(big(n, 0)))+len("\n"))
}
