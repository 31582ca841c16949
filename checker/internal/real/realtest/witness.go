package realtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// witness is client-go, in a process of its own. What it says the server holds, the server
// holds. Where it fails, the machine does, and not the learner.
type witness struct {
	t    *conform.T
	a    *conform.Actor
	site site.Site
	ns   string
	http *http.Client
}

func newWitness(t *conform.T, s site.Site) *witness {
	w := &witness{t: t, a: t.Named("client-go"), site: s, http: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}}
	w.must(w.post("/namespace", nil, &w.ns))
	return w
}

func (w *witness) close() { w.http.CloseIdleConnections() }

// must ends the case where client-go itself could not do something.
func (w *witness) must(err error) {
	if err != nil {
		w.t.Fatalf("The server, or client-go beside you, failed, and not your code: %v.", err)
	}
}

func (w *witness) post(path string, in, out any) error {
	if in == nil {
		in = struct{}{}
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, w.site.Witness+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+w.site.Secret)
	res, err := w.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		var status kit.Status
		if json.Unmarshal(answer, &status) == nil && status.Kind == "Status" {
			return &kit.StatusError{ErrStatus: status}
		}
		return fmt.Errorf("%s: %s", res.Status, bytes.TrimSpace(answer))
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}

// object is an object as the server has it.
type object map[string]any

func (o object) meta(field string) string {
	metadata, _ := o["metadata"].(map[string]any)
	s, _ := metadata[field].(string)
	return s
}

func (o object) name() string    { return o.meta("name") }
func (o object) version() string { return o.meta("resourceVersion") }

// at is a place in an object: at("spec", "replicas").
func (o object) at(path ...string) any {
	var v any = map[string]any(o)
	for _, field := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[field]
	}
	return v
}

// resource is one type of object, as client-go names it.
type resource struct{ apiVersion, kind, plural string }

func resourceOf[T kit.Object](typ kit.Type[T]) resource {
	return resource{typ.APIVersion, typ.Kind, typ.Resource}
}

// call has client-go make a request in the namespace of the case.
func (w *witness) call(verb string, r resource, name, subresource string, body object, out any) error {
	group, version, found := strings.Cut(r.apiVersion, "/")
	if !found {
		group, version = "", r.apiVersion
	}
	return w.post("/do", map[string]any{
		"verb": verb, "group": group, "version": version, "resource": r.plural, "subresource": subresource,
		"namespace": w.ns, "name": name, "object": body,
	}, out)
}

// create, merge and remove write, and return what the server has then.
func (w *witness) create(r resource, name string, fields object) object {
	body := object{"apiVersion": r.apiVersion, "kind": r.kind, "metadata": map[string]any{"name": name, "namespace": w.ns}}
	for key, value := range fields {
		if key == "metadata" {
			for k, v := range value.(map[string]any) {
				body["metadata"].(map[string]any)[k] = v
			}
			continue
		}
		body[key] = value
	}
	var out object
	w.must(w.call("create", r, "", "", body, &out))
	w.a.Note("created %s %s@%s", r.kind, out.name(), out.version())
	return out
}

func (w *witness) merge(r resource, name, subresource string, patch object) object {
	var out object
	w.must(w.call("patch", r, name, subresource, patch, &out))
	w.a.Note("changed %s %s@%s", r.kind, name, out.version())
	return out
}

func (w *witness) remove(r resource, name string) {
	w.must(w.call("delete", r, name, "", nil, nil))
	w.a.Note("deleted %s %s", r.kind, name)
}

func (w *witness) get(r resource, name string) object {
	var out object
	w.must(w.call("get", r, name, "", nil, &out))
	return out
}

// list is what the server has in the namespace, by name.
func (w *witness) list(r resource) map[string]object {
	var out struct{ Items []object }
	w.must(w.call("list", r, "", "", nil, &out))
	all := map[string]object{}
	for _, o := range out.Items {
		if !others(o.name()) {
			all[o.name()] = o
		}
	}
	return all
}

// compact has etcd forget every version but the newest.
func (w *witness) compact() {
	w.must(w.post("/compact", nil, nil))
	w.a.Note("etcd is compacted: old versions are gone")
}

// advance writes to etcd until the versions have come to one.
func (w *witness) advance(to int) { w.must(w.post("/advance", map[string]any{"to": to}, nil)) }

// refuse has priority and fairness refuse every request of the learner's, or serve them again.
func (w *witness) refuse(refuse bool) {
	w.must(w.post("/crowd", map[string]any{"refuse": refuse}, nil))
	if refuse {
		w.a.Note("priority and fairness refuse the learner's client from now on: 429")
		return
	}
	w.a.Note("priority and fairness serve the learner's client")
}

// restart has the server killed, and returns when it is ready again.
func (w *witness) restart() {
	call := w.a.Call("kill and start the API server")
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	res, err := client.Post(w.site.Control+"/restart", "", nil)
	w.must(err)
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK {
		w.must(fmt.Errorf("%s: %s", res.Status, text))
	}
	call.Returned("it is ready")
}
