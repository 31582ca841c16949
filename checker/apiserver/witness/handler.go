package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

func decode(text []byte, into any) error { return json.Unmarshal(text, into) }

func (w *witness) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /do", answer(w.do))
	mux.Handle("POST /namespace", answer(func(ctx context.Context, _ struct{}) (any, error) { return w.namespace(ctx) }))
	mux.Handle("POST /compact", answer(w.compact))
	mux.Handle("POST /crowd", answer(w.crowd))
	mux.Handle("POST /advance", answer(w.advance))
	if !w.config.Own {
		mux.Handle("/cluster/", http.StripPrefix("/cluster", w.proxy()))
	}
	return w.authorized(mux)
}

// answer makes a handler of a function: a JSON value in, a JSON value or a Status out.
func answer[T any](f func(ctx context.Context, in T) (any, error)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		var in T
		if err := json.NewDecoder(req.Body).Decode(&in); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := f(req.Context(), in)
		rw.Header().Set("Content-Type", "application/json")
		if err != nil {
			status := apierrors.NewInternalError(err).Status()
			var refused apierrors.APIStatus
			if errors.As(err, &refused) {
				status = refused.Status()
			}
			rw.WriteHeader(int(status.Code))
			_ = json.NewEncoder(rw).Encode(status)
			return
		}
		_ = json.NewEncoder(rw).Encode(out)
	})
}

// request is one call of client-go's dynamic client.
type request struct {
	Verb        string         `json:"verb"` // create, get, list, update, patch, delete
	Group       string         `json:"group"`
	Version     string         `json:"version"`
	Resource    string         `json:"resource"`
	Subresource string         `json:"subresource"`
	Namespace   string         `json:"namespace"`
	Name        string         `json:"name"`
	Object      map[string]any `json:"object"` // of create and update; of patch, a merge patch
	Options     map[string]any `json:"options"`
}

// do carries a request out, and only in a namespace that this run has made.
func (w *witness) do(ctx context.Context, r request) (any, error) {
	w.mu.Lock()
	own := w.namespaces[r.Namespace]
	w.mu.Unlock()
	if !own {
		return nil, fmt.Errorf("namespace %q was not made by this run", r.Namespace)
	}
	at := w.dynamic.Resource(schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}).Namespace(r.Namespace)
	var sub []string
	if r.Subresource != "" {
		sub = []string{r.Subresource}
	}
	switch r.Verb {
	case "create":
		return at.Create(ctx, &unstructured.Unstructured{Object: r.Object}, metav1.CreateOptions{}, sub...)
	case "get":
		return at.Get(ctx, r.Name, metav1.GetOptions{}, sub...)
	case "list":
		return at.List(ctx, metav1.ListOptions{})
	case "update":
		return at.Update(ctx, &unstructured.Unstructured{Object: r.Object}, metav1.UpdateOptions{}, sub...)
	case "patch":
		patch, err := json.Marshal(r.Object)
		if err != nil {
			return nil, err
		}
		return at.Patch(ctx, r.Name, types.MergePatchType, patch, metav1.PatchOptions{}, sub...)
	case "delete":
		now := int64(0)
		return struct{}{}, at.Delete(ctx, r.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	}
	return nil, fmt.Errorf("there is no verb %q", r.Verb)
}

// compact has etcd forget every revision but the newest, as it does by itself every five
// minutes, and returns that revision.
func (w *witness) compact(ctx context.Context, _ struct{}) (any, error) {
	if w.etcd == nil {
		return nil, errors.New("this run does not know the etcd of the cluster")
	}
	got, err := w.etcd.Get(ctx, "compact_rev_key")
	if err != nil {
		return nil, err
	}
	_, err = w.etcd.Compact(ctx, got.Header.Revision)
	return got.Header.Revision, err
}

// crowd has priority and fairness refuse every request of the user crowd, or serve them again.
// A level without shares serves one request at a time all the same. So one is begun that
// never ends: the server waits for its body.
func (w *witness) crowd(ctx context.Context, in struct{ Refuse bool }) (any, error) {
	if w.release != nil {
		w.release()
		w.release = nil
	}
	shares := int32(30)
	if in.Refuse {
		shares = 0
	}
	if err := w.level(ctx, shares); err != nil || !in.Refuse {
		return struct{}{}, err
	}
	return struct{}{}, w.occupy()
}

// occupy begins a request of the user crowd that lasts until release is called, or the
// server loses patience, after a minute.
func (w *witness) occupy() error {
	config := rest.CopyConfig(w.rest)
	config.BearerToken = w.config.Crowd
	transport, err := rest.TransportFor(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	body, never := io.Pipe()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.rest.Host+"/api/v1/namespaces/default/configmaps", body)
	if err != nil {
		cancel()
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	w.release = func() { cancel(); _ = never.Close() }
	go func() {
		if res, err := transport.RoundTrip(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	return nil
}

// level sets how much of the server the user crowd may have.
func (w *witness) level(ctx context.Context, shares int32) error {
	flow, none := w.clients.FlowcontrolV1(), int32(0)
	level := &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "controllerbook-crowd"},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: &shares, LendablePercent: &none, BorrowingLimitPercent: &none,
				LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
			},
		},
	}
	old, err := flow.PriorityLevelConfigurations().Get(ctx, level.Name, metav1.GetOptions{})
	if err == nil {
		level.ResourceVersion = old.ResourceVersion
		_, err = flow.PriorityLevelConfigurations().Update(ctx, level, metav1.UpdateOptions{})
		return err
	}
	if _, err := flow.PriorityLevelConfigurations().Create(ctx, level, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err = flow.FlowSchemas().Create(ctx, crowdSchema(level.Name), metav1.CreateOptions{})
	return err
}

func crowdSchema(level string) *flowcontrolv1.FlowSchema {
	every := []string{"*"}
	return &flowcontrolv1.FlowSchema{
		ObjectMeta: metav1.ObjectMeta{Name: level},
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: level},
			MatchingPrecedence:         100,
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects:      []flowcontrolv1.Subject{{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: "crowd"}}},
				ResourceRules: []flowcontrolv1.ResourcePolicyRule{{Verbs: every, APIGroups: every, Resources: every, Namespaces: every, ClusterScope: true}},
			}},
		},
	}
}

// proxy is the learner's way to a cluster of a kubeconfig: it adds what the kubeconfig
// authenticates with, and nothing else.
func (w *witness) proxy() http.Handler {
	target, err := url.Parse(strings.TrimRight(w.rest.Host, "/"))
	if err != nil {
		return http.NotFoundHandler()
	}
	if target.Scheme == "" {
		target, _ = url.Parse("https://" + w.rest.Host)
	}
	transport, err := rest.TransportFor(w.rest)
	if err != nil {
		return http.NotFoundHandler()
	}
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Authorization") },
		Transport:     transport,
		FlushInterval: -1, // a watch
	}
}

// advance writes to etcd, beside everything that the server keeps there, until its revision,
// which is the server's resource version, is the one that was asked for.
func (w *witness) advance(ctx context.Context, in struct{ To int64 }) (any, error) {
	if w.etcd == nil {
		return nil, errors.New("this run does not know the etcd of the cluster")
	}
	for {
		put, err := w.etcd.Put(ctx, "/controllerbook/advance", "")
		if err != nil || put.Header.Revision >= in.To {
			return struct{}{}, err
		}
	}
}
