package watchhttptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// broken are the cases about streams that do not end in order, or bring what they should not.
var broken = []conform.Case[Subject]{
	{
		Name:   "cut-in-the-middle",
		Long:   true,
		Points: 6,
		Func:   "Client.Watch",
		Rule:   "Wherever the stream is cut, every event that came whole is delivered, no partial one is, and the ResultChan is closed without an Error.",
		Why:    "Connections are cut all day: load balancers, restarts, laptops. Half an object in a cache may be a pod without its labels, which some controller then takes for a stranger.",
		Hint: []string{
			"How do you know that an event is whole?",
			"bufio.Scanner hands out what is left before the end as if it were a line.",
			"A cut has many names: io.EOF, io.ErrUnexpectedEOF, a reset, an HTTP/2 stream error. What must you do differently for each?",
		},
		Source: "apimachinery pkg/watch/streamwatcher.go: StreamWatcher.receive (EOF, unexpected EOF and network errors end the watch without an event)",
		Contract: []string{
			"when the connection is cut or breaks in whatever way, and when it ends in the middle of an event, after all events that came whole",
			`one that lacks nothing but the "\n" may be delivered or not. There is no Error then, whatever stands behind the last "\n"`,
			"If it has a Timeout, every watch is cut off after that time.",
		},
		Check: checkCut,
	},
	{
		Name:   "resumes-without-loss-or-repeat",
		Points: 6,
		Func:   "Client.ListAndWatch",
		Look:   []string{"Client.ListAndWatch", "Client.Watch"},
		Rule:   "However often the stream is cut, and wherever, every change after the list is applied once and in order, while writers write.",
		Why:    "After a lost change the cache is wrong until the next list; a change that comes twice can bring back a pod that is gone.",
		Hint: []string{
			"What is the least that you have to remember between two watches?",
			"The version moves when an event has been delivered, neither earlier nor later.",
		},
		Source: "client-go tools/cache/reflector.go: handleAnyWatch (the version follows each event)",
		Contract: []string{
			"from then on every change to apply: each Added, Modified and Deleted event that the watches bring, once, in order and as it came.",
			"When a watch ends without an Error, another is begun from the version of the last event or bookmark",
		},
		Check: checkResume,
	},
	{
		Name:   "bookmarks-move-the-version",
		Points: 4,
		Func:   "Client.ListAndWatch",
		Rule:   "After a bookmark the next watch begins at its version; a bookmark is not applied; after a watch that brought nothing a second passes.",
		Why:    "In a quiet namespace only bookmarks move. Without them the version is too old at the next cut, and everything is listed again.",
		Hint: []string{
			"A bookmark has a version like any event, and nothing else. Does ListAndWatch ask for them?",
			"A server that ends every watch at once: how often do you ask it in a minute?",
		},
		Source: "KEP-956; client-go tools/cache/reflector.go: VeryShortWatchError",
		Contract: []string{
			"When a watch ends without an Error, another is begun from the version of the last event or bookmark (each has one); after a watch that brought neither, a second after its end. Bookmarks are not handed to apply.",
			"Both functions are called from the caller's goroutine.",
			"The list is of options.Namespace and ResourceVersion. The watches are of the same namespace, ask for bookmarks, and have options.TimeoutSeconds.",
			"each Added, Modified and Deleted event that the watches bring, once, in order and as it came. It compares no versions, which only the server understands, and relies on each watch to bring what came after the version that it began from.",
			"and a field that is zero becomes none",
			"All methods may be called from any goroutine.",
		},
		Mode:  conform.Virtual,
		Check: checkBookmarks,
	},
	{
		Name:   "errors-are-told",
		Points: 4,
		Func:   "Client.Watch",
		Look:   []string{"Client.Watch", "Client.List", "Client.ListAndWatch"},
		Rule:   "An answer that refuses is an error with its Status, or its code where there is none; an ERROR event is delivered with its Status and ends the watch; ListAndWatch returns either.",
		Why:    "410 means list again, 429 means wait, and 500 means back off. A client that confuses them prolongs an outage.",
		Hint: []string{
			"Upstream a watch that is too old is refused inside a 200. How does your reader see it, and what comes after?",
			"The body of a 502 comes from a proxy, and its code is all you have.",
		},
		Source: "apimachinery pkg/api/errors/errors.go: NewGenericServerResponse; apiserver pkg/storage/cacher/cacher.go: newErrWatcher",
		Contract: []string{
			"An answer that is not 200 is an error: the Status in its body, as a *kit.StatusError. What makes a Status is its kind alone, whatever its apiVersion, and all of it stays as it stands. (A Status without a code may be treated as no Status.) If the body is no Status, as from a proxy in between, or breaks off, it is a *kit.StatusError with the code of the answer, and with the reason that belongs to the code for 404 (NotFound), 410 (Expired) and 429 (TooManyRequests).",
			"After an ERROR: it is delivered as an Error with its Status, and it is the end, whatever may follow.",
			"An answer that can't be read whole, that is not one JSON object, or whose kind is not that of a list of the type, is an error.",
			"A Client does what its options say and nothing more, in List as in Watch",
			"when the list or a watch is refused or the server can't be reached (that error), and at an Error event (its Status as a *kit.StatusError). By then it has left nothing behind.",
		},
		Mode:  conform.Virtual,
		Check: checkErrors,
	},
	{
		Name:   "nonsense-ends-with-an-error",
		Points: 4,
		Func:   "Client.Watch",
		Rule:   "A line that is not an event, or is of a type that kit does not know, brings one Error (500, InternalError) and the end.",
		Why:    "A client that skips a line it cannot read loses a change in silence. An error makes the reader list again, and be right.",
		Hint: []string{
			"What do json.Unmarshal and your switch make of a type they do not know, and of an object that isn't there?",
			"A default case.",
		},
		Source: `client-go rest/watch/decoder.go: "got invalid watch event type"; apimachinery pkg/watch/streamwatcher.go: StreamWatcher.receive, "unable to decode"`,
		Contract: []string{
			"After a line that is no event: not one JSON object, of a type that kit does not know, without an object or with one that can't be read, or longer than MaxEvent. One Error is delivered, whose Status has code 500 and the reason InternalError.",
			"When the ResultChan is closed, the request is over as well",
			"Within a second of Stop, or of the end of ctx, whether anybody reads or not.",
			"and at an Error event (its Status as a *kit.StatusError)",
		},
		Check: checkNonsense,
	},
	{
		Name:   "huge-events-are-bounded",
		Long:   true,
		Points: 4,
		Func:   "Client.Watch",
		Rule:   "An event of up to MaxEvent bytes is delivered, after any number of others; one without an end brings an Error, and the client hangs up before it has read much more than MaxEvent.",
		Why:    "One broken server that sends a line without an end kills every client that trusts it, and with them every controller in the cluster.",
		Hint: []string{
			"Which of ReadBytes, Scanner and Decoder stops by itself?",
			"The bound is for an event, not for the stream.",
			"ReadSlice gives you a line in pieces: count them.",
		},
		Source: "apimachinery pkg/runtime/serializer/streaming/streaming.go: maxBytes (16 MiB, ErrObjectTooLarge)",
		Contract: []string{
			"or longer than MaxEvent. One Error is delivered, whose Status has code 500 and the reason InternalError. Of a line that is too long, at most a few times MaxEvent bytes are read, or 64 KiB if that is more.",
			"MaxEvent is the length in bytes of the longest event that a watch takes, without the newline at its end. 0 is 16 MiB, as in client-go.",
		},
		Check: checkHuge,
	},
}

// ending is a way in which an answer comes to its end.
type ending string

const (
	wasCut ending = "the connection was cut"
	ended  ending = "the answer ended"
	// endedAtItsLength is what comes through a proxy that has read the answer whole. The last Read of the
	// body then returns bytes and io.EOF together, as any Read may.
	endedAtItsLength ending = "the answer ended, for that was its Content-Length"
)

func checkCut(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { cutByTheClient(t, open()) })
	t.Virtual(func(t *conform.T) { endsWithItsBytes(t, open()) })
	want := []string{"ADDED default/a@11", "ADDED default/b@12", "BOOKMARK @15"}
	lines := []string{line(added("a", 11)), line(added("b", 12)), line(bookmarkAt(15, false))}
	text := strings.Join(lines, "")
	for _, h2 := range []bool{false, true} {
		t.Virtual(func(t *conform.T) {
			at, how := 0, wasCut
			server := &script{answer: func(x exchange) {
				cut, part := how == wasCut, text[:at] // read before the answer: a client may be done with it before we are
				if how == endedAtItsLength {
					x.w.Header().Set("Content-Length", strconv.Itoa(at))
				}
				x.begin()
				x.say(part)
				if cut {
					x.cut()
				}
			}}
			api := serveAt(t, fake.InMemory("api").Door(), server, h2)
			defer api.close()
			client := api.caller(open(), 0)
			for ; at <= len(text); at++ {
				if h2 && at%7 != 0 && at != len(text) {
					continue // what is half an event was seen over HTTP/1.1
				}
				for _, how = range endingsAt(text, at) {
					t.Note("the server sends %d of %d bytes, and then %s", at, len(text), how)
					got := listwatch.Texts(client.watch(t, kit.ListOptions{}).Rest())
					whole := strings.Count(text[:at], "\n")
					if len(got) == whole+1 && strings.HasPrefix(text[at:], "\n") {
						whole++ // all but its newline has come
					}
					listwatch.Same(t, want[:whole], got, "The server sent %d of %d bytes of three events, and then %s: the watch brings those that came whole, and nothing else.", at, len(text), how)
				}
			}
		})
	}
}

// endingsAt are the ways to end an answer of which this much has come. At the ends of events, where one byte
// decides, they are all there are; inside of an event they take turns.
func endingsAt(text string, at int) []ending {
	all := []ending{wasCut, ended, endedAtItsLength}
	if at < 2 || strings.Contains(text[at-2:min(at+2, len(text))], "\n") {
		return all
	}
	return all[at%len(all):][:1]
}

// cutByTheClient has an http.Client with a Timeout.
func cutByTheClient(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) {
		x.say(line(added("a", 11)))
		x.hold()
	}}
	api := serve(t, server)
	defer api.close()
	api.client.Timeout = time.Minute
	t.Note("the Timeout of the http.Client is 1m")
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	w.Expect(t, []string{"ADDED default/a@11"}, "A watch did not bring the event that the server had sent.")
	time.Sleep(time.Minute - time.Second)
	w.Expect(t, []string{}, "The Timeout of the http.Client is 1m, and after 59s")
	time.Sleep(2 * time.Second)
	events, closed := w.Ready(t)
	noError(t, events, "The Timeout of the http.Client, 1m, has cut the watch off")
	t.Require(closed, "The Timeout of the http.Client is 1m, and after 61s the watch goes on: every watch is cut off after that time.")
}

func checkResume(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { cancelledByApply(t, open()) })
	for i := range 3 {
		t.Virtual(func(t *conform.T) {
			src := newSource(t)
			src.put("default", "old")
			server := &script{}
			server.answer = func(x exchange) { unreliable(x, src, t.Seed()) }
			api := serveAt(t, fake.InMemory("api").Door(), server, i == 1)
			defer api.close()
			client := api.caller(open(), 0)
			ctx, cancel := t.WithCancel(context.Background(), "the context")
			defer cancel()
			var begin uint64
			got := []string{}
			t.Go("follower", func(a *conform.Actor) {
				err := client.listAndWatch(ctx, a, kit.ListOptions{TimeoutSeconds: 600}, func(list kit.List[*kit.Pod]) {
					fmt.Sscan(list.ResourceVersion, &begin)
				}, func(e kit.Event[*kit.Pod]) { got = append(got, listwatch.Show(e)) })
				t.Assert(errors.Is(err, context.Canceled), "The server had only cut watches, and ListAndWatch returned %q: it goes on until its context is done, and returns the context's error.", fmt.Sprint(err))
			})
			time.Sleep(time.Second)
			for i := range 60 {
				name := fmt.Sprint(i % 7)
				src.put("default", name)
				if i%5 == 4 {
					src.delete("default", name)
				}
				if t.Rand().IntN(3) == 0 {
					time.Sleep(time.Duration(t.Rand().IntN(1500)) * time.Millisecond)
				}
			}
			time.Sleep(2 * time.Minute) // time for what is left, and for some watches that bring nothing
			cancel()
			t.Join()
			t.Require(begin != 0, "ListAndWatch was called, and did not hand a list with a version to replace.")
			listwatch.Same(t, src.events(begin), got, "The list was at version %d. Where watches were cut, apply did not get each later change once and in order.", begin)
		})
	}
}

// cancelledByApply has apply cancel the context at one of many events, all of which have come together. It
// may be called for some more, but not for one behind another that was dropped.
func cancelledByApply(t *conform.T, s Subject) {
	const events, last = 50, 5
	var want []string
	var text strings.Builder
	for i := range events {
		want = append(want, fmt.Sprintf("ADDED web/%d@%d", i, i+2))
		fmt.Fprintf(&text, `{"type":"ADDED","object":{"metadata":{"namespace":"web","name":"%d","resourceVersion":"%d"}}}`+"\n", i, i+2)
	}
	api := serve(t, &script{answer: func(x exchange) {
		if !x.watch {
			x.say(podList(1))
			return
		}
		x.s.a.Note("sends %d events", events)
		_, _ = io.WriteString(x.w, text.String())
		x.begin()
		x.hold()
	}})
	defer api.close()
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	defer cancel()
	got := []string{}
	err := api.caller(s, 0).listAndWatch(ctx, t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(e kit.Event[*kit.Pod]) {
		if got = append(got, listwatch.Show(e)); len(got) == last {
			cancel()
		}
	})
	t.Require(errors.Is(err, context.Canceled), "ListAndWatch was cancelled, and its error is not that of its context, but %q.", fmt.Sprint(err))
	listwatch.Same(t, want[:min(len(got), events)], got, "apply cancelled the context at event %d of %d. ListAndWatch may apply some that follow, but each event once and in order.", last, events)
}

// unreliable serves a source, and cuts every watch somewhere after a few bytes.
func unreliable(x exchange, src *source, seed uint64) {
	options := kit.ListOptions{ResourceVersion: x.r.URL.Query().Get("resourceVersion")}
	if !x.watch {
		list, _ := src.List(x.r.Context(), options)
		x.say(fmt.Sprintf(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":%q},"items":%s}`, list.ResourceVersion, mustJSON(list.Items)))
		return
	}
	if x.n > 2000 { // who watches again and again from the same version would do so for ever
		x.begin()
		x.hold()
		return
	}
	rng := rand.New(rand.NewPCG(seed, uint64(x.n)))
	w, _ := src.Watch(x.r.Context(), options)
	defer w.Stop()
	x.begin()
	for left := rng.IntN(2500); ; {
		select {
		case e := <-w.ResultChan():
			text := line(e)
			x.say(text[:min(left, len(text))])
			left -= len(text)
		case <-time.After(5 * time.Second):
			left = 0
		case <-x.r.Context().Done():
			return
		}
		if left <= 0 {
			if rng.IntN(2) == 0 {
				x.cut()
			}
			return
		}
	}
}

func checkBookmarks(t *conform.T, open func() Subject) {
	server := &script{answer: bringsBookmarks}
	api := serve(t, server)
	defer api.close()
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	defer cancel()
	var got []string // nobody guards it: one goroutine makes all these calls
	t.Go("follower", func(a *conform.Actor) {
		caller := probe.Goroutine()
		replace := func(list kit.List[*kit.Pod]) {
			t.Assert(probe.Goroutine() == caller, "ListAndWatch called replace on another goroutine, and calls it on that of its caller.")
			got = append(got, "a list at "+list.ResourceVersion)
		}
		err := api.caller(open(), 0).listAndWatch(ctx, a, kit.ListOptions{Namespace: "web", ResourceVersion: "0", SendInitialEvents: true, TimeoutSeconds: 300}, replace, func(e kit.Event[*kit.Pod]) {
			t.Assert(probe.Goroutine() == caller, "ListAndWatch called apply on another goroutine, and calls it on that of its caller.")
			got = append(got, listwatch.Show(e))
		})
		t.Assert(errors.Is(err, context.Canceled), "Nothing had gone wrong, and ListAndWatch returned %q: it goes on until its context is done, and returns the context's error.", fmt.Sprint(err))
	})
	t.Wait()
	fiveAtOnce(t, server.texts())
	time.Sleep(4500 * time.Millisecond)
	t.Wait()
	t.Require(len(server.log()) == 9, "After a watch that brings nothing a second passes before the next: that makes 9 requests after 4.5s, and there were %d.", len(server.log()))
	time.Sleep(2 * time.Second)
	t.Wait()
	t.Require(len(server.log()) == 9, "A watch that lasted for two seconds brought nothing, and half a second after its end the next had begun: the next is begun a second after that.")
	time.Sleep(time.Hour)
	cancel()
	t.Join()
	listwatch.Same(t, []string{"a list at 9", "ADDED web/a@1x", "ADDED web/b@1x", "DELETED web/b@2x", "ADDED web/b@3x", "MODIFIED web/a@3", "ADDED web/d@30", "MODIFIED web/c@4", "MODIFIED web/e@5x", "DELETED web/f@6x"}, got,
		"The functions replace and apply did not get the list, then each event that the watches brought, as it came, and nothing else: bookmarks are not handed to apply, versions are not compared, and ListAndWatch need not have met the object of a change before.")
	log := server.log()
	t.Require(len(log) == 10, "There were %d requests, and a list and 9 watches were due: the last watch goes on, and none follows it.", len(log))
	t.Same("/api/v1/namespaces/web/pods?resourceVersion=0", server.texts()[0], "ListAndWatch did not list with its options. The request")
	for i, version := range []string{"9", "30", "4", "4", "4", "4", "4", "4", "4"} {
		q := log[i+1].query
		t.Require(log[i+1].path == log[0].path, "The list was of %s, and watch %d is of %s: it is of the same namespace.", log[0].path, i+1, log[i+1].path)
		t.Require(q.Get("resourceVersion") == version, "The list, or the watches so far, had come to version %s, and watch %d began from %q.", version, i+1, q.Get("resourceVersion"))
		t.Require(!q.Has("sendInitialEvents"), "Watch %d was asked for with %q. It follows a list, and has nothing of ListAndWatch's options but the namespace and the timeout: the objects of the list would come again.", i+1, q.Encode())
		t.Require(q.Get("allowWatchBookmarks") != "" && q.Get("timeoutSeconds") == "300", "Watch %d was asked for with %q: it asks for bookmarks, and has the 300 seconds of ListAndWatch's options.", i+1, q.Encode())
	}
	followsTwo(t, open())
	beginsAtTheList(t, open())
}

// beginsAtTheList has ListAndWatch ask for a list of a version of which the server has a newer one, as it may.
func beginsAtTheList(t *conform.T, s Subject) {
	server := &script{answer: func(x exchange) {
		if !x.watch {
			x.say(podList(9))
			return
		}
		x.begin()
		x.hold()
	}}
	api := serve(t, server)
	defer api.close()
	ctx, cancel := t.WithCancel(context.Background(), "the context")
	defer cancel()
	t.Go("follower", func(a *conform.Actor) {
		_ = api.caller(s, 0).listAndWatch(ctx, a, kit.ListOptions{ResourceVersion: "5", AllowWatchBookmarks: true, SendInitialEvents: true, TimeoutSeconds: 60}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	})
	t.Wait()
	cancel()
	t.Join()
	log := server.log()
	t.Require(len(log) == 2, "ListAndWatch was called, its list was answered and its watch goes on, and it made %s, where 2 are due.", conform.Count(len(log), "request"))
	asked, began := log[0].query.Get("resourceVersion"), log[1].query.Get("resourceVersion")
	t.Require(len(log[0].query) == 1, "The options of ListAndWatch have a ResourceVersion, a timeout and two flags, and it listed with the parameters %q: the list has nothing of them but the namespace and the ResourceVersion.", log[0].query.Encode())
	t.Require(asked == "5", "The options of ListAndWatch have the ResourceVersion 5, and it listed with %q: the list is of that ResourceVersion.", asked)
	t.Require(began == "9", "The options of ListAndWatch have the ResourceVersion 5, the list came with version 9, and the watch began from %q: apply gets each change above the list's version.", began)
}

// fiveAtOnce requires the requests that wait for nothing.
func fiveAtOnce(t *conform.T, requests []string) {
	last := "none"
	if n := len(requests); n > 0 {
		last = requests[n-1]
	}
	t.Require(len(requests) == 5, "A list, three watches that bring something, if only a bookmark, and one that brings nothing make 5 requests at once, and there were %d, the last of them %s: only after a watch that brought neither event nor bookmark does a second pass.", len(requests), last)
}

// olderItems is a list whose items have older versions than itself, as most have.
const olderItems = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[` +
	`{"metadata":{"name":"b","namespace":"web","resourceVersion":"7"}},{"metadata":{"name":"c","namespace":"web","resourceVersion":"4"}}]}`

// followsTwo has one Client follow two namespaces at once, whose versions have nothing to do with each
// other. No watch brings anything.
func followsTwo(t *conform.T, s Subject) {
	versions := map[string]int{"one": 100, "two": 900}
	path := func(namespace string) string { return "/api/v1/namespaces/" + namespace + "/pods" }
	server := &script{answer: func(x exchange) {
		for namespace, version := range versions {
			if !x.watch && x.r.URL.Path == path(namespace) {
				x.say(podList(version))
			}
		}
		x.begin()
		if x.n > 50 { // who asks in a loop would do so for ever
			x.hold()
		}
	}}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	ctx, cancel := t.WithCancel(context.Background(), "the context of both")
	defer cancel()
	for namespace := range versions {
		t.Go("follower of "+namespace, func(a *conform.Actor) {
			lists := 0
			err := client.listAndWatch(ctx, a, kit.ListOptions{Namespace: namespace}, func(kit.List[*kit.Pod]) { lists++ }, func(kit.Event[*kit.Pod]) {})
			t.Assert(lists == 1, "ListAndWatch handed %s to replace, where one is due: the list, though it is empty.", conform.Count(lists, "list"))
			t.Assert(errors.Is(err, context.Canceled), "Nothing had gone wrong, and ListAndWatch returned %q: it goes on until its context is done, and returns the context's error.", fmt.Sprint(err))
		})
	}
	time.Sleep(2500 * time.Millisecond)
	cancel()
	t.Join()
	for namespace, version := range versions {
		var own []asked
		for _, r := range server.log() {
			if r.path == path(namespace) {
				own = append(own, r)
			}
		}
		t.Require(len(own) == 4, "ListAndWatch of %s made %s in 2.5s, and should have made 4: a list, and each second a watch, for none brings anything.", path(namespace), conform.Count(len(own), "request"))
		zeroIsNone(t, own[0], own[1])
		for i, r := range own[1:] {
			got := r.query.Get("resourceVersion")
			t.Require(got == fmt.Sprint(version), "One Client follows two namespaces at once. The list of %s was at version %d, and watch %d of it, after watches that brought nothing, began from %q.", path(namespace), version, i+1, got)
		}
	}
}

// zeroIsNone looks at the list and a watch of a ListAndWatch whose options have nothing but a namespace.
func zeroIsNone(t *conform.T, list, watch asked) {
	t.Require(len(list.query) == 0, "ListAndWatch, whose options had nothing but a namespace, listed with the parameters %q: a field that is zero becomes none.", list.query.Encode())
	seconds := watch.query.Get("timeoutSeconds")
	t.Require(seconds == "", "ListAndWatch was called without TimeoutSeconds, and asked for a watch with timeoutSeconds=%s: its watches have the TimeoutSeconds of its options, and a field that is zero becomes none.", seconds)
}

// bringsBookmarks answers with a list, three watches that bring bookmarks, five that bring
// nothing, of which the last takes two seconds, and one that goes on. No version follows from another: some are
// no numbers, one is lower than the one before, and two come twice.
func bringsBookmarks(x exchange) {
	switch {
	case !x.watch:
		x.say(olderItems)
	case x.n == 1:
		x.say(happens(kit.Added, "a", "1x") + happens(kit.Added, "b", "1x") + // two changes in one transaction
			happens(kit.Deleted, "b", "2x") + happens(kit.Added, "b", "3x") + line(bookmarkAt(30, false)))
	case x.n == 2:
		x.say(happens(kit.Modified, "a", "3") +
			happens(kit.Added, "d", "30") + happens(kit.Modified, "c", "4") + // of the version that the watch began from, and of the one listed
			happens(kit.Modified, "e", "5x") + happens(kit.Deleted, "f", "6x") + // of which nothing has come before
			line(bookmarkAt(4, false)))
	case x.n == 3:
		x.say(line(bookmarkAt(4, true)))
	case x.n < 8: // nothing
		x.begin()
	case x.n == 8:
		x.begin()
		time.Sleep(2 * time.Second)
	default:
		x.begin()
		x.hold()
	}
}

// happens is a line about a pod in the namespace web. Its generation has nothing to do with its version.
func happens(what kit.EventType, name, version string) string {
	e := added(name, 0)
	e.Type = what
	e.Object.Namespace, e.Object.ResourceVersion, e.Object.Generation = "web", version, 2
	return line(e)
}

func checkErrors(t *conform.T, open func() Subject) {
	server := &script{}
	api := serve(t, server)
	defer api.close()
	client := api.caller(open(), 0)
	expired := kit.NewResourceExpired("too old resource version: 1 (5)")
	refusalsAreTold(t, server, client, expired)
	refusalsInPart(t, server, client)
	listMustBeRead(t, server, client)
	expiredCode := kit.NewStatusError(kit.ReasonConflict, "the code of an Expired, and another reason").ErrStatus
	expiredCode.Code = 410
	bare := kit.Status{TypeMeta: expired.ErrStatus.TypeMeta, Message: "the code of a success, and no reason", Code: 200}
	all := []kit.Status{expired.ErrStatus, expiredCode, bare, ofVersion("").ErrStatus}
	var delivered []*kit.Status
	for _, status := range all {
		delivered = append(delivered, errorEventEnds(t, server, client, status))
	}
	for i, status := range delivered {
		t.Same(&all[i], status, "The Status of an ERROR was delivered as it stood, and has changed since then, while other watches brought others")
	}
	errorWithoutACode(t, server, client)
	watchesAreRefused(t, server, client, expired)
	watchesReachNobody(t, server, api, client)
	asksOnce(t, api, client)
	api.close()
	err := client.listAndWatch(t.Context(), t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	t.Require(err != nil, "There is no server any longer, and ListAndWatch returned no error.")
}

// errorWithoutACode has a watch bring an ERROR whose Status has no code. Such a Status may count as none, and then
// its line may be one that is no event.
func errorWithoutACode(t *conform.T, server *script, client caller) {
	status := kit.NewStatusError(kit.ReasonConflict, "a Status without a code").ErrStatus
	status.Code = 0
	server.answer = func(x exchange) {
		x.say(line(kit.Event[*kit.Pod]{Type: kit.Error, Status: &status}))
		x.hold()
	}
	events := client.watch(t, kit.ListOptions{ResourceVersion: "1"}).Rest()
	t.Require(len(events) == 1 && events[0].Type == kit.Error && events[0].Status != nil, "A watch brought one ERROR, whose Status has a reason and no code, and the watch delivered %v: it is delivered as an Error with its Status.", listwatch.Texts(events))
	got := *events[0].Status
	if got.Code == 500 && got.Reason == kit.ReasonInternalError {
		return // it counted as none
	}
	t.Same(status, got, "The Status of an ERROR, which has a reason and no code, was not delivered as it stood")
}

// watchesAreRefused has a list answered, and the watch that follows it refused: for good, and in ways
// that may pass.
func watchesAreRefused(t *conform.T, server *script, client caller, expired *kit.StatusError) {
	for _, c := range []struct {
		code int
		body string
	}{
		{410, failure(expired)},
		{429, failure(kit.NewStatusError(kit.ReasonTooManyRequests, "later"))},
		{429, ""},
		{500, failure(kit.NewStatusError(kit.ReasonInternalError, "the disk is full"))},
		{503, "<html>no upstream</html>"},
	} {
		for _, refused := range []int{1, 2} {
			before := len(server.log())
			server.answer = func(x exchange) {
				switch {
				case !x.watch:
					x.say(podList(1))
				case x.n < before+refused:
					x.say(line(added("a", 2)))
				default:
					x.refuse(c.code, c.body)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			lists := 0
			err := client.listAndWatch(ctx, t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) { lists++ }, func(kit.Event[*kit.Pod]) {})
			cancel()
			watches := len(server.log()) - before - 1 // the first request is the list
			t.Require(watches == refused, "The server refused watch %d with %d, and ListAndWatch began %d watches and then returned %q: it returns that error when a watch is refused, and leaves it to its caller to try again.", refused, c.code, watches, fmt.Sprint(err))
			told{"the watch of ListAndWatch", err}.code(t, c.code, c.body)
			t.Require(lists == 1, "The server answered with a list, and refused watch %d with %d. ListAndWatch handed %s to replace: it lists, hands the list to replace, and from then on watches.", refused, c.code, conform.Count(lists, "list"))
		}
	}
}

// partly is a Transport that reaches the server for a list and not for a watch.
type partly struct {
	inner   http.RoundTripper
	watches atomic.Int64
}

func (p *partly) RoundTrip(r *http.Request) (*http.Response, error) {
	if !r.URL.Query().Has("watch") {
		return p.inner.RoundTrip(r)
	}
	p.watches.Add(1)
	return nil, syscall.ECONNREFUSED
}

// watchesReachNobody has the server go away between the list and the watch.
func watchesReachNobody(t *conform.T, server *script, api *site, client caller) {
	way := &partly{inner: api.transport}
	api.through(way)
	defer func() { api.through(api.transport) }()
	server.answer = func(x exchange) { x.say(podList(1)) }
	t.Note("after the list nothing listens at the server's address")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := client.listAndWatch(ctx, t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	t.Require(errors.Is(err, syscall.ECONNREFUSED), "After the list the server could not be reached (%v), and ListAndWatch, which returns that error, tried %s and then returned %q.", syscall.ECONNREFUSED, conform.Count(int(way.watches.Load()), "watch", "watches"), fmt.Sprint(err))
}

// nobody is a Transport that reaches no server.
type nobody struct{ requests atomic.Int64 }

func (n *nobody) RoundTrip(*http.Request) (*http.Response, error) {
	n.requests.Add(1)
	return nil, syscall.ECONNREFUSED
}

// asksOnce lists and watches where nothing listens.
func asksOnce(t *conform.T, api *site, client caller) {
	way := &nobody{}
	api.through(way)
	defer func() { api.through(api.transport) }()
	t.Note("nothing listens at the server's address")
	_, listed := client.List(t.Context(), t.Actor, kit.ListOptions{})
	_, watched := client.Try(t.Context(), t.Actor, kit.ListOptions{})
	t.Require(listed != nil && watched != nil, "The server can't be reached, and List returned %s and Watch returned %s.", conform.Said(listed), conform.Said(watched))
	t.Require(way.requests.Load() == 2, "The server can't be reached, and the Client sent %s for a List and a Watch: it does what its options say and nothing more, and leaves it to its caller to try again.", conform.Count(int(way.requests.Load()), "request"))
}

// listMustBeRead has a list refused, one whose items cannot be read, and one with an item that is null.
func listMustBeRead(t *conform.T, server *script, client caller) {
	full := kit.NewStatusError(kit.ReasonInternalError, "the disk is full")
	server.answer = func(x exchange) { x.refuse(500, failure(full)) }
	handed, requests := 0, len(server.log())
	err := client.listAndWatch(t.Context(), t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) { handed++ }, func(kit.Event[*kit.Pod]) { handed++ })
	t.Require(err != nil && strings.Contains(err.Error(), "the disk is full"), "The server refused the list with the message \"the disk is full\", and ListAndWatch did not return that error, but %q.", fmt.Sprint(err))
	requests = len(server.log()) - requests
	t.Require(requests == 1, "The server refused the list, and ListAndWatch made %s: it returns that error when the list is refused, and leaves it to its caller to try again.", conform.Count(requests, "request"))
	t.Require(handed == 0, "The server refused the list, and ListAndWatch made %s of replace and apply.", conform.Some(handed, "call"))

	before := len(server.log())
	old := kit.NewResourceExpired("too old resource version: 5 (7)")
	server.answer = func(x exchange) {
		if x.r.URL.Query().Get("resourceVersion") == "5" {
			x.refuse(410, failure(old))
			return
		}
		x.refuse(500, failure(full))
	}
	err = client.listAndWatch(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: "5"}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	t.Require(kit.IsResourceExpired(err), "The server refused the list as Expired, and ListAndWatch did not return that error, but %q.", fmt.Sprint(err))
	t.Require(len(server.log()) == before+1, "The server refused the list as Expired, and ListAndWatch made %s: it returns that error when the list is refused, and its caller begins anew.", conform.Count(len(server.log())-before, "request"))

	server.answer = func(x exchange) {
		x.say(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":"none"}`)
	}
	_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
	t.Require(err != nil, "The items of a list were a string, which cannot be read, and List returned no error: its caller would take all objects for deleted.")
}

// refusalsInPart refuse, and break off or hang before the body has come whole.
func refusalsInPart(t *conform.T, server *script, client caller) {
	server.answer = func(x exchange) {
		x.s.a.Note("answers 503 with part of a body, and cuts the connection")
		x.w.WriteHeader(503)
		_ = x.say(`{"kind":"Sta`)
		x.cut()
	}
	_, watched := client.Try(t.Context(), t.Actor, kit.ListOptions{})
	_, listed := client.List(t.Context(), t.Actor, kit.ListOptions{})
	for _, got := range []told{{"Watch", watched}, {"List", listed}} {
		got.code(t, 503, `{"kind":"Sta`)
	}
	statusBreaksOff(t, server, client)

	server.answer = func(x exchange) {
		x.s.a.Note("answers 503 with part of a body, and says no more")
		x.w.WriteHeader(503)
		_ = x.say(`{"kind":"Sta`)
		x.hold()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := client.Try(ctx, t.Actor, kit.ListOptions{})
	t.Require(err != nil, "A refusal did not come whole before the context of the Watch was done, and Watch returned no error.")
}

// statusBreaksOff refuses with a body whose connection is cut when a Status has come, and not the end of
// the body.
func statusBreaksOff(t *conform.T, server *script, client caller) {
	text := failure(kit.NewStatusError(kit.ReasonTooManyRequests, "later"))
	server.answer = func(x exchange) {
		x.s.a.Note("answers 503 with a Status of code 429, and cuts the connection before the end of the body")
		x.w.WriteHeader(503)
		_ = x.say(text)
		x.cut()
	}
	_, watched := client.Try(t.Context(), t.Actor, kit.ListOptions{})
	_, listed := client.List(t.Context(), t.Actor, kit.ListOptions{})
	for _, got := range []told{{"Watch", watched}, {"List", listed}} {
		code := got.status(t, 503, text).Code
		t.Require(code == 503, "The server answered %s with 503, and the body, in which a Status of code 429 had come, broke off. If the body breaks off the code is that of the answer, and the error has the code %d.", got.call, code)
	}
}

// refusalsAreTold refuses lists and watches, with a Status and without.
func refusalsAreTold(t *conform.T, server *script, client caller, expired *kit.StatusError) {
	bare := withCode(kit.NewStatusError("", "a Status of code 410 without a reason or a status"), 410)
	bare.ErrStatus.Status = ""
	for _, c := range []struct {
		code   int
		body   string
		reason kit.Reason
		whole  *kit.StatusError
	}{
		{410, failure(expired), kit.ReasonExpired, expired},
		{422, failure(kit.NewStatusError(kit.ReasonInvalid, "no")), kit.ReasonInvalid, kit.NewStatusError(kit.ReasonInvalid, "no")},
		{502, failure(expired), kit.ReasonExpired, expired},
		{410, strings.ReplaceAll(failure(bare), ",", ",\n"), "", bare},
		{409, failure(ofVersion("")), "", ofVersion("")},
		{409, failure(ofVersion("meta.k8s.io/v1")), "", ofVersion("meta.k8s.io/v1")},
		{410, "gone", kit.ReasonExpired, nil},
		{404, "404 page not found\n", kit.ReasonNotFound, nil},
		{429, "", kit.ReasonTooManyRequests, nil},
		{404, `{"code":418,"message":"short and stout"}`, kit.ReasonNotFound, nil},
		{503, "<html>no upstream</html>", "?", nil},
		{503, "null", "?", nil},
		{502, `{"message":"bad gateway"}`, "?", nil},
		{500, strings.Repeat("no ", 1<<20), "?", nil},
		{206, podList(1), "?", nil},
		{300, podList(1), "?", nil},
		{203, podList(1), "?", nil},
	} {
		server.answer = func(x exchange) { x.refuse(c.code, c.body) }
		before := len(server.log())
		_, watched := client.Try(t.Context(), t.Actor, kit.ListOptions{})
		_, listed := client.List(t.Context(), t.Actor, kit.ListOptions{})
		requests := len(server.log()) - before
		t.Require(requests == 2, "The server refused a Watch and a List with %d, and the Client made %s for them: an answer that is not 200 is an error, whatever its Retry-After says, and a Client does nothing more than its options say.", c.code, conform.Count(requests, "request"))
		for _, got := range []told{{"Watch", watched}, {"List", listed}} {
			if c.whole != nil {
				got.whole(t, c.code, c.whole.ErrStatus)
				continue
			}
			got.code(t, c.code, c.body)
			if c.reason != "?" {
				got.reason(t, c.code, c.body, c.reason)
			}
		}
	}
}

// ofVersion is a Conflict with this apiVersion.
func ofVersion(version string) *kit.StatusError {
	err := kit.NewConflict("pods", "a")
	err.ErrStatus.APIVersion = version
	return err
}

// told is the error of a call that was refused.
type told struct {
	call string
	err  error
}

// status is that of the error.
func (e told) status(t *conform.T, code int, body string) kit.Status {
	var refusal *kit.StatusError
	t.Require(e.err != nil, "The server answered %s with %d and the body %.60q, and there was no error: an answer that is not 200 is one.", e.call, code, body)
	t.Require(errors.As(e.err, &refusal), "The server answered %s with %d and the body %.60q. The error is no *kit.StatusError, but %q.", e.call, code, body, fmt.Sprint(e.err))
	return refusal.ErrStatus
}

// stops requires an error that is the Status of what came on a watch.
func (e told) stops(t *conform.T, what string, code int, reason kit.Reason) {
	var refusal *kit.StatusError
	t.Require(errors.As(e.err, &refusal) && refusal.ErrStatus.Code == code && refusal.ErrStatus.Reason == reason,
		"%s brought %s, which is an Error with %d and %s, and ListAndWatch, which returns that as a *kit.StatusError, returned %q.", e.call, what, code, reason, fmt.Sprint(e.err))
}

// code requires the code of the answer, which a Status in the body repeats.
func (e told) code(t *conform.T, code int, body string) {
	got := e.status(t, code, body).Code
	t.Require(got == code, "The server answered %s with %d and the body %.60q, and the error has the code %d.", e.call, code, body, got)
}

// reason requires the reason that belongs to the code, for the body says none.
func (e told) reason(t *conform.T, code int, body string, want kit.Reason) {
	got := e.status(t, code, body).Reason
	t.Require(got == want, "The server answered %s with %d and the body %.60q, which is no Status. So the code decides, and the reason of the error should be %q. It is %q.", e.call, code, body, want, got)
}

// whole requires the Status of the body.
func (e told) whole(t *conform.T, code int, want kit.Status) {
	t.Same(want, e.status(t, code, mustJSON(want)), "The server answered %s with %d, and the body is a Status, in JSON that has more fields than kit.Status. The error has to be this Status, whatever the code of the answer. It is %q",
		e.call, code, e.err)
}

// errorEventEnds has a watch bring an ERROR event between two others. It returns the Status that was delivered.
func errorEventEnds(t *conform.T, server *script, client caller, status kit.Status) *kit.Status {
	t.Wait() // the server may not have heard yet that an earlier request was given up
	before := server.left()
	server.answer = func(x exchange) {
		if !x.watch {
			x.say(podList(1))
			return
		}
		x.say(line(added("a", 2)) + `{"type":"ERROR","object":` + failure(&kit.StatusError{ErrStatus: status}) + "}\n" + line(added("b", 3)))
		x.hold()
	}
	w := client.watch(t, kit.ListOptions{ResourceVersion: "1"})
	events := w.ExpectEnd(t, []string{"ADDED default/a@2", listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Error, Status: &status})}, "A watch brings the events up to an ERROR, and nothing after it.")
	t.Same(&status, events[1].Status, "The Status of an ERROR was not delivered as it stood")
	t.Wait()
	t.Require(server.left() == before+1, "The watch was over, and its request was not given up: the server has it still.")
	var got []string
	none, apply := func(kit.List[*kit.Pod]) {}, func(e kit.Event[*kit.Pod]) { got = append(got, listwatch.Show(e)) }
	err := client.listAndWatch(t.Context(), t.Actor, kit.ListOptions{}, none, apply)
	told{"the watch of ListAndWatch", err}.stops(t, fmt.Sprintf("an ERROR that says %q", status.Message), status.Code, status.Reason)
	listwatch.Same(t, []string{"ADDED default/a@2"}, got, "ListAndWatch did not apply the changes before the ERROR, and only those.")
	t.Wait()
	t.Require(server.left() == before+2, "ListAndWatch has returned, and its request was not given up: the server has it still.")
	return events[1].Status
}
