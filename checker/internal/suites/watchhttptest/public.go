package watchhttptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

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
			`Without watch the answer is source.List as one JSON object, with kind typ.Kind+"List", apiVersion, metadata.resourceVersion, and the items, which are [] and not null if there are none.`,
			`"pods" is typ.Resource and "/api/v1" follows from typ.APIVersion: it is "/apis/apps/v1" for "apps/v1", and so for every other group. {namespace} is one segment of the path, unescaped.`,
			`The Content-Type of all answers is "application/json", with or without parameters.`,
			"Handler never writes to what source gave it, objects and errors.",
			"GET /api/v1/namespaces/{namespace}/pods   those of one namespace",
			"Handler ignores parameters that it does not know.",
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
			"It may serve any number of requests at once.",
			"The object of an ERROR is the event's Status, which is never nil; to Handler it is an event like the others, and not the end.",
			"Handler never writes to what source gave it, objects and errors.",
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
			`A flag, such as watch, is set if the parameter is present, with any value or none ("watch=1", "watch=TRUE", "watch=yes", "watch=", "watch"), except "0" and "false", in upper or lower case.`,
			"If a parameter is given more than once, the first counts.",
			"the parameters that are about watches change nothing in the answer to a list",
			"source.List and source.Watch get the context of the request, or one that ends with it",
			"timeoutSeconds is a decimal number from 0 on that fits into an int64; anything else is answered with 400 and the reason BadRequest, with watch or without.",
			"Handler ignores parameters that it does not know.",
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
			"the answer is a 200 whose only event is an ERROR with that Status, and then it ends. A List that is Expired is answered with its code, which is 410.",
			"Handler never writes to what source gave it, objects and errors.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkRefusals,
	},
	{
		Name:   "client-lists",
		Points: 4,
		Func:   "Client.List",
		Look:   []string{"Client.List", "NewClient"},
		Rule:   "List asks for the path and parameters of its options and returns the objects and the version; an answer that is not a list of the type, or is not whole, is an error.",
		Why:    "A 200 from something that is no API server, taken for an empty list, makes a controller delete everything it manages.",
		Hint: []string{
			"Where is T made, when the JSON of an item has neither kind nor apiVersion? Fill what Type.New gives.",
			"json.RawMessage keeps an item as it is until you know what to fill.",
			"Check the kind of the answer before you believe it.",
		},
		Source: "client-go rest/request.go: Result.Into; kubernetes#3030: items of typed lists have no TypeMeta",
		Contract: []string{
			"List returns the objects and the version of that moment. An answer that can't be read whole, that is not one JSON object, or whose kind is not that of a list of the type, is an error.",
			"Objects are filled into what Type.New gives",
			"the fields of a kit.ListOptions become the path and the parameters that Handler knows, and a field that is zero becomes none",
			`which may have a path before that of the API, with or without a "/" at its end`,
			"nil is http.DefaultClient.",
			`it is "/apis/apps/v1" for "apps/v1", and so for every other group.`,
			`Characters that have a meaning in a URL, such as "?" or "&", are escaped.`,
			"A Watch adds watch and, with SendInitialEvents and only then, resourceVersionMatch=NotOlderThan",
			"MaxEvent is the length in bytes of the longest event that a watch takes",
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
			"set for Error, nil otherwise",
			`Characters that have a meaning in a URL, such as "?" or "&", are escaped.`,
			"A Client does what its options say and nothing more",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkClientWatches,
	},
}

// cronJobs is a type of another group than the core's, whose version is not v1.
func cronJobs() kit.Type[*kit.Pod] {
	typ := kit.Pods
	typ.APIVersion, typ.Kind, typ.Resource = "batch/v1beta1", "CronJob", "cronjobs"
	return typ
}

// policies is a type of another group, whose resource is not its kind with an "s".
func policies() kit.Type[*kit.Pod] {
	typ := kit.Pods
	typ.APIVersion, typ.Kind, typ.Resource = "networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"
	return typ
}

func checkLists(t *conform.T, open func() Subject) {
	src := newSource(t)
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	listed(t, api, src, "/api/v1/pods", "Pod", "v1", "")
	src.put("default", "a")
	src.put("pods", "b")
	src.put("default", "b")
	src.put("default", leaving)
	src.delete("default", "a")
	listed(t, api, src, "/api/v1/pods?namespace=default&limit=1&labelSelector=x", "Pod", "v1", "") // of which Handler knows none
	listed(t, api, src, "/api/v1/namespaces/default/pods", "Pod", "v1", "default")
	listed(t, api, src, "/api/v1/namespaces/pods/pods", "Pod", "v1", "pods")
	listed(t, api, src, "/api/v1/namespaces/all/pods", "Pod", "v1", "all") // a name like any other, with nothing in it
	listIsLeftAlone(t, open())
	for _, typ := range []kit.Type[*kit.Pod]{cronJobs(), policies()} {
		group := serve(t, open().Handler(typ, src))
		defer group.close()
		root := "/apis/" + typ.APIVersion
		listed(t, group, src, root+"/"+typ.Resource, typ.Kind, typ.APIVersion, "")
		listed(t, group, src, root+"/namespaces/pods/"+typ.Resource, typ.Kind, typ.APIVersion, "pods")
	}
	const odd = "Of a/b+c%41"
	src.put(odd, "d")
	listed(t, api, src, "/api/v1/namespaces/Of%20a%2Fb+c%2541/pods", "Pod", "v1", odd)
}

// shared is a source that returns the same list to every caller, as a cache may.
type shared struct {
	*source
	all kit.List[*kit.Pod]
}

func (s shared) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) { return s.all, nil }

// listIsLeftAlone lists what the source will give to the next caller, too.
func listIsLeftAlone(t *conform.T, s Subject) {
	src := shared{newSource(t), kit.List[*kit.Pod]{ResourceVersion: "9"}}
	for _, name := range []string{"b", "a", "c"} {
		src.all.Items = append(src.all.Items, src.put("of "+name, name))
	}
	src.all.Items[0].Annotations["kubectl.kubernetes.io/last-applied-configuration"] = "{}"
	*src.all.Items[1] = kit.Pod{ObjectMeta: kit.ObjectMeta{Name: "bare"}}
	var before []*kit.Pod
	for _, p := range src.all.Items {
		before = append(before, p.DeepCopy())
	}
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	api.get("/api/v1/pods")
	api.get("/api/v1/namespaces/of%20c/pods")
	t.Same(before, src.all.Items, "Handler has changed the list that its source returned, which is not Handler's to change: the next request may get the same one at this moment. The items")
	src.all.ResourceVersion = "" // opaque, too
	bare := serve(t, s.Handler(kit.Pods, src))
	defer bare.close()
	var got struct{ Metadata kit.ObjectMeta }
	err := json.Unmarshal([]byte(bare.get("/api/v1/pods").body), &got)
	t.Require(err == nil && got.Metadata.ResourceVersion == "", "The source's list has no version, only its items have some, and Handler answered with the metadata.resourceVersion %q: the answer is source.List.", got.Metadata.ResourceVersion)
}

func listed(t *conform.T, api *site, src *source, path, kind, group, namespace string) {
	r := api.get(path)
	t.Require(r.code == 200, "The list of %s was answered with %d, and should be with 200.", path, r.code)
	requireJSON(t, r.header.Get("Content-Type"))
	var got struct {
		kit.TypeMeta
		Metadata map[string]any
		Items    json.RawMessage
	}
	err := json.Unmarshal([]byte(r.body), &got)
	t.Require(err == nil, "The answer to %s is not one JSON object, but %q: %v.", path, r.body, err)
	t.Require(got.TypeMeta == kit.TypeMeta{Kind: kind + "List", APIVersion: group}, "A list has kind %q and apiVersion %q; one of %s in %s has %q and %q.", got.Kind, got.APIVersion, kind, group, kind+"List", group)
	want := src.held(namespace)
	t.Require(got.Metadata["resourceVersion"] == want.ResourceVersion, "The metadata.resourceVersion of a list is %v, and the source's list has %s.", got.Metadata["resourceVersion"], want.ResourceVersion)
	if len(want.Items) == 0 {
		t.Require(string(got.Items) == "[]", "The items of a list without objects are %q, and should be [].", string(got.Items))
		return
	}
	sameJSON(t, mustJSON(want.Items), string(got.Items), "The items of the list of %s are not the objects that the source has listed", path)
}

func requireJSON(t *conform.T, header string) {
	kind, _, err := mime.ParseMediaType(header)
	t.Require(err == nil, "An answer has a Content-Type that can't be read, %q: %v.", header, err)
	t.Require(kind == "application/json", "The Content-Type of an answer is %s, and should be application/json.", kind)
}

func checkStreams(t *conform.T, open func() Subject) {
	src := newSource(t)
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
	src.fails(withCode(kit.NewConflict("pods", "a"), 410).ErrStatus, "default")
	for _, code := range []int{0, 302} { // which are no refusals
		src.fails(withCode(kit.NewResourceExpired("a Status with an odd code"), code).ErrStatus, "default")
	}
	src.put("default", leaving) // an ERROR is an event like the others to Handler: the source ends the watch
	t.Wait()
	src.end()
	for _, l := range []*listening{all, one} {
		lines := l.take(t)
		l.cleanly(t, "The source's watch had ended, and the answer went on.")
		t.Require(l.code == 200, "A watch was answered with %d, and should be with 200.", l.code)
		requireJSON(t, l.mime)
		var want []string
		for _, e := range src.log {
			if l == all || e.event.Object == nil || e.event.Type == kit.Bookmark || e.event.Object.Namespace == "default" {
				want = append(want, line(e.event))
			}
		}
		t.Require(len(lines) == len(want), "The source gave %s for a watch, and its answer has %s: one event is one line.%s", conform.Count(len(want), "event"), conform.Count(len(lines), "line"), behind(lines, want))
		for i, l := range lines {
			t.Require(strings.HasSuffix(l, "\n"), "The line %q is not ended by a newline.", l)
			sameJSON(t, want[i], l, "Line %d of a watch is not the event with its type and its object", i+1)
		}
	}
	another := newSource(t)
	another.put("default", "a").Labels["app"] = "db" // of the name and the version that the first source has
	site := serve(t, open().Handler(kit.Pods, another))
	defer site.close()
	l := site.listen("/api/v1/pods?watch=1&resourceVersion=100")
	defer l.hang()
	l.brings(t, another.log[0].event)
	watchIsLeftAlone(t, open())
}

// behind says after what the lines end that should go on.
func behind(lines, want []string) string {
	if len(lines) == 0 || len(lines) >= len(want) {
		return ""
	}
	return fmt.Sprintf(" The last line is %.24q and so on; an ERROR is an event like the others to Handler, and not the end.", lines[len(lines)-1])
}

// watchIsLeftAlone watches events that the source may give to other watches, too.
func watchIsLeftAlone(t *conform.T, s Subject) {
	src := &handed{source: newSource(t), over: true, events: []kit.Event[*kit.Pod]{
		added("a", 7),
		bookmarkAt(8, false),
		{Type: kit.Error, Status: &kit.Status{Code: 409, Reason: kit.ReasonConflict, Message: "it has changed"}},
	}}
	var before []kit.Event[*kit.Pod]
	for _, e := range src.events {
		before = append(before, mine(e))
	}
	api := serve(t, s.Handler(kit.Pods, src))
	defer api.close()
	api.get("/api/v1/namespaces/default/pods?watch=1")
	t.Same(before, src.events, "Handler has changed an event of its source, which is not Handler's to change: another watch may get the same one at this moment. The events")
}

// parameters are queries, whether each is a watch, and the options that the source gets.
var parameters = []struct {
	query string
	watch bool
	want  kit.ListOptions
}{
	{"resourceVersion=007", false, kit.ListOptions{ResourceVersion: "007"}},
	{"resourceVersion=7&resourceVersionMatch=Exact", false, kit.ListOptions{ResourceVersion: "7"}},
	{"timeoutSeconds=9223372036854775807", false, kit.ListOptions{}},
	{"watch=0&resourceVersion=0", false, kit.ListOptions{ResourceVersion: "0"}},
	{"watch=false&fieldSelector=x", false, kit.ListOptions{}},
	{"sendInitialEvents=1&allowWatchBookmarks=1&resourceVersionMatch=NotOlderThan", false, kit.ListOptions{}},
	{"Watch=1&WATCH=true&ResourceVersion=7&resourceversion=8&timeoutseconds=x", false, kit.ListOptions{}}, // other parameters
	{"watch=False&pretty=true", false, kit.ListOptions{}},
	{"watch=1&resourceVersion=0101", true, kit.ListOptions{ResourceVersion: "0101"}},
	{"watch=true&resourceVersion=%20a%26b%2F%20c%2541%252B%20", true, kit.ListOptions{ResourceVersion: " a&b/ c%41%2B "}},
	{"watch=yes&allowWatchBookmarks=true", true, kit.ListOptions{AllowWatchBookmarks: true}},
	{"watch&allowWatchBookmarks=false&timeoutSeconds=0", true, kit.ListOptions{}},
	{"watch=&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan&resourceVersion=0", true,
		kit.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: true, ResourceVersion: "0"}},
	{"sendInitialEvents=0&timeoutSeconds=9223372036854775807&watch=TRUE", true, kit.ListOptions{TimeoutSeconds: 9223372036854775807}},
	{"watch&allowWatchBookmarks&sendInitialEvents=&timeoutSeconds=010", true, kit.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: true, TimeoutSeconds: 10}},
	{"watch=0&watch=1&resourceVersion=7&resourceVersion=8", false, kit.ListOptions{ResourceVersion: "7"}},
	{"sendInitialEvents=true&allowWatchBookmarks=true", false, kit.ListOptions{}},
	{"timeoutSeconds=7&timeoutSeconds=x", false, kit.ListOptions{}},
	{"watch=1&watch=0&timeoutSeconds=7&timeoutSeconds=8", true, kit.ListOptions{TimeoutSeconds: 7}},
	{"watch=&watch=0&allowWatchBookmarks=&allowWatchBookmarks=0&sendInitialEvents=false&sendInitialEvents=1", true, kit.ListOptions{AllowWatchBookmarks: true}},
	{"watch=1&sendInitialEvents=true", true, kit.ListOptions{SendInitialEvents: true}},
	{"watch=00&allowWatchBookmarks=fAlSe&sendInitialEvents=%20false", true, kit.ListOptions{SendInitialEvents: true}},
	{"watch=f&allowWatchBookmarks=F&sendInitialEvents=no", true, kit.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: true}},
}

func checkParameters(t *conform.T, open func() Subject) {
	src := newSource(t)
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	for _, c := range parameters {
		before := len(src.begun())
		l, first := asksWith(t, api, src, c.query), ofSeveral(c.query)
		watched := len(src.begun()) > before
		asked := map[bool]string{true: "watch", false: "list"}
		if watched == c.watch && !watched {
			t.Require(l.code == 200, "With the query %q, in which nothing is wrong, a list was answered with %d, and should be with 200: the parameters that are about watches change nothing in the answer to a list.%s", c.query, l.code, first)
		}
		t.Require(watched == c.watch, "The query %q is a %s. Handler answered %d, and had asked its source for a %s.%s", c.query, asked[c.watch], l.code, asked[watched], first)
		want := c.want
		want.Namespace = "web"
		got := src.last()
		if !c.watch { // of no meaning to a list
			got.AllowWatchBookmarks, got.SendInitialEvents, got.TimeoutSeconds = want.AllowWatchBookmarks, want.SendInitialEvents, want.TimeoutSeconds
		}
		t.Same(want, got, "The query was %q.%s The options that the source got", c.query, first)
	}
	src.refuse(kit.NewConflict("pods", "x")) // in case nonsense is taken for none: a watch would not end
	for _, bad := range []string{"abc", "-1", "1.5", "1e3", "0x10", "9223372036854775808", "18446744073709551615", "99999999999999999999", "5s", "%205", "x&timeoutSeconds=5"} {
		requireStatus(t, "A watch with timeoutSeconds="+bad, api.get("/api/v1/pods?watch=1&timeoutSeconds="+bad), 400, kit.ReasonBadRequest)
		requireStatus(t, "A list with timeoutSeconds="+bad, api.get("/api/v1/pods?timeoutSeconds="+bad), 400, kit.ReasonBadRequest)
	}
}

// asksWith asks for a list or a watch, and hangs up when nothing more happens by itself.
func asksWith(t *conform.T, api *site, src *source, query string) *listening {
	path := "/api/v1/namespaces/web/pods?" + query
	before := len(src.begun())
	l := api.listen(path)
	t.Wait()
	src.waitsFor(t, path, before)
	l.hang()
	src.gone(t, "A client hung up, and the watch of the source goes on.")
	return l
}

// ofSeveral says which value counts, if the query has several of one parameter.
func ofSeveral(query string) string {
	values, _ := url.ParseQuery(query)
	for _, several := range values {
		if len(several) > 1 {
			return " If a parameter is given more than once, the first counts."
		}
	}
	return ""
}

// requireStatus requires a Status with this code, in the answer and in the body.
func requireStatus(t *conform.T, what string, r reply, code int, reason kit.Reason) kit.Status {
	t.Require(r.code == code, "%s was answered with %d, and should be refused with %d.", what, r.code, code)
	requireJSON(t, r.header.Get("Content-Type"))
	var s kit.Status
	err := json.Unmarshal([]byte(r.body), &s)
	t.Require(err == nil, "%s was refused with a body that is not JSON, %q: %v.", what, r.body, err)
	t.Require(s.TypeMeta == kit.TypeMeta{Kind: "Status", APIVersion: "v1"}, "%s was refused with a body of kind %q and apiVersion %q, and should be with a Status in v1.", what, s.Kind, s.APIVersion)
	t.Require(s.Status == "Failure", "%s was refused with a Status whose status is %q, and should be Failure.", what, s.Status)
	t.Require(s.Code == code, "%s was answered with %d, and the code in the Status is %d.", what, code, s.Code)
	if reason != "" {
		t.Require(s.Reason == reason, "%s was refused with the reason %q, and should be with %s.", what, s.Reason, reason)
	}
	return s
}

func checkRefusals(t *conform.T, open func() Subject) {
	src := newSource(t)
	src.put("default", "a")
	api := serve(t, open().Handler(kit.Pods, src))
	defer api.close()
	refuseStrangers(t, src, api)
	for _, r := range refusals() {
		r.answered(t, src, api)
	}
	refuseExpired(t, src, api)
	refuseBarely(t, src, api)
}

// refusal is an error of a source, with the code and the reason of the answer to it.
type refusal struct {
	err    error
	code   int
	reason kit.Reason
}

func refusals() []refusal {
	later := kit.NewStatusError(kit.ReasonTooManyRequests, "later")
	odd := func(code int) error {
		return withCode(kit.NewStatusError(kit.ReasonConflict, "an error with the code %d", code), code)
	}
	return []refusal{
		{kit.NewStatusError(kit.ReasonInvalid, "no number"), 422, kit.ReasonInvalid},
		{kit.NewNotFound("pods", "web"), 404, kit.ReasonNotFound}, // which is no list without items
		{fmt.Errorf("cache: %w", later), 429, kit.ReasonTooManyRequests},
		{fmt.Errorf("both: %w", errors.Join(io.ErrUnexpectedEOF, later)), 429, kit.ReasonTooManyRequests},
		{kit.NewTooLargeResourceVersion("9", "5"), 504, kit.ReasonTimeout},
		{withCode(kit.NewStatusError("", "a Status without a reason"), 503), 503, ""},
		{kit.NewStatusError(kit.ReasonConflict, ""), 409, kit.ReasonConflict}, // a Status without a message
		{errors.New("the disk is 100% full:\n%d"), 500, kit.ReasonInternalError},
		{context.DeadlineExceeded, 500, kit.ReasonInternalError}, // of a context of the source's own
		{fmt.Errorf("shard 3: %w", context.Canceled), 500, kit.ReasonInternalError},
		{odd(0), 500, kit.ReasonInternalError},
		{odd(200), 500, kit.ReasonInternalError},
		{odd(399), 500, kit.ReasonInternalError},
		{odd(400), 400, kit.ReasonConflict},
		{odd(599), 599, kit.ReasonConflict},
		{odd(600), 500, kit.ReasonInternalError},
		{odd(1000000), 500, kit.ReasonInternalError},
		{fmt.Errorf("shard 3: %w", odd(0)), 500, kit.ReasonInternalError},
		{odd(410), 410, kit.ReasonConflict}, // the reason makes an Expired, not the code
	}
}

// withCode gives an error another code than that of its reason.
func withCode(err *kit.StatusError, code int) *kit.StatusError {
	err.ErrStatus.Code = code
	return err
}

// answered has the source refuse a list and two watches, and looks at the answers.
func (r refusal) answered(t *conform.T, src *source, api *site) {
	refuseWith(src, api, r.err)
	var status kit.Status // in the source's error, if there is one
	var own *kit.StatusError
	if errors.As(r.err, &own) {
		status = own.ErrStatus
	}
	for _, path := range []string{"/api/v1/pods", "/api/v1/pods?watch=1", "/api/v1/pods?watch=1&sendInitialEvents=1"} {
		s := requireStatus(t, fmt.Sprintf("The source has returned the error %q. GET %s", r.err, path), api.get(path), r.code, r.reason)
		if status.Code == r.code {
			t.Same(status, s, "The Status in the body is not that of the source's error")
		} else {
			t.Require(strings.Contains(s.Message, r.err.Error()), "The source's error is %q, and the message of the Status, %q, does not have its words.", r.err, s.Message)
		}
		if own != nil {
			t.Same(status, own.ErrStatus, wroteToError)
		}
	}
}

const wroteToError = "Handler has written to the error that its source returned, which is not Handler's to change: the next request may get the same one at this moment. Its Status"

// refuseStrangers asks for what Handler does not serve.
func refuseStrangers(t *conform.T, src *source, api *site) {
	refuseWith(src, api, errors.New("the source was asked")) // in case it is: a watch would not end
	for _, path := range []string{"/", "/api", "/api/v1", "/apis", "/api/v1/nodes", "/apis/v1/pods", "/api/v1/namespaces/default", "/api/v2/pods",
		"/api/v1/pods/a", "/api/v1/namespaces/default/pods/a", "/api/v1/nodes/default/pods",
		"/api/v1/namespaces/default/secrets", "/api/v1/namespaces/pods", "/api/v1/namespaces/a/b/pods", "/api/v1/watch/pods", "/api/v1/podsomething", "/api/v1/PODS", "/x/api/v1/pods"} {
		requireStatus(t, "GET "+path+", where nothing is,", api.get(path), 404, kit.ReasonNotFound)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		for _, path := range []string{"/api/v1/pods", "/api/v1/pods?watch=1", "/api/v1/namespaces/default/pods"} {
			requireStatus(t, method+" "+path, api.ask(method, path), 405, "")
		}
	}
}

// refuseWith has the source refuse, and a missing answer say with what error it did.
func refuseWith(src *source, api *site, err error) {
	src.refuse(err)
	api.while = fmt.Sprintf(" The source's error is %q.", err)
}

// refuseExpired has the source refuse a version that is too old.
func refuseExpired(t *conform.T, src *source, api *site) {
	expired := kit.NewResourceExpired("too old resource version: 1 (5)")
	refuseWith(src, api, fmt.Errorf("window: %w", expired))
	requireStatus(t, "A list that the source refuses as Expired", api.get("/api/v1/pods?resourceVersion=1"), 410, kit.ReasonExpired)
	asked := src.last().ResourceVersion
	t.Require(asked == "1", "The source refused a list at version 1 as Expired, and Handler asked it again, for version %q: it answers with the refusal.", asked)
	expiredWatch(t, src, api, "1", "&resourceVersion=1&allowWatchBookmarks=1&sendInitialEvents=1", expired)
	expiredWatch(t, src, api, "", "", expired)
	expired.ErrStatus.Code = 400 // the reason makes an Expired, not the code
	refuseWith(src, api, expired)
	expiredWatch(t, src, api, "1", "&resourceVersion=1", expired)
}

// expiredWatch asks for a watch from a version, which the source refuses as Expired.
func expiredWatch(t *conform.T, src *source, api *site, version, query string, expired *kit.StatusError) {
	what := fmt.Sprintf("a watch from version %q with the reason Expired and the code %d", version, expired.ErrStatus.Code)
	r := api.whole(t, "/api/v1/pods?watch=1"+query, "The source refused "+what+", and a minute later the answer had not ended: its only event is an ERROR, and then it ends.")
	asked := src.last().ResourceVersion
	t.Require(asked == version, "The source refused %s, and Handler asked it again, from version %q: it answers with the refusal.", what, asked)
	t.Require(r.code == 200, "The source refused %s, and the answer is %d. It should be a 200 and an ERROR event: the reason makes an Expired.", what, r.code)
	requireJSON(t, r.header.Get("Content-Type"))
	sameJSON(t, line(kit.Event[*kit.Pod]{Type: kit.Error, Status: &expired.ErrStatus}), r.body, "The source refused %s, and the answer is not one ERROR event that has the Status of the refusal", what)
	t.Require(strings.HasSuffix(r.body, "\n"), "The source refused %s, and the answer is %q: the line of an event is ended by a newline.", what, r.body)
}

// refuseBarely has the source refuse with a Status that lacks what every Status has. The answer may
// have it, but the error is the source's: it may give the same one to every caller.
func refuseBarely(t *conform.T, src *source, api *site) {
	for _, bare := range []kit.Status{
		{Code: 409, Reason: kit.ReasonConflict, Message: "it has changed"},
		{Code: 410, Reason: kit.ReasonExpired, Message: "too old"},
	} {
		err := &kit.StatusError{ErrStatus: bare}
		refuseWith(src, api, err)
		code := api.get("/api/v1/pods").code
		t.Require(code == bare.Code, "The source's error has the code %d, and the list was answered with %d.", bare.Code, code)
		api.get("/api/v1/pods?watch=1")
		t.Same(bare, err.ErrStatus, wroteToError)
	}
}
