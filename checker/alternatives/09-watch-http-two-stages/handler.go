// Package watchhttp is lab 09 with two goroutines for a watch: one cuts the answer into
// lines, the other decodes them, and a third closes the ResultChan when both have ended.
// Paths are matched by hand, and a list is written item by item.
package watchhttp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Handler serves the objects of source, which are of the type typ, as the API server
// does.
func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		options, watch, err := read(typ, r)
		switch {
		case err != nil:
		case watch:
			var events kit.Watch[T]
			if events, err = source.Watch(ctx, options); err == nil {
				serve(ctx, w, events)
				return
			}
			if kit.ReasonFor(err) == kit.ReasonExpired {
				pump := newPump(w)
				pump.send("ERROR", says(err))
				return
			}
		default:
			var list kit.List[T]
			if list, err = source.List(ctx, options); err == nil {
				writeList(w, typ, list)
				return
			}
		}
		status := says(err)
		if status.Code == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "GET")
		}
		w.WriteHeader(status.Code)
		_ = json.NewEncoder(w).Encode(status)
	})
}

func basePath(apiVersion string) []string {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return []string{"", "apis", group, version}
	}
	return []string{"", "api", apiVersion}
}

// read is the request as options.
func read[T kit.Object](typ kit.Type[T], r *http.Request) (options kit.ListOptions, watch bool, err error) {
	parts := strings.Split(r.URL.EscapedPath(), "/")
	for i := range parts {
		if parts[i], err = url.PathUnescape(parts[i]); err != nil {
			parts[i] = ""
		}
	}
	base := basePath(typ.APIVersion)
	notFound := kit.NewStatusError(kit.ReasonNotFound, "404 page not found")
	for i, want := range base {
		if i >= len(parts) || parts[i] != want {
			return options, false, notFound
		}
	}
	switch parts = parts[len(base):]; {
	case len(parts) == 1 && parts[0] == typ.Resource:
	case len(parts) == 3 && parts[0] == "namespaces" && parts[1] != "" && parts[2] == typ.Resource:
		options.Namespace = parts[1]
	default:
		return options, false, notFound
	}
	if r.Method != "GET" {
		return options, false, &kit.StatusError{ErrStatus: kit.Status{Code: 405, Message: r.Method, Reason: "MethodNotAllowed"}}
	}
	for name, values := range r.URL.Query() {
		value := strings.ToLower(values[0])
		set := value != "0" && value != "false"
		switch name {
		case "watch":
			watch = set
		case "allowWatchBookmarks":
			options.AllowWatchBookmarks = set
		case "sendInitialEvents":
			options.SendInitialEvents = set
		case "resourceVersion":
			options.ResourceVersion = values[0]
		case "timeoutSeconds":
			if strings.Trim(value, "0123456789") != "" {
				value = "x"
			}
			if options.TimeoutSeconds, err = strconv.ParseInt(value, 10, 64); err != nil {
				return options, false, kit.NewStatusError(kit.ReasonBadRequest, "timeoutSeconds: %v", err)
			}
		}
	}
	return options, watch, nil
}

func says(err error) kit.Status {
	status := kit.NewStatusError(kit.ReasonInternalError, "%v", err).ErrStatus
	if s := (*kit.StatusError)(nil); errors.As(err, &s) && s.ErrStatus.Code/100 >= 4 && s.ErrStatus.Code/100 <= 5 {
		status = s.ErrStatus
	}
	status.Kind, status.APIVersion, status.Status = "Status", "v1", "Failure"
	return status
}

// writeList writes item by item.
func writeList[T kit.Object](w io.Writer, typ kit.Type[T], list kit.List[T]) {
	version, _ := json.Marshal(list.ResourceVersion)
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, `{"apiVersion":%q, "kind":%q, "metadata":{"resourceVersion":%s}, "items":[`, typ.APIVersion, typ.Kind+"List", version)
	for i, obj := range list.Items {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		raw, err := json.Marshal(obj)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		_, _ = out.Write(raw)
	}
	_, _ = out.WriteString("]}")
}

// pump writes lines.
type pump struct {
	out   *bufio.Writer
	flush *http.ResponseController
}

func newPump(w http.ResponseWriter) *pump {
	return &pump{bufio.NewWriterSize(w, 1<<16), http.NewResponseController(w)}
}

func (p *pump) send(what kit.EventType, object any) error {
	raw, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(p.out, "{\"object\": %s, \"type\": %q}\n", raw, what)
	if err := p.out.Flush(); err != nil {
		return err
	}
	return p.flush.Flush()
}

func serve[T kit.Object](ctx context.Context, w http.ResponseWriter, events kit.Watch[T]) {
	defer events.Stop()
	defer context.AfterFunc(ctx, events.Stop)()
	p := newPump(w)
	w.WriteHeader(200)
	if p.flush.Flush() != nil {
		return
	}
	for event := range events.ResultChan() {
		var object any = event.Object
		if event.Type == kit.Error {
			object = event.Status
		}
		if p.send(event.Type, object) != nil {
			return
		}
	}
}
