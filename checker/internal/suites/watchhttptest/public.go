package watchhttptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "lists-as-the-api-server",
		Points: 4,
		Func:   "Handler",
		Rule:   "A list is one JSON object as the API server writes it: kind, apiVersion, metadata.resourceVersion, and items, [] if there are none, of all namespaces or of one.",
		Why:    "kubectl, client-go and every dashboard read this very shape; an informer begins its watch at the version in it.",
		Hint: []string{
			"Which struct has exactly these JSON fields? Where does the version belong?",
			"encoding/json writes a nil slice as null. Is null a list?",
			"ServeMux takes {namespace} in a pattern, and r.PathValue reads it.",
		},
		Source: "Kubernetes API concepts; api core/v1/types.go: PodList",
		Contract: []string{
			`Without watch the answer is source.List as one JSON object, with kind typ.Kind+"List", apiVersion, metadata.resourceVersion, and the items, which are [] and not null where there are none.`,
			`"pods" is typ.Resource and "/api/v1" follows from typ.APIVersion: it is "/apis/apps/v1" for "apps/v1".`,
			`The Content-Type of all answers is "application/json", with or without parameters.`,
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkLists,
	},
	{
		Name:   "streams-one-event-a-line",
		Points: 5,
		Func:   "Handler",
		Rule:   "A watch is a 200 whose body is one JSON object a line, with type and object: the object of an ERROR is a Status.",
		Why:    "A line is what curl -N prints, what a shell script reads, and where a client knows that an event is whole.",
		Hint: []string{
			"Which type says what an event looks like on the wire? kit.Event has no JSON names.",
			"json.Encoder ends each value with a newline and puts none inside.",
		},
		Source: "apimachinery pkg/apis/meta/v1/watch.go: WatchEvent; apiserver pkg/endpoints/handlers/watch.go: HandleHTTP",
		Contract: []string{
			`With watch the answer is an endless 200: each event of source.Watch as one JSON object on one line, ended by "\n"`,
			"The object of an ERROR is the event's Status.",
			"The answer ends, as a complete answer ends, when the source's watch has ended",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkStreams,
	},
	{
		Name:   "parameters-reach-the-source",
		Points: 4,
		Func:   "Handler",
		Rule:   "The query becomes the source's options: the version untouched, a flag set unless it says 0 or false; a timeoutSeconds that makes no sense is a 400.",
		Why:    "If a parameter is dropped, the watch begins somewhere else; and misreading one in silence is worse than refusing it.",
		Hint: []string{
			"r.URL.Query().Has tells a parameter that is empty from one that isn't there.",
			"What knows the meaning of a resource version? Not the handler.",
			"strconv.ParseInt says more than whether there are digits; what about -1?",
		},
		Source: "apimachinery pkg/runtime/conversion.go: Convert_Slice_string_To_bool; Kubernetes API concepts: resource versions are opaque",
		Contract: []string{
			"The version goes to the source as it stands",
			`A flag (watch is one) is set if the parameter is there with whatever value but "0" and "false" in any case, which say no`,
			"timeoutSeconds is a decimal number from 0 on that fits into an int64; anything else is answered with 400 and the reason BadRequest. Handler ignores parameters that it does not know.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkParameters,
	},
	{
		Name:   "refusals-are-a-status",
		Points: 5,
		Func:   "Handler",
		Rule:   "Every refusal is a Status in JSON, sent with the code that is in it; a watch that is Expired is a 200 with one ERROR event.",
		Why:    "A client decides by reason and code whether to list again, to wait, or to give up. \"404 page not found\" tells it nothing.",
		Hint: []string{
			"errors.As finds a *kit.StatusError in an error that wraps it.",
			"What does ServeMux itself answer to a path that it doesn't know, or to a POST where you have only a GET?",
			"A pattern without a method is less specific than one with a method: it catches the other methods.",
		},
		Source: "apiserver pkg/endpoints/handlers/responsewriters/status.go: ErrorToAPIStatus; apiserver pkg/storage/cacher/cacher.go: newErrWatcher",
		Contract: []string{
			`Every answer that is neither list nor watch is a metav1.Status in JSON: kind "Status", apiVersion "v1", status "Failure", and its code is that of the answer.`,
			"if the code in it is below 400 or above 599, and for any other error, the answer is 500 with the reason InternalError and the error's words in the message",
			"Any other path is answered with 404, and any method but GET with 405.",
			"the answer is a 200 whose only event is an ERROR with that Status. A List that is Expired is answered with 410.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkRefusals,
	},
	{
		Name:   "client-lists",
		Points: 4,
		Func:   "Client.List",
		Rule:   "List asks for the path and parameters of its options and returns the objects and the version; an answer that is not a list of the type, or is not whole, is an error.",
		Why:    "A 200 from something that is no API server, taken for an empty list, makes a controller delete everything it manages.",
		Hint: []string{
			"Where is T made, when the JSON of an item has neither kind nor apiVersion? Fill what Type.New gives.",
			"json.RawMessage keeps an item as it is until you know what to fill.",
			"Check the kind of the answer before you believe it.",
		},
		Source: "client-go rest/request.go: Result.Into; kubernetes#3030: items of typed lists have no TypeMeta",
		Contract: []string{
			"List returns the objects and the version of that moment. An answer that can't be read whole, or whose kind is not that of a list of the type, is an error.",
			"Objects are filled into what Type.New gives",
			"the fields of a kit.ListOptions become the path and the parameters that Handler knows, and a field that is zero becomes none",
			`which may have a path before that of the API, with or without a "/" at its end`,
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkClientLists,
	},
	{
		Name:   "client-watches",
		Points: 4,
		Func:   "Client.Watch",
		Rule:   "Watch asks for the path and parameters of its options, delivers each event of the stream in order, and closes the ResultChan at its end.",
		Why:    "Every informer in the cluster does exactly this all day.",
		Hint: []string{
			"A goroutine reads, decodes, sends. Which goroutine closes the channel?",
			"http.Client.Do returns when the header is there; the body is read as it comes.",
		},
		Source: "apimachinery pkg/watch/streamwatcher.go: StreamWatcher; client-go rest/watch/decoder.go: Decoder.Decode",
		Contract: []string{
			"It returns when the header of the answer is there, and does not wait for an event. The ResultChan delivers the events of the answer in order, and then it is closed",
			"the fields of a kit.ListOptions become the path and the parameters that Handler knows, and a field that is zero becomes none",
			"Objects are filled into what Type.New gives",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkClientWatches,
	},
}

// replicas is a type that is not of the core group.
func replicas() kit.Type[*kit.Pod] {
	typ := kit.Pods
	typ.APIVersion, typ.Kind, typ.Resource = "apps/v1", "ReplicaSet", "replicasets"
	return typ
}

func checkLists(t *conform.T, open func() Subject) {
	src := newSource()
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	listed(t, api, src, "/api/v1/pods", "Pod", "v1", "")
	src.put("default", "a")
	src.put("kube-system", "b")
	src.put("default", "c")
	src.delete("default", "a")
	listed(t, api, src, "/api/v1/pods", "Pod", "v1", "")
	listed(t, api, src, "/api/v1/namespaces/default/pods", "Pod", "v1", "default")
	listed(t, api, src, "/api/v1/namespaces/none/pods", "Pod", "v1", "none")
	apps := serve(t, open().Handler(replicas(), src))
	defer apps.close()
	listed(t, apps, src, "/apis/apps/v1/replicasets", "ReplicaSet", "apps/v1", "")
	listed(t, apps, src, "/apis/apps/v1/namespaces/kube-system/replicasets", "ReplicaSet", "apps/v1", "kube-system")
}

func listed(t *conform.T, api *site, src *source, path, kind, group, namespace string) {
	r := api.get(path)
	require.Equal(t, 200, r.code, "The list of %s was answered with %d and not with 200.", path, r.code)
	requireJSON(t, r.header.Get("Content-Type"))
	var got struct {
		kit.TypeMeta
		Metadata map[string]any
		Items    json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(r.body), &got), "A list is not one JSON object.")
	require.Equal(t, kit.TypeMeta{Kind: kind + "List", APIVersion: group}, got.TypeMeta, "A list of %s in %s says that it is a %s in %s.", kind, group, got.Kind, got.APIVersion)
	want, _ := src.List(t.Context(), kit.ListOptions{Namespace: namespace})
	require.Equal(t, want.ResourceVersion, got.Metadata["resourceVersion"], "metadata.resourceVersion of a list is %v, and the source's list has %s.", got.Metadata["resourceVersion"], want.ResourceVersion)
	if len(want.Items) == 0 {
		require.Equal(t, "[]", string(got.Items), "items of a list without objects is %s and not [].", got.Items)
		return
	}
	require.JSONEq(t, mustJSON(want.Items), string(got.Items), "items of a list are not the objects that the source has listed.")
}

func requireJSON(t *conform.T, header string) {
	kind, _, err := mime.ParseMediaType(header)
	require.NoError(t, err, "An answer has a Content-Type that can't be read: %q.", header)
	require.Equal(t, "application/json", kind, "The Content-Type of an answer is %s and not application/json.", kind)
}

func checkStreams(t *conform.T, open func() Subject) {
	src := newSource()
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	all, one := api.listen("/api/v1/pods?watch=1&resourceVersion=100"), api.listen("/api/v1/namespaces/default/pods?watch=true&resourceVersion=100")
	defer all.hang()
	defer one.hang()
	src.put("default", "a")
	src.put("default", "a")
	src.put("other", "b")
	src.bookmark()
	src.delete("default", "a")
	src.fails(kit.NewResourceExpired("too old").ErrStatus)
	t.Wait()
	src.end()
	for _, l := range []*listening{all, one} {
		lines := l.take(t)
		l.cleanly(t, "The source's watch had ended, and the answer went on.")
		require.Equal(t, 200, l.code, "A watch was answered with %d and not with 200.", l.code)
		requireJSON(t, l.mime)
		var want []string
		for _, e := range src.log {
			if l == all || e.event.Object == nil || e.event.Type == kit.Bookmark || e.event.Object.Namespace == "default" {
				want = append(want, line(e.event))
			}
		}
		require.Len(t, lines, len(want), "The source gave %d events for a watch, and it brought %d lines.", len(want), len(lines))
		for i, l := range lines {
			require.True(t, strings.HasSuffix(l, "\n"), "The line %q is not ended by a newline.", l)
			require.True(t, json.Valid([]byte(l)), "The line %q of a watch is not one JSON object.", l)
			require.JSONEq(t, want[i], l, "A line is not the event with its type and its object.")
		}
	}
}

// parameters are queries, whether each is a watch, and the options that the source gets.
var parameters = []struct {
	query string
	watch bool
	want  kit.ListOptions
}{
	{"resourceVersion=7", false, kit.ListOptions{ResourceVersion: "7"}},
	{"watch=0&resourceVersion=0", false, kit.ListOptions{ResourceVersion: "0"}},
	{"watch=false&fieldSelector=x", false, kit.ListOptions{}},
	{"watch=False&pretty=true", false, kit.ListOptions{}},
	{"watch=1&resourceVersion=101", true, kit.ListOptions{ResourceVersion: "101"}},
	{"watch=true&resourceVersion=a%26b%2F%20c", true, kit.ListOptions{ResourceVersion: "a&b/ c"}},
	{"watch=yes&allowWatchBookmarks=true", true, kit.ListOptions{AllowWatchBookmarks: true}},
	{"watch&allowWatchBookmarks=false&timeoutSeconds=0", true, kit.ListOptions{}},
	{"watch=&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan&resourceVersion=0", true,
		kit.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: true, ResourceVersion: "0"}},
	{"sendInitialEvents=0&timeoutSeconds=5000000000&watch=TRUE", true, kit.ListOptions{TimeoutSeconds: 5000000000}},
}

func checkParameters(t *conform.T, open func() Subject) {
	src := newSource()
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	for _, c := range parameters {
		path := "/api/v1/namespaces/web/pods?" + c.query
		before := len(src.begun())
		if c.watch {
			l := api.listen(path)
			t.Wait()
			l.hang()
			src.gone(t, "A client hung up, and the watch of the source goes on.")
		} else {
			code := api.get(path).code
			require.Equal(t, 200, code, "%s: nothing is wrong with these parameters of a list, and it was answered with %d.", c.query, code)
		}
		require.Equal(t, c.watch, len(src.begun()) > before, "%s: a watch was taken for a list, or a list for a watch.", c.query)
		want := c.want
		want.Namespace = "web"
		got := src.last()
		if !c.watch { // of no meaning to a list
			got.AllowWatchBookmarks, got.SendInitialEvents, got.TimeoutSeconds = want.AllowWatchBookmarks, want.SendInitialEvents, want.TimeoutSeconds
		}
		require.Equal(t, want, got, "%s: the source was asked with %+v.", c.query, got)
	}
	src.refuse(kit.NewConflict("pods", "x")) // in case nonsense is taken for none: a watch would not end
	for _, bad := range []string{"abc", "-1", "1.5", "1e3", "0x10", "99999999999999999999", "5s"} {
		requireStatus(t, api.get("/api/v1/pods?watch=1&timeoutSeconds="+bad), 400, kit.ReasonBadRequest)
	}
}

// requireStatus requires a Status with this code, in the answer and in the body.
func requireStatus(t *conform.T, r reply, code int, reason kit.Reason) kit.Status {
	require.Equal(t, code, r.code, "A refusal was answered with %d in the place of %d.", r.code, code)
	requireJSON(t, r.header.Get("Content-Type"))
	var s kit.Status
	require.NoError(t, json.Unmarshal([]byte(r.body), &s), "The body of a refusal is not JSON.")
	require.Equal(t, kit.TypeMeta{Kind: "Status", APIVersion: "v1"}, s.TypeMeta, "The body of a refusal is a %s in %s, and no Status in v1.", s.Kind, s.APIVersion)
	require.Equal(t, "Failure", s.Status, "The status of a refusal is %q and not Failure.", s.Status)
	require.Equal(t, code, s.Code, "The code in a Status is %d, and that of the answer %d.", s.Code, code)
	if reason != "" {
		require.Equal(t, reason, s.Reason, "The reason of a refusal is %s in the place of %s.", s.Reason, reason)
	}
	return s
}

func checkRefusals(t *conform.T, open func() Subject) {
	src := newSource()
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	for _, path := range []string{"/", "/api/v1/nodes", "/apis/v1/pods", "/api/v1/namespaces/default", "/api/v2/pods"} {
		requireStatus(t, api.get(path), 404, kit.ReasonNotFound)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		requireStatus(t, api.ask(method, "/api/v1/pods"), 405, "")
	}
	odd := func(code int) error {
		err := kit.NewConflict("pods", "odd")
		err.ErrStatus.Code = code
		return err
	}
	for _, c := range []struct {
		err    error
		code   int
		reason kit.Reason
	}{
		{kit.NewStatusError(kit.ReasonInvalid, "no number"), 422, kit.ReasonInvalid},
		{fmt.Errorf("cache: %w", kit.NewStatusError(kit.ReasonTooManyRequests, "later")), 429, kit.ReasonTooManyRequests},
		{kit.NewTooLargeResourceVersion("9", "5"), 504, kit.ReasonTimeout},
		{errors.New("the disk is full"), 500, kit.ReasonInternalError},
		{odd(0), 500, kit.ReasonInternalError},
		{odd(200), 500, kit.ReasonInternalError},
		{odd(1000000), 500, kit.ReasonInternalError},
	} {
		src.refuse(c.err)
		for _, path := range []string{"/api/v1/pods", "/api/v1/pods?watch=1"} {
			s := requireStatus(t, api.get(path), c.code, c.reason)
			var refusal *kit.StatusError
			if errors.As(c.err, &refusal) && refusal.ErrStatus.Code == c.code {
				require.Equal(t, refusal.ErrStatus, s, "The Status in the body is not that of the error.")
			} else {
				require.Contains(t, s.Message, c.err.Error(), "The error's words are not in the message.")
			}
		}
	}
	refuseExpired(t, src, api)
}

// refuseExpired has the source refuse a version that is too old.
func refuseExpired(t *conform.T, src *source, api *site) {
	expired := kit.NewResourceExpired("too old resource version: 1 (5)")
	src.refuse(fmt.Errorf("window: %w", expired))
	requireStatus(t, api.get("/api/v1/pods?resourceVersion=1"), 410, kit.ReasonExpired)
	r := api.get("/api/v1/pods?watch=1&resourceVersion=1")
	require.Equal(t, 200, r.code, "A watch that is Expired was answered with %d, and not with a 200 and an ERROR event.", r.code)
	require.JSONEq(t, line(kit.Event[*kit.Pod]{Type: kit.Error, Status: &expired.ErrStatus}), r.body, "The body is not one ERROR event with the Status.")
}
