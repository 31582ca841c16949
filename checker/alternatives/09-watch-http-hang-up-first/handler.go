// Package watchhttp is lab 09 with a client that hangs up before it delivers an Error, so
// that the request is over when the reader learns of it, and a ListAndWatch that reads
// each watch to its end.
package watchhttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Handler serves the objects of source, which are of the type typ, as the API server
// does.
func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	return &handler[T]{typ: typ, source: source, root: root(typ.APIVersion)}
}

type handler[T kit.Object] struct {
	typ    kit.Type[T]
	source kit.ListerWatcher[T]
	root   string // "/api/v1"
}

// root is where the resources of an API version are found.
func root(apiVersion string) string {
	if strings.Contains(apiVersion, "/") {
		return "/apis/" + apiVersion
	}
	return "/api/" + apiVersion
}

const contentType = "application/json"

// ServeHTTP answers one request.
func (h *handler[T]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	namespace, ok := h.namespace(r.URL)
	if !ok {
		refuse(w, kit.NewStatusError(kit.ReasonNotFound, "the server could not find the requested resource: %s", r.URL.Path).ErrStatus)
		return
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, kit.Status{Message: "the server does not allow this method on the requested resource: " + r.Method, Reason: "MethodNotAllowed", Code: http.StatusMethodNotAllowed})
		return
	}
	query := r.URL.Query()
	options := kit.ListOptions{
		Namespace:           namespace,
		ResourceVersion:     query.Get("resourceVersion"),
		AllowWatchBookmarks: flag(query, "allowWatchBookmarks"),
		SendInitialEvents:   flag(query, "sendInitialEvents"),
	}
	if query.Has("timeoutSeconds") {
		value := query.Get("timeoutSeconds")
		seconds, err := strconv.ParseUint(value, 10, 63)
		if err != nil {
			refuse(w, kit.NewStatusError(kit.ReasonBadRequest, "timeoutSeconds is not a decimal number from 0 on: %q", value).ErrStatus)
			return
		}
		options.TimeoutSeconds = int64(seconds)
	}
	if flag(query, "watch") {
		h.watch(w, r, options)
	} else {
		h.list(w, r, options)
	}
}

// namespace takes the path of a request apart. It looks at it as it was sent: a
// namespace may have an escaped slash in it.
func (h *handler[T]) namespace(u *url.URL) (namespace string, ok bool) {
	rest, ok := strings.CutPrefix(u.EscapedPath(), h.root+"/")
	if !ok {
		return "", false
	}
	switch parts := strings.Split(rest, "/"); {
	case len(parts) == 1 && parts[0] == h.typ.Resource:
		return "", true
	case len(parts) == 3 && parts[0] == "namespaces" && parts[1] != "" && parts[2] == h.typ.Resource:
		namespace, err := url.PathUnescape(parts[1])
		return namespace, err == nil
	}
	return "", false
}

func flag(query url.Values, name string) bool {
	value := query.Get(name)
	return query.Has(name) && value != "0" && !strings.EqualFold(value, "false")
}

// objectList is a list on the wire.
type objectList[O any] struct {
	kit.TypeMeta `json:",inline"`
	Metadata     struct {
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Items []O `json:"items"`
}

// eventLine is an event on the wire.
type eventLine[O any] struct {
	Type   kit.EventType `json:"type"`
	Object O             `json:"object"`
}

func (h *handler[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := h.source.List(r.Context(), options)
	if err != nil {
		refuse(w, statusOf(err))
		return
	}
	answer := objectList[T]{
		TypeMeta: kit.TypeMeta{Kind: h.typ.Kind + "List", APIVersion: h.typ.APIVersion},
		Items:    list.Items,
	}
	answer.Metadata.ResourceVersion = list.ResourceVersion
	if answer.Items == nil {
		answer.Items = []T{}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		refuse(w, statusOf(err))
		return
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(append(body, '\n'))
}

func (h *handler[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	watch, err := h.source.Watch(ctx, options)
	expired := kit.IsResourceExpired(err)
	if err != nil && !expired {
		refuse(w, statusOf(err))
		return
	}
	out := lines{w: w, flusher: http.NewResponseController(w)}
	if expired {
		if out.begin() == nil {
			_ = out.write(kit.Error, statusOf(err))
		}
		return
	}
	defer watch.Stop()
	if out.begin() != nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-watch.ResultChan():
			if !ok || out.event(event.Type, event.Status, event.Object) != nil {
				return
			}
		}
	}
}

// lines writes events, each on a line, and flushes after each.
type lines struct {
	w       http.ResponseWriter
	flusher *http.ResponseController
}

func (l lines) begin() error {
	l.w.Header().Set("Content-Type", contentType)
	l.w.WriteHeader(http.StatusOK)
	return l.flusher.Flush()
}

func (l lines) event(what kit.EventType, status *kit.Status, object any) error {
	if what != kit.Error {
		return l.write(what, object)
	}
	if status == nil {
		status = &kit.NewStatusError(kit.ReasonInternalError, "the watch has failed").ErrStatus
	}
	return l.write(what, status)
}

func (l lines) write(what kit.EventType, object any) error {
	line, err := json.Marshal(eventLine[any]{what, object})
	if err != nil {
		return errors.Join(err, l.write(kit.Error, statusOf(err)))
	}
	if _, err := l.w.Write(append(line, '\n')); err != nil {
		return err
	}
	return l.flusher.Flush()
}

// statusOf is what is said about err.
func statusOf(err error) kit.Status {
	var refused *kit.StatusError
	if errors.As(err, &refused) && refused.ErrStatus.Code >= 400 && refused.ErrStatus.Code <= 599 {
		return complete(refused.ErrStatus)
	}
	return kit.NewStatusError(kit.ReasonInternalError, "%s", err).ErrStatus
}

// complete is status with what every Status has.
func complete(status kit.Status) kit.Status {
	status.TypeMeta = kit.TypeMeta{Kind: "Status", APIVersion: "v1"}
	status.Status = "Failure"
	return status
}

func refuse(w http.ResponseWriter, status kit.Status) {
	body, _ := json.Marshal(complete(status)) // strings and a number: it cannot fail
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status.Code)
	_, _ = w.Write(append(body, '\n'))
}
