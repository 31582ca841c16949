package watchhttptest

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkReuse(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { reuses(t, open()) })
	t.Virtual(func(t *conform.T) { readsWhatIsNoList(t, open()) })
	t.Virtual(func(t *conform.T) { leavesNothingInContext(t, open()) })
	t.Virtual(func(t *conform.T) { letsGoOfALongRefusal(t, open()) })
	t.Virtual(func(t *conform.T) { closesBodies(t, open()) })
	t.Virtual(func(t *conform.T) { closesWhatIsCancelled(t, open()) })
	t.Virtual(func(t *conform.T) { leavesIdleConnections(t, open()) })
}

// reuses has a server answer one request after the other, and counts the connections that it takes. Outside of a
// bubble it could not ask for exactly one: net/http gives up a connection whose request does not count as
// written 50ms after the answer, which happens on a loaded machine. In a bubble that time does not pass
// while a goroutine can run.
func reuses(t *conform.T, s Subject) {
	const page = 900 << 10 // less than the megabyte of which a client may leave the rest
	server := &script{}
	server.answer = func(x exchange) {
		switch x.n % 4 {
		case 0: // in chunks; the last of them ends with the newline that an Encoder writes
			x.say(podList(1))
			x.say("\n")
		case 1:
			x.w.WriteHeader(http.StatusTooManyRequests)
			x.say(failure(kit.NewStatusError(kit.ReasonTooManyRequests, "later")))
			time.Sleep(time.Millisecond) // the end comes when the Status has been read
			x.say("\n")
		case 2:
			x.s.a.Note("answers 502 with a page of %d KiB", page>>10)
			x.w.WriteHeader(http.StatusBadGateway)
			io.WriteString(x.w, "<html>"+strings.Repeat("no luck ", page/len("no luck "))+"</html>\n")
		case 3:
			x.refuse(http.StatusGone, failure(kit.NewResourceExpired("too old"))+"\n")
		}
	}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	answers := []string{"List got a list", "Watch was refused with 429 and a Status", "List was refused with 502 and a page of 900 KiB", "Watch was refused with 410 and a Status"}
	var lost []string // the answers after which the next request needed a new connection
	conns := int64(1)
	for i := range 8 {
		var err error
		if i%2 == 0 {
			_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
		} else {
			_, err = client.Try(t.Context(), t.Actor, kit.ListOptions{})
		}
		t.Require((err == nil) == (i%4 == 0), "Of every four answers the first is a list and the others refuse; the error of call %d is %v.", i+1, err)
		t.Wait()
		if now := api.conns.Load(); now != conns {
			conns, lost = now, append(lost, answers[(i+3)%4])
		}
	}
	slices.Sort(lost)
	t.Require(conns == 1, "Every answer was complete, and 8 requests, one after the other, took %d connections, where one is enough: an answer that is read to its end and closed leaves its connection to the next. The next request needed a new one after %s.", conns, strings.Join(slices.Compact(lost), ", and after "))
}

// readsWhatIsNoList has a server answer with what List can refuse long before its end.
func readsWhatIsNoList(t *conform.T, s Subject) {
	page := "<html>" + strings.Repeat("no luck ", 8<<10) + "</html>\n"
	body := ""
	api := serve(t, &script{answer: func(x exchange) {
		x.s.a.Note("answers 200 with %d bytes, %.20q and so on", len(body), body)
		io.WriteString(x.w, body)
	}})
	defer api.close()
	client := api.caller(s, 0)
	for _, c := range []struct{ what, body string }{
		{"a page", page},
		{"a list and a page behind it", podList(1) + page},
		{"a list of nodes", `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[],"more":"` + strings.Repeat("no luck ", 8<<10) + `"}`},
	} {
		body = c.body
		for range 2 {
			_, err := client.List(t.Context(), t.Actor, kit.ListOptions{})
			t.Require(err != nil, "The server answered with %s, and List returned no error.", c.what)
			t.Wait()
		}
		t.Require(api.conns.Load() == 1, "The server answered 200 with %s, and List returned an error. The next List took a new connection: List reads the answer to its end, whatever is in it, and leaves the connection to the next request.", c.what)
	}
}

// leavesNothingInContext has one context outlive many calls, as the context of a whole program does.
func leavesNothingInContext(t *conform.T, s Subject) {
	gone := func(x exchange) { x.refuse(http.StatusGone, failure(kit.NewResourceExpired("too old"))) }
	lists := []struct {
		what   string
		answer func(x exchange)
	}{
		{"a list", func(x exchange) { x.say(podList(1)) }},
		{"410", gone},
		{"a list of another type", func(x exchange) { x.say(nodeList) }},
		{"half a list", func(x exchange) {
			x.say(podList(1)[:20])
			x.cut()
		}},
	}
	var answer func(x exchange)
	api := serve(t, &script{answer: func(x exchange) { answer(x) }})
	defer api.close()
	client := api.caller(s, 0)
	ctx := conform.NewRegistry(context.Background())
	defer ctx.End()
	for _, c := range lists {
		answer = c.answer
		_, err := client.List(ctx, t.Actor, kit.ListOptions{})
		t.Require((err == nil) == (c.what == "a list"), "The server answered with %s, and List returned %s.", c.what, conform.Said(err))
		t.Wait()
		t.Require(ctx.Waiting() == 0, "The server answered with %s. List has returned, and %d functions or contexts still wait for the end of its ctx: each such call leaves some more there.", c.what, ctx.Waiting())
		answer = gone
		_, err = client.Try(ctx, t.Actor, kit.ListOptions{})
		t.Require(err != nil, "The server answered with 410, and Watch returned no error.")
		t.Wait()
		t.Require(ctx.Waiting() == 0, "Watch was refused, and %d functions or contexts still wait for the end of its ctx: a context that is derived from it and never cancelled stays there until then.", ctx.Waiting())
	}
	api.through(&partly{inner: api.transport})
	t.Note("nothing listens at the server's address")
	_, err := client.Try(ctx, t.Actor, kit.ListOptions{})
	t.Require(err != nil, "The server can't be reached, and Watch returned no error.")
	t.Wait()
	t.Require(ctx.Waiting() == 0, "Watch did not reach the server, and %d functions or contexts still wait for the end of its ctx: a context that is derived from it and never cancelled stays there until then.", ctx.Waiting())
}

// letsGoOfALongRefusal refuses with more than a client has to read.
func letsGoOfALongRefusal(t *conform.T, s Subject) {
	const page = 2 << 20
	server := &script{answer: func(x exchange) {
		x.s.a.Note("answers 502 with a page of %d MiB", page>>20)
		x.w.WriteHeader(http.StatusBadGateway)
		io.WriteString(x.w, strings.Repeat("no luck ", page/len("no luck ")))
	}}
	api := serve(t, server)
	defer api.close()
	client := api.caller(s, 0)
	const left = "The server refused a %s with a page of %d MiB. It has returned, and the server still waits to send the rest: the body was neither read to its end nor closed."
	_, err := client.Try(context.Background(), t.Actor, kit.ListOptions{})
	t.Require(err != nil, "The server answered with 502, and Watch returned no error.")
	t.Wait()
	t.Require(api.serving.Load() == 0, left, "Watch", page>>20)
	_, err = client.List(context.Background(), t.Actor, kit.ListOptions{})
	t.Require(err != nil, "The server answered with 502, and List returned no error.")
	t.Wait()
	t.Require(api.serving.Load() == 0, left, "List", page>>20)
}
