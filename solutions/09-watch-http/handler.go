// Package watchhttp is lab 09: list and watch over HTTP, as the Kubernetes API
// server and its clients speak it: a stream of JSON that curl -N can follow, and a
// client that knows where a connection was cut.
package watchhttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Handler serves the objects of source as the API server does. The stub's
// documentation is the contract.
func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	s := server[T]{typ, source}
	mux := http.NewServeMux()
	for _, path := range []string{collection(typ, ""), collection(typ, "{namespace}")} {
		mux.HandleFunc(path, s.get) // not "GET "+path, which takes HEAD as well, and answers a POST in plain text
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, kit.NewNotFound("path", r.URL.Path))
	})
	return mux
}

// collection is the path of the objects of one namespace, or of all. Client and
// Handler both ask here, so they can't disagree.
func collection[T kit.Object](typ kit.Type[T], namespace string) string {
	root := "/api/"
	if strings.Contains(typ.APIVersion, "/") {
		root = "/apis/" // all but the core group, which is older than groups are
	}
	path := root + typ.APIVersion
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + typ.Resource
}

// server is what the handlers of one source share.
type server[T kit.Object] struct {
	typ    kit.Type[T]
	source kit.ListerWatcher[T]
}

func (s server[T]) get(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, methodNotAllowed(r.Method))
		return
	}
	query := r.URL.Query()
	options, err := parse(query)
	if err != nil {
		refuse(w, err)
		return
	}
	options.Namespace = r.PathValue("namespace")
	if flag(query, "watch") {
		s.watch(w, r, options)
	} else {
		s.list(w, r, options)
	}
}

// parse reads what the query says. The version is not looked at: it is opaque to
// everybody but the store that has made it.
func parse(query url.Values) (kit.ListOptions, error) {
	options := kit.ListOptions{
		ResourceVersion:     query.Get("resourceVersion"),
		AllowWatchBookmarks: flag(query, "allowWatchBookmarks"),
		SendInitialEvents:   flag(query, "sendInitialEvents"),
	}
	if seconds := query.Get("timeoutSeconds"); seconds != "" {
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil || n < 0 {
			return options, kit.NewStatusError(kit.ReasonBadRequest, "timeoutSeconds: %q is not a number of seconds", seconds)
		}
		options.TimeoutSeconds = n
	}
	return options, nil
}

// flag reads a boolean as apimachinery does (pkg/runtime/conversion.go): what is
// there is true, unless it says no.
func flag(query url.Values, name string) bool {
	value := query.Get(name)
	return query.Has(name) && value != "0" && !strings.EqualFold(value, "false")
}

// objectList is a list on the wire (corev1.PodList).
type objectList[T any] struct {
	kit.TypeMeta `json:",inline"`
	Metadata     listMeta `json:"metadata"`
	Items        []T      `json:"items"`
}

type listMeta struct {
	ResourceVersion string `json:"resourceVersion"`
}

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := s.source.List(r.Context(), options)
	if err != nil {
		refuse(w, err)
		return
	}
	out := objectList[T]{
		TypeMeta: kit.TypeMeta{Kind: s.typ.Kind + "List", APIVersion: s.typ.APIVersion},
		Metadata: listMeta{list.ResourceVersion},
		Items:    list.Items,
	}
	if out.Items == nil {
		out.Items = []T{} // null is not a list, to most who read JSON
	}
	answer(w, http.StatusOK, out)
}

// watch follows a watch of the source until it ends or the client is gone.
//
// A client that is gone is noticed without a write: net/http reads ahead on the
// connection (HTTP/1.1) or gets a RST_STREAM frame (HTTP/2), and cancels the
// request's context. So a watch of a quiet namespace ends with its client, too.
func (s server[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	watch, err := s.source.Watch(r.Context(), options)
	switch {
	case kit.IsResourceExpired(err):
		// Upstream has answered 200 by the time it looks into its window, so it says
		// so in the stream (apiserver storage/cacher newErrWatcher). Clients know both.
		out := open(w)
		_ = out.send(kit.Error, statusOf(err))
		return
	case err != nil:
		refuse(w, err)
		return
	}
	defer watch.Stop()
	out := open(w)
	for {
		select {
		case event, ok := <-watch.ResultChan():
			if !ok || out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// frames writes events, each as one line that is on its way when send returns.
type frames struct {
	encoder *json.Encoder
	control *http.ResponseController
}

// open begins an answer without an end: no Content-Length is set, so net/http sends
// chunks over HTTP/1.1, and DATA frames over HTTP/2. The flush sends the header,
// or a client would wait for the first event to learn that its watch has begun.
func open(w http.ResponseWriter) frames {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	control.Flush() // if it can't, send will say so
	return frames{json.NewEncoder(w), control}
}

// frame is an event on the wire (metav1.WatchEvent).
type frame[O any] struct {
	Type   kit.EventType `json:"type"`
	Object O             `json:"object"`
}

func (f frames) event(what kit.EventType, object any, status *kit.Status) error {
	if what == kit.Error {
		return f.send(what, status)
	}
	return f.send(what, object)
}

// send writes one event. The Encoder ends it with a newline and puts none inside.
func (f frames) send(what kit.EventType, object any) error {
	if err := f.encoder.Encode(frame[any]{what, object}); err != nil {
		return err
	}
	return f.control.Flush()
}

// refuse answers with the Status of err.
func refuse(w http.ResponseWriter, err error) {
	status := statusOf(err)
	answer(w, status.Code, status)
}

// statusOf is the Status inside err, or one that says that something went wrong
// here. A code that is no error would make the answer a success, or a panic.
func statusOf(err error) kit.Status {
	var refusal *kit.StatusError
	if errors.As(err, &refusal) && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599 {
		return refusal.ErrStatus
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}

func methodNotAllowed(method string) error {
	err := kit.NewStatusError("MethodNotAllowed", "the server does not allow %s on this resource", method)
	err.ErrStatus.Code = http.StatusMethodNotAllowed
	return err
}

// answer writes one JSON object. That it can't be written is the client's loss.
func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}
