package watchhttptest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// podsOfWeb is a list as the API server writes it, with fields that kit does not know.
const podsOfWeb = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1047","continue":""},"items":[` +
	`{"metadata":{"name":"a","namespace":"web","uid":"u","resourceVersion":"12","creationTimestamp":"2026-01-02T03:04:05Z","managedFields":[{"manager":"kubelet"}]},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}},` +
	`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"web","resourceVersion":"900","deletionTimestamp":"2026-01-02T03:04:06Z"}}],"more":1}`

// nodeList is a list, of another type.
const nodeList = `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"n"}}]}`

// noLists are bodies that are not one list of pods.
var noLists = []string{
	"", "<html>Welcome</html>", `{}`,
	`{"kind":"Status","apiVersion":"v1","status":"Success"}`,
	nodeList,
	`{"kind":"PodTemplateList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`, // a kind that begins like that of pods
	`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"web","resourceVersion":"7"}}`,
	`{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`, // of what?
	`{"kind":"PodList","items":[{"metadata":"text"}]}`,
	`{"kind":"podlist","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`, // kinds have capitals
	podList(7) + podList(8),
	podList(7) + "}", podList(7) + "]", // where Decoder.More says that there is no more
}

func checkClientLists(t *conform.T, open func() Subject) {
	body, whole := "", true
	server := &script{}
	server.answer = func(x exchange) {
		cut := !whole // read before the answer: a client may be done with it before we are
		x.say(body)
		if cut {
			x.cut()
		}
	}
	api := serve(t, server)
	defer api.close()
	client := api.callerAt(open(), base+"/clusters/One/", 0)
	body = podsOfWeb
	list, err := client.List(t.Context(), t.Actor, kit.ListOptions{Namespace: "web", ResourceVersion: "0"})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	t.Require(list.ResourceVersion == "1047", "The answer of the server has version 1047, and List returned %q.", list.ResourceVersion)
	t.Require(len(list.Items) == 2, "The answer of the server has 2 objects, and List returned %d.", len(list.Items))
	requireWeb(t, list.Items)
	t.Same([]string{"/clusters/One/api/v1/namespaces/web/pods?resourceVersion=0"}, server.texts(), "List did not ask for the path and the parameters of its options. The requests")
	body = podList(7)
	list, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	t.Require(len(list.Items) == 0, "The answer has no objects, and List returned %d.", len(list.Items))
	t.Same("/clusters/One/api/v1/pods", server.texts()[1], "List did not ask for the path and the parameters of its options. The second request")

	for _, body = range noLists {
		_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
		t.Assert(err != nil, "The server answered %q, which is not one list of pods, and List returned no error.", body)
	}
	for cut := 0; cut <= len(podList(7)); cut++ {
		body, whole = podList(7)[:cut], cut%2 == 0 && cut < len(podList(7))
		_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
		how := map[bool]string{true: "ended the answer", false: "was cut off"}[whole]
		t.Require(err != nil, "The server sent %q and %s, and List returned no error: an answer that can't be read whole is one.", body, how)
	}
	body, whole = podList(7), true
	asksWithAll(t, server, client)
	otherClients(t, api, server, open())
}

// requireWeb requires the objects of podsOfWeb, of which there are two.
func requireWeb(t *conform.T, items []*kit.Pod) {
	for i, p := range items {
		t.Require(p.TypeMeta == kit.Pods.New().TypeMeta, "An object of a list has kind %q and apiVersion %q, and should have Pod and v1: an item need not have them, and Type.New does.", p.Kind, p.APIVersion)
		want := fmt.Sprintf("web/%c@%s", 'a'+i, []string{"12", "900"}[i])
		t.Require(fmt.Sprint(conform.Show(p)) == want, "Object %d of the answer is %s, and List returned %s.", i+1, want, conform.Show(p))
	}
	t.Require(items[0].UID == "u" && items[0].Status.Phase == kit.PodRunning, "An object of the answer has the UID \"u\" and the phase Running, and List returned it with %q and %q.", items[0].UID, items[0].Status.Phase)
	t.Require(items[1].UID == "" && items[1].Status.Phase == "", "The second object of the answer has neither UID nor phase, and List returned it with %q and %q: each is filled into what Type.New gives.", items[1].UID, items[1].Status.Phase)
}

// asksWithAll lists with an option that most callers use for watches alone.
func asksWithAll(t *conform.T, server *script, client caller) {
	before := len(server.log())
	_, err := client.List(t.Context(), t.Actor, kit.ListOptions{TimeoutSeconds: 7})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	t.Same("/clusters/One/api/v1/pods?timeoutSeconds=7", server.texts()[before], "List did not ask for the path and the parameters of its options. The request")
	before++
	const odd = "a/b c?d#e%41&f+g"
	_, err = client.List(t.Context(), t.Actor, kit.ListOptions{Namespace: odd})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	t.Same([]string{"/clusters/One/api/v1/namespaces/" + odd + "/pods"}, server.texts()[before:], "The namespace was %q, and what means something in a URL is escaped. What the server was asked for, unescaped", odd)
	inOneSegment(t, "List", odd, server.log()[before])
	before++
	_, err = client.List(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: odd})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	got := server.log()[before].query.Get("resourceVersion")
	t.Require(got == odd, "The ResourceVersion was %q, and List asked for %q: what means something in a URL is escaped, such as a \"+\", which stands for a space in a query.", odd, got)
	before++
	_, err = client.List(t.Context(), t.Actor, kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true})
	t.Require(err == nil, "List returned an error although the server had listed: %v.", err)
	q := server.log()[before].query
	t.Require(!q.Has("watch"), "List asked with the parameters %q, and a list is no watch.", q.Encode())
	t.Require(q.Has("sendInitialEvents") && q.Has("allowWatchBookmarks"), "The options of List have two flags that are set, and it asked with the parameters %q: each becomes one.", q.Encode())
	match := q.Get("resourceVersionMatch") // in a list it may be there or not
	t.Require(match == "" || match == "NotOlderThan", "The options of List have SendInitialEvents, and it asked with the parameters %q: it may add resourceVersionMatch=NotOlderThan, and nothing else.", q.Encode())
}

// inOneSegment requires that the namespace of a request is one segment of its path.
func inOneSegment(t *conform.T, call, namespace string, got asked) {
	want := strings.Count(got.path, "/") - strings.Count(namespace, "/")
	t.Require(strings.Count(got.escaped, "/") == want, "The namespace was %q, and %s asked for the path %q: what means something in a URL, such as the \"/\" in a namespace, is escaped, so that the namespace is one segment of the path.", namespace, call, got.escaped)
}

// listsAnotherGroup lists what is not of the core group.
func listsAnotherGroup(t *conform.T, api *site, server *script, s Subject, typ kit.Type[*kit.Pod]) {
	before := len(server.log())
	server.answer = func(x exchange) {
		x.say(fmt.Sprintf(`{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"7"},"items":[]}`, typ.Kind, typ.APIVersion))
	}
	client := api.callerOf(s, "the "+typ.Resource+" of "+typ.APIVersion, typ, base, 0)
	list, err := client.List(t.Context(), t.Actor, kit.ListOptions{Namespace: "web"})
	t.Same([]string{"/apis/" + typ.APIVersion + "/namespaces/web/" + typ.Resource}, server.texts()[before:], "A Client of %s, whose APIVersion is %s, did not list them at their path. The request", typ.Resource, typ.APIVersion)
	t.Require(err == nil && list.ResourceVersion == "7", "The server listed %s at version 7, and List returned the version %q and %s.", typ.Resource, list.ResourceVersion, conform.Said(err))
}

// listsMoreThanAnEvent has a client whose MaxEvent is less than a list: it is the bound of a watch's events.
func listsMoreThanAnEvent(t *conform.T, api *site, server *script, s Subject) {
	const limit = 100
	server.answer = func(x exchange) { x.say(podsOfWeb) }
	list, err := api.caller(s, limit).List(t.Context(), t.Actor, kit.ListOptions{})
	t.Require(err == nil && len(list.Items) == 2, "The server sent a list of 2 pods, which has %d bytes, and List returned %s and %s. MaxEvent is %d, and it is about the events of a watch.", len(podsOfWeb), conform.Count(len(list.Items), "pod"), conform.Said(err), limit)
}

// otherClients lists with clients that were made in other ways.
func otherClients(t *conform.T, api *site, server *script, s Subject) {
	usesTheDefault(t, api, s)
	listsAnotherGroup(t, api, server, s, cronJobs())
	listsAnotherGroup(t, api, server, s, policies())
	listsMoreThanAnEvent(t, api, server, s)
}

// usesTheDefault makes a client without an http.Client, while http.DefaultClient reaches the site.
func usesTheDefault(t *conform.T, api *site, s Subject) {
	before := http.DefaultClient.Transport
	http.DefaultClient.Transport = api.transport
	defer func() { http.DefaultClient.Transport = before }()
	t.Note("http.DefaultClient reaches the server, and the Options have no HTTP")
	client := s.Client(kit.Pods, base, nil, 0)
	call := t.Call("List()")
	_, err := client.List(t.Context(), kit.ListOptions{})
	call.Returned("%v", err)
	t.Require(err == nil, "Options.HTTP is nil, which is http.DefaultClient. That reaches the server, and List returned an error: %v.", err)
}

// eventsOfWeb is a stream as the API server writes it, with fields that kit does not know.
const eventsOfWeb = `{"type":"ADDED","object":{"metadata":{"name":"a","namespace":"web","resourceVersion":"12","managedFields":[]},"spec":{"containers":[]}},"more":{}}
 {"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"web","resourceVersion":"13"},"status":{"phase":"Running"}},"type":"MODIFIED"}
{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"other","resourceVersion":"13"}}}
{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"99","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null}}}
{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"web","resourceVersion":"101"}}}
`

func checkClientWatches(t *conform.T, open func() Subject) {
	server := &script{}
	rest := make(chan struct{})
	server.answer = func(x exchange) {
		x.begin()
		<-rest
		x.say(eventsOfWeb)
	}
	api := serve(t, server)
	defer api.close()
	client := api.caller(open(), 0)
	for _, c := range []struct {
		o     kit.ListOptions
		query url.Values
	}{
		{kit.ListOptions{}, url.Values{}},
		{kit.ListOptions{Namespace: "web", ResourceVersion: "a&b c+d%2B"}, url.Values{"resourceVersion": {"a&b c+d%2B"}}},
		{kit.ListOptions{Namespace: "a/b c?d#e%41&f+g"}, url.Values{}},
		{kit.ListOptions{AllowWatchBookmarks: true, TimeoutSeconds: math.MaxInt64}, url.Values{"allowWatchBookmarks": {"yes"}, "timeoutSeconds": {"9223372036854775807"}}},
		{kit.ListOptions{SendInitialEvents: true}, url.Values{"sendInitialEvents": {"yes"}, "resourceVersionMatch": {"NotOlderThan"}}},
		{kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true, ResourceVersion: "12"},
			url.Values{"sendInitialEvents": {"yes"}, "allowWatchBookmarks": {"yes"}, "resourceVersionMatch": {"NotOlderThan"}, "resourceVersion": {"12"}}},
	} {
		w, err := client.Try(context.Background(), t.Actor, c.o) // before the first event
		t.Require(err == nil, "Watch returned an error although the server had answered 200: %v.", err)
		w.Expect(t, []string{}, "A watch brought an event that the server had not sent.")
		rest <- struct{}{}
		events := w.ExpectEnd(t, []string{"ADDED web/a@12", "MODIFIED web/a@13", "ADDED other/b@13", "BOOKMARK @99 end of the initial events", "DELETED web/a@101"},
			"A watch did not bring the events of the stream in order.")
		for i, e := range events {
			t.Require(e.Status == nil, "An event is %s, and was delivered with the Status %v: that is set for Error, and nil otherwise.", listwatch.Show(e), e.Status)
			t.Require(e.Object.TypeMeta == kit.Pods.New().TypeMeta, "The object of an event has kind %q and apiVersion %q, and should have Pod and v1: objects are filled into what Type.New gives.", e.Object.Kind, e.Object.APIVersion)
			phase := [5]kit.PodPhase{1: kit.PodRunning}[i]
			t.Require(e.Object.Status.Phase == phase, "The object of event %d has the phase %q, and was delivered with %q.", i+1, phase, e.Object.Status.Phase)
		}
		log := server.log()
		got := log[len(log)-1]
		requireAsked(t, c.o.Namespace, c.query, got)
	}
}

// requireAsked requires a watch of that namespace with those parameters. A flag is
// set by any value that does not say no.
func requireAsked(t *conform.T, namespace string, want url.Values, got asked) {
	path := "/api/v1/pods"
	if namespace != "" {
		path = "/api/v1/namespaces/" + namespace + "/pods"
	}
	t.Require(got.path == path, "Watch asked for %s, and its options say %s.", got.path, path)
	inOneSegment(t, "Watch", namespace, got)
	want.Set("watch", "yes")
	for _, flag := range []string{"watch", "allowWatchBookmarks", "sendInitialEvents"} {
		if v := got.query.Get(flag); v != "" && v != "0" && !strings.EqualFold(v, "false") {
			got.query.Set(flag, "yes")
		}
	}
	t.Same(want, got.query, "Watch did not ask with the parameters of its options. The parameters")
}
