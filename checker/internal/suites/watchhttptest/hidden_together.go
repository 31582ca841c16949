package watchhttptest

import (
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// together are the cases about both ends, put together.
var together = []conform.Case[Subject]{
	{
		Name:   "through-both-ends",
		Points: 4,
		Func:   "Client.Watch",
		Look:   []string{"Client.Watch", "Client.List", "Handler"},
		Rule:   "Client and Handler put together are a kit.ListerWatcher like the source itself: list, watch, watch list and refusals come through with every field.",
		Why:    "The reflector of lab 16 must not need to know whether the API server is in its process or on another continent.",
		Hint: []string{
			"What does a watch list need that a watch does not? Which annotation marks its end?",
		},
		Source: "client-go tools/cache/controller.go: ListerWatcher; KEP-3157",
		Contract: []string{
			"Client lists and watches the objects that a Handler, or an API server, serves.",
			"Objects are filled into what Type.New gives",
			"Without watch the answer is source.List as one JSON object",
			"An error of source that is, or wraps, a *kit.StatusError is answered with that Status",
		},
		Check: checkThrough,
	},
	{
		Name:   "http2-shares-one-connection",
		Points: 4,
		Func:   "Client.Watch",
		Look:   []string{"Client.Watch", "Handler"},
		Rule:   "Over HTTP/2 all watches share one connection; a stopped watch ends on the server, and leaves the others as they are.",
		Why:    "A controller manager has dozens of informers and one connection to the API server. The end of one watch must not be the end of all.",
		Hint: []string{
			"What ends a request over HTTP/2, if not the connection?",
			"Cancel the request's context, and nothing else. A handler that hijacks or closes its connection takes the others with it.",
		},
		Source:   "RFC 9113, 5.1 and 5.4.2: streams and RST_STREAM",
		Contract: []string{"Handler works over HTTP/1.1 and HTTP/2 alike.", "When the ResultChan is closed, the request is over as well: it is cancelled", "HTTP sends the requests."},
		Mode:     conform.Virtual,
		Check:    checkHTTP2,
	},
	{
		Name:   "many-at-once",
		Long:   true,
		Points: 4,
		Func:   "Client",
		Look:   conform.Anywhere,
		Rule:   "One Handler and one Client serve any number of lists and watches at once, over real connections, and each watch brings every change in order.",
		Why:    "Informers start together, all through one client.",
		Hint: []string{
			"Which fields of Client are written after NewClient?",
			"If the URL is built in a field, all calls build it at once.",
		},
		Source: "The Go Memory Model; client-go rest/client.go: RESTClient (is shared by all informers of a factory)",
		Contract: []string{
			"All methods may be called from any goroutine.",
			"It may serve any number of requests at once.",
			"The ResultChan delivers the events of the answer in order",
		},
		Mode:  conform.Copies,
		Check: checkMany,
	},
}

func checkThrough(t *conform.T, open func() Subject) {
	for _, h2 := range []bool{false, true} {
		t.Virtual(func(t *conform.T) {
			src := newSource(t)
			sub := open()
			api := serveAt(t, fake.InMemory("api").Door(), sub.Handler(kit.Pods, src), h2)
			defer api.close()
			api.overhear()
			client := api.caller(sub, 0)
			src.put("default", "a")
			src.put("web", "a")
			for _, ns := range []string{"", "web", "none"} {
				want := src.held(ns)
				got, err := client.List(t.Context(), t.Actor, kit.ListOptions{Namespace: ns})
				t.Require(err == nil, "List returned an error although the source had listed: %v.", err)
				t.Require(got.ResourceVersion == want.ResourceVersion, "The source listed at version %s, and List returned version %q.", want.ResourceVersion, got.ResourceVersion)
				t.Same(append([]*kit.Pod{}, want.Items...), append([]*kit.Pod{}, got.Items...), "The objects of a list did not come through with every field")
			}
			list := client.watch(t, kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true, ResourceVersion: "106"})
			defer list.Stop()
			live := client.watch(t, kit.ListOptions{Namespace: "web", ResourceVersion: "106"})
			defer live.Stop()
			src.put("web", "a")
			src.delete("default", "a")
			src.bookmark()
			list.Expect(t, []string{"ADDED default/a@103", "ADDED web/a@106", "BOOKMARK @106 end of the initial events", "MODIFIED web/a@109", "DELETED default/a@112", "BOOKMARK @112"},
				"A watch list did not come through.")
			events := live.Expect(t, []string{"MODIFIED web/a@109", "BOOKMARK @112"}, "A watch did not come through.")
			t.Same(src.log[2].event.Object, events[0].Object, "The object of an event did not come through with every field")
			src.refuse(kit.NewTooLargeResourceVersion("9", "5"))
			_, err := client.Try(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: "9"})
			t.Require(kit.IsTooLargeResourceVersion(err), "The source refused a version as too large, and Watch returned %s.", conform.Said(err))
			src.refuse(kit.NewResourceExpired("too old"))
			_, err = client.List(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: "9"})
			t.Require(kit.IsResourceExpired(err), "The source refused a version as Expired, and List returned %s.", conform.Said(err))
			client.watch(t, kit.ListOptions{ResourceVersion: "9"}).ExpectEnd(t, []string{"ERROR 410 Expired"}, "A watch that is Expired did not bring an ERROR.")
		})
	}
}

func checkHTTP2(t *conform.T, open func() Subject) {
	const watches = 20
	src := newSource(t)
	sub := open()
	api := serveAt(t, fake.InMemory("api").Door(), sub.Handler(kit.Pods, src), true)
	defer api.close()
	client := api.caller(sub, 0)
	var all []stream
	for range watches {
		all = append(all, client.watch(t, kit.ListOptions{ResourceVersion: "100"}))
		t.Wait() // net/http gives a new connection to its request first, and to its pool a moment later
	}
	src.put("default", "a")
	for _, w := range all {
		w.Expect(t, []string{"ADDED default/a@103"}, "A watch did not bring the event that there was.")
	}
	for i, w := range all {
		if i%2 == 0 {
			w.Stop()
		}
	}
	t.Wait()
	t.Require(src.live() == watches/2, "Of %d watches half were stopped, and %d watches of the source are open.", watches, src.live())
	src.put("default", "a")
	for i, w := range all {
		if i%2 == 1 {
			w.Expect(t, []string{"MODIFIED default/a@106"}, "A watch was stopped, and another that shares its connection did not go on.")
			w.Stop()
		}
	}
	src.gone(t, "All watches were stopped, and one of the source goes on.")
	_, err := client.List(t.Context(), t.Actor, kit.ListOptions{})
	t.Require(err == nil, "List returned an error although the source had listed: %v.", err)
	t.Require(api.conns.Load() == 1, "Over HTTP/2 one connection is enough for all watches, and there were %d.", api.conns.Load())
}

func checkMany(t *conform.T, open func() Subject) {
	const changes = 6
	src := newSource(t)
	sub := open()
	api := serveAt(t, fake.Loopback(t, "api"), sub.Handler(kit.Pods, src), false)
	defer api.close()
	client := api.caller(sub, 0)
	got := make([][]string, 4)
	for i := range got {
		namespace := []string{"", "even"}[i%2]
		t.Go(fmt.Sprint("watcher ", i), func(a *conform.Actor) {
			got[i] = watchFirst(a, t, client, namespace, changes/(1+i%2))
		})
		t.Go(fmt.Sprint("lister ", i), func(a *conform.Actor) {
			for range 2 {
				_, err := client.List(t.Context(), a, kit.ListOptions{Namespace: namespace})
				t.Assert(err == nil, "List returned an error although the source had none: %v.", err)
			}
		})
	}
	for i := range changes {
		src.put([]string{"even", "odd"}[i%2], fmt.Sprint(i))
	}
	t.Join()
	all := src.events(100)
	even := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s[6] != 'e' })
	for i := range got {
		listwatch.Same(t, [][]string{all, even}[i%2], got[i], "A watch did not bring every change in order.")
	}
	for _, w := range src.begun() {
		<-w.done
	}
}

// watchFirst are the first n events that a watch of the namespace brings.
func watchFirst(a *conform.Actor, t *conform.T, client caller, namespace string, n int) []string {
	var got []string
	w, err := client.Try(t.Context(), a, kit.ListOptions{Namespace: namespace, ResourceVersion: "100"})
	if !t.Assert(err == nil, "Watch returned an error although the source had none: %v.", err) {
		return nil
	}
	defer w.Stop()
	for e := range w.Watch.ResultChan() {
		got = append(got, listwatch.Show(e))
		if len(got) == n {
			break
		}
	}
	return got
}
