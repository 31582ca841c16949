// Package writer is the other half of lab 09's client: it writes to an API server. It is given,
// and no lab.
//
// # How writes go
//
// A kit type has a few of an object's fields. A client that reads a real object into one and
// puts the whole back deletes the rest: other people's fields, without an error. So Update sends
// what differs, and nothing else:
//
//   - It reads the object from the server, as the server has it.
//   - It compares that, seen as the kit type, with what it was given, and makes a JSON
//     merge patch of the difference. A field that the kit type does not have is in neither, and
//     stays. Owner references that stay are sent as the server has them.
//   - The patch has the resource version of what it was given. If the server has another
//     one by then, it refuses with 409, whatever the difference is: nothing is lost without
//     a word, as with the whole object.
//   - A status goes to the status subresource where the type has one, and the rest to the
//     object itself. The server ignores each in the other's place, without an error.
//
// UpdateStatus does the same with nothing but the status, for those who keep the two apart.
package writer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Writer writes objects of one type. It is a kit.Client and a kit.StatusClient. Its methods may
// be called from any goroutine.
type Writer[T kit.Object] struct {
	Type   kit.Type[T]
	Server string // the URL, as lab 09's client takes it
	HTTP   *http.Client
	Lister kit.ListerWatcher[T] // lists: the learner's client

	Status bool // the type has a status subresource, to which Update writes what differs in the status

	// Real and Kit translate where the JSON of the kit type is not that of the server's. Nil
	// is no difference.
	Real func(object map[string]any) // from kit's to the server's
	Kit  func(object map[string]any) // from the server's to kit's
}

var (
	_ kit.Client[*kit.Pod]       = (*Writer[*kit.Pod])(nil)
	_ kit.StatusClient[*kit.Pod] = (*Writer[*kit.Pod])(nil)
)

// path is the URL of the objects of a namespace, or of one of them.
func (w *Writer[T]) path(namespace string, rest ...string) string {
	root := "/api/"
	if strings.Contains(w.Type.APIVersion, "/") {
		root = "/apis/"
	}
	path := strings.TrimRight(w.Server, "/") + root + w.Type.APIVersion + "/namespaces/" + url.PathEscape(namespace) + "/" + w.Type.Resource
	for _, part := range rest {
		path += "/" + url.PathEscape(part)
	}
	return path
}

// Create stores a new object.
func (w *Writer[T]) Create(ctx context.Context, obj T) (T, error) {
	object, err := w.fields(obj)
	if err != nil {
		return w.none(err)
	}
	if w.Real != nil {
		w.Real(object)
	}
	return w.object(w.call(ctx, http.MethodPost, w.path(obj.GetNamespace()), "application/json", object))
}

// Get returns one object.
func (w *Writer[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	return w.object(w.call(ctx, http.MethodGet, w.path(namespace, name), "", nil))
}

// List returns the objects of one moment.
func (w *Writer[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	return w.Lister.List(ctx, options)
}

// Update writes what differs between obj and what the server has, if that is the version
// that obj was read at.
func (w *Writer[T]) Update(ctx context.Context, obj T) (T, error) {
	namespace, name := obj.GetNamespace(), obj.GetName()
	real, err := w.call(ctx, http.MethodGet, w.path(namespace, name), "", nil)
	if err != nil {
		return w.none(err)
	}
	patch, status, err := w.difference(real, obj)
	if err != nil {
		return w.none(err)
	}
	version := obj.GetResourceVersion()
	if len(patch) > 0 || status == nil {
		stored, err := w.patch(ctx, patch, version, w.path(namespace, name))
		if err != nil || status == nil {
			return w.object(stored, err)
		}
		version = versionOf(stored)
	}
	return w.object(w.patch(ctx, map[string]any{"status": status}, version, w.path(namespace, name, "status")))
}

// UpdateStatus writes what differs between the status of obj and that which the server has, to
// the status subresource, if the version is that at which obj was read. Status must be set.
func (w *Writer[T]) UpdateStatus(ctx context.Context, obj T) (T, error) {
	namespace, name := obj.GetNamespace(), obj.GetName()
	real, err := w.call(ctx, http.MethodGet, w.path(namespace, name), "", nil)
	if err != nil {
		return w.none(err)
	}
	_, status, err := w.difference(real, obj)
	if err != nil {
		return w.none(err)
	}
	patch := map[string]any{}
	if status != nil {
		patch["status"] = status
	}
	return w.object(w.patch(ctx, patch, obj.GetResourceVersion(), w.path(namespace, name, "status")))
}

// patch sends a merge patch that counts for one version only. One without a field is sent too:
// it asks the server whether the version is the newest.
func (w *Writer[T]) patch(ctx context.Context, patch map[string]any, version, path string) (map[string]any, error) {
	metadata, _ := patch["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = version
	sent := map[string]any{"metadata": metadata}
	for key, value := range patch {
		if key != "metadata" {
			sent[key] = value
		}
	}
	return w.call(ctx, http.MethodPatch, path, "application/merge-patch+json", sent)
}

// difference is what has to be written to make real into obj: to the object itself, and to
// its status, nil where that stays.
func (w *Writer[T]) difference(real map[string]any, obj T) (patch map[string]any, status any, err error) {
	now, err := w.decode(real)
	if err != nil {
		return nil, nil, err
	}
	before, err := w.fields(now)
	if err != nil {
		return nil, nil, err
	}
	after, err := w.fields(obj)
	if err != nil {
		return nil, nil, err
	}
	patch = diff(before, after)
	dropServers(patch)
	keepReferences(patch, real)
	if w.Status {
		status = patch["status"]
		delete(patch, "status")
	}
	return patch, status, nil
}

// dropServers takes out of a patch what only the server writes.
func dropServers(patch map[string]any) {
	metadata, ok := patch["metadata"].(map[string]any)
	if !ok {
		return
	}
	for _, field := range []string{"resourceVersion", "uid", "generation", "creationTimestamp", "deletionTimestamp"} {
		delete(metadata, field)
	}
	if len(metadata) == 0 {
		delete(patch, "metadata")
	}
}

// keepReferences puts the server's own in the place of owner references that stay: a merge
// patch replaces the whole list, and a reference has more fields than kit's.
func keepReferences(patch, real map[string]any) {
	metadata, _ := patch["metadata"].(map[string]any)
	wanted, _ := metadata["ownerReferences"].([]any)
	old, _ := real["metadata"].(map[string]any)
	known, _ := old["ownerReferences"].([]any)
	for i, w := range wanted {
		for _, k := range known {
			w, _ := w.(map[string]any)
			k, _ := k.(map[string]any)
			if w["uid"] == k["uid"] {
				wanted[i] = k
			}
		}
	}
}

// diff is the JSON merge patch (RFC 7386) from before to after.
func diff(before, after map[string]any) map[string]any {
	patch := map[string]any{}
	for key, a := range after {
		b, had := before[key]
		inA, isA := a.(map[string]any)
		inB, isB := b.(map[string]any)
		switch {
		case isA && isB:
			if d := diff(inB, inA); len(d) > 0 {
				patch[key] = d
			}
		case !had || !equal(a, b):
			patch[key] = a
		}
	}
	for key := range before {
		if _, stays := after[key]; !stays {
			patch[key] = nil
		}
	}
	return patch
}

func equal(a, b any) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(textA, textB)
}

// Delete deletes an object.
func (w *Writer[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	body := map[string]any{"kind": "DeleteOptions", "apiVersion": "v1"}
	preconditions := map[string]any{}
	if uid := options.Preconditions.UID; uid != "" {
		preconditions["uid"] = uid
	}
	if version := options.Preconditions.ResourceVersion; version != "" {
		preconditions["resourceVersion"] = version
	}
	if len(preconditions) > 0 {
		body["preconditions"] = preconditions
	}
	object, err := w.call(ctx, http.MethodDelete, w.path(namespace, name), "application/json", body)
	if err == nil && object["kind"] == "Status" { // it is gone already, and not returned
		gone := w.Type.New()
		gone.SetNamespace(namespace)
		gone.SetName(name)
		return gone, nil
	}
	return w.object(object, err)
}

// call sends a request and returns the object of the answer.
func (w *Writer[T]) call(ctx context.Context, method, path, contentType string, body map[string]any) (map[string]any, error) {
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		send = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, path, send)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := w.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return nil, refusal(res, text)
	}
	var object map[string]any
	return object, json.Unmarshal(text, &object)
}

func refusal(res *http.Response, text []byte) error {
	var status kit.Status
	if json.Unmarshal(text, &status) == nil && status.Kind == "Status" {
		return &kit.StatusError{ErrStatus: status}
	}
	return kit.NewStatusError(kit.ReasonInternalError, "the server answered %s", res.Status)
}

func (w *Writer[T]) object(object map[string]any, err error) (T, error) {
	if err != nil {
		return w.none(err)
	}
	obj, err := w.decode(object)
	if err != nil {
		return w.none(err)
	}
	return obj, nil
}

func (w *Writer[T]) none(err error) (T, error) {
	var none T
	return none, fmt.Errorf("%s: %w", w.Type.Resource, err)
}

// decode reads an object of the server as kit's. It leaves the object as it is.
func (w *Writer[T]) decode(object map[string]any) (T, error) {
	obj := w.Type.New()
	text, err := json.Marshal(object)
	if err != nil {
		return obj, err
	}
	if w.Kit != nil {
		copied := map[string]any{}
		if err := json.Unmarshal(text, &copied); err != nil {
			return obj, err
		}
		w.Kit(copied)
		if text, err = json.Marshal(copied); err != nil {
			return obj, err
		}
	}
	return obj, json.Unmarshal(text, obj)
}

// fields are those of a kit object, as JSON has them.
func (w *Writer[T]) fields(obj T) (map[string]any, error) {
	text, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	return fields, json.Unmarshal(text, &fields)
}

func versionOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return version
}
