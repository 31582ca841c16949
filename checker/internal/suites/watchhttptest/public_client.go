package watchhttptest

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// podsOfWeb is a list as the API server writes it, with fields that kit does not know.
const podsOfWeb = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1047","continue":""},"items":[` +
	`{"metadata":{"name":"a","namespace":"web","uid":"u","resourceVersion":"12","creationTimestamp":"2026-01-02T03:04:05Z","managedFields":[{"manager":"kubelet"}]},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}},` +
	`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"web","resourceVersion":"900"}}],"more":1}`

func checkClientLists(t *conform.T, open func() Subject) {
	body := ""
	whole := true
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
	client := api.callerAt(open(), base+"/clusters/one/", 0)
	body = podsOfWeb
	list, err := client.List(t.Context(), t.Actor, kit.ListOptions{Namespace: "web", ResourceVersion: "0"})
	require.NoError(t, err, "List returned an error although the server had listed.")
	require.Equal(t, "1047", list.ResourceVersion, "The list has version 1047, and List returned %q.", list.ResourceVersion)
	require.Len(t, list.Items, 2, "The answer has 2 objects, and List returned %d.", len(list.Items))
	for i, p := range list.Items {
		require.Equal(t, kit.Pods.New().TypeMeta, p.TypeMeta, "An object of a list has lost its kind and apiVersion.")
		require.Equal(t, fmt.Sprintf("web/%c@%s", 'a'+i, []string{"12", "900"}[i]), kit.Key(p)+"@"+p.ResourceVersion, "List did not return the objects of the answer.")
	}
	require.Equal(t, "u Running", list.Items[0].UID+" "+string(list.Items[0].Status.Phase), "A field of an object was lost.")
	require.Equal(t, []asked{{"/clusters/one/api/v1/namespaces/web/pods", url.Values{"resourceVersion": {"0"}}}}, server.log(), "List did not ask for the path and the parameters of its options.")

	body = podList(7)
	list, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
	require.NoError(t, err, "List returned an error although the server had listed.")
	require.Empty(t, list.Items, "The answer has no objects, and List returned %d.", len(list.Items))
	require.Equal(t, asked{"/clusters/one/api/v1/pods", url.Values{}}, server.log()[1], "List did not ask for the path and the parameters of its options.")

	for _, body = range []string{"<html>Welcome</html>", `{"kind":"Status","apiVersion":"v1","status":"Success"}`, `{}`, `{"kind":"PodList","items":[{"metadata":"text"}]}`, ""} {
		_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
		assert.Error(t, err, "List took %q for a list.", body)
	}
	for cut := 0; cut < len(podList(7)); cut++ {
		body, whole = podList(7)[:cut], cut%2 == 0
		_, err = client.List(t.Context(), t.Actor, kit.ListOptions{})
		require.Error(t, err, "List took %q, which is a part of an answer, for the whole.", body)
	}
}

func checkClientWatches(t *conform.T, open func() Subject) {
	server := &script{}
	body := `{"type":"ADDED","object":{"metadata":{"name":"a","namespace":"web","resourceVersion":"12","managedFields":[]},"spec":{"containers":[]}},"more":{}}
{"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"web","resourceVersion":"13"},"status":{"phase":"Running"}},"type":"MODIFIED"}
{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"99","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null}}}
{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"web","resourceVersion":"101"}}}
`
	rest := make(chan struct{})
	server.answer = func(x exchange) {
		x.begin()
		<-rest
		x.say(body)
	}
	api := serve(t, server)
	defer api.close()
	client := api.caller(open(), 0)
	for _, c := range []struct {
		o     kit.ListOptions
		query url.Values
	}{
		{kit.ListOptions{}, url.Values{}},
		{kit.ListOptions{Namespace: "web", ResourceVersion: "a&b c"}, url.Values{"resourceVersion": {"a&b c"}}},
		{kit.ListOptions{AllowWatchBookmarks: true, TimeoutSeconds: 300}, url.Values{"allowWatchBookmarks": {"yes"}, "timeoutSeconds": {"300"}}},
		{kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true}, url.Values{"sendInitialEvents": {"yes"}, "allowWatchBookmarks": {"yes"}, "resourceVersionMatch": {"NotOlderThan"}}},
	} {
		w, err := client.Try(context.Background(), t.Actor, c.o) // before the first event
		require.NoError(t, err, "Watch returned an error although the server had answered 200.")
		w.Expect(t, []string{}, "A watch brought an event that the server had not sent.")
		rest <- struct{}{}
		events := w.ExpectEnd(t, []string{"ADDED web/a@12", "MODIFIED web/a@13", "BOOKMARK @99 end of the initial events", "DELETED web/a@101"},
			"A watch did not bring the events of the stream in order.")
		for _, e := range events {
			require.Equal(t, kit.Pods.New().TypeMeta, e.Object.TypeMeta, "An object has lost its kind and apiVersion.")
		}
		require.Equal(t, kit.PodRunning, events[1].Object.Status.Phase, "A field of an object was lost.")
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
	require.Equal(t, path, got.path, "Watch asked for %s, and its options say %s.", got.path, path)
	want.Set("watch", "yes")
	for _, flag := range []string{"watch", "allowWatchBookmarks", "sendInitialEvents"} {
		if v := got.query.Get(flag); v != "" && v != "0" && !strings.EqualFold(v, "false") {
			got.query.Set(flag, "yes")
		}
	}
	require.Equal(t, want, got.query, "Watch asked with the parameters %v, and its options say %v.", got.query, want)
}
