// Package storetest is the conformance suite of lab 07.
//
// What it can miss: a write that is lost only on a schedule that thirty-two copies
// on this machine never meet; a List that copies under the lock, which is slow
// and breaks no rule; a suffix or a UID that is random but not random enough; a
// generated name that is not looked up, for that takes tens of thousands of objects.
// "A watch from the list's version sees every later change" is asked of lists and
// journals here, and of watches in lab 08.
package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 07 as the suite sees it.
type Subject struct {
	New             func(journals ...kit.Journal[*kit.Pod]) kit.Client[*kit.Pod]
	RetryOnConflict func(ctx context.Context, backoff kit.Backoff, f func() error) error
	DefaultRetry    kit.Backoff
	DefaultBackoff  kit.Backoff
}

// Lab describes lab 07 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "07-store",
		Title:  "The store",
		Builds: "a versioned object store with optimistic concurrency, finalizers and conflict retry",
		Files:  []string{"store.go", "retry.go"},
		Imports: []string{
			"cmp", "context", "crypto/rand", "encoding/binary", "encoding/hex", "errors", "fmt", "maps", "math", "math/rand", "math/rand/v2",
			"slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time",
		},
		Cases: conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// Kubernetes libraries.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// client is a store whose calls are written into the history of one actor.
type client struct {
	a     *conform.Actor
	ctx   context.Context
	store kit.Client[*kit.Pod]
}

func start(t *conform.T, s Subject, journals ...kit.Journal[*kit.Pod]) client {
	call := t.Call("New(Pods, %d journals)", len(journals))
	store := s.New(journals...)
	call.Returned("a store")
	return client{a: t.Actor, ctx: t.Context(), store: store}
}

// as is the same store, used by another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a = a
	return c
}

func (c client) create(p *kit.Pod) (*kit.Pod, error) {
	call := c.a.Call("Create(%s)", show(p))
	got, err := c.store.Create(c.ctx, p)
	call.Returned("%s", result(got, err))
	return got, err
}

func (c client) get(namespace, name string) (*kit.Pod, error) {
	call := c.a.Call("Get(%q, %q)", namespace, name)
	got, err := c.store.Get(c.ctx, namespace, name)
	call.Returned("%s", result(got, err))
	return got, err
}

func (c client) list(namespace string) (kit.List[*kit.Pod], error) {
	call := c.a.Call("List(%q)", namespace)
	got, err := c.store.List(c.ctx, kit.ListOptions{Namespace: namespace})
	call.Returned("%d objects at %s, %v", len(got.Items), got.ResourceVersion, err)
	return got, err
}

func (c client) update(p *kit.Pod) (*kit.Pod, error) {
	call := c.a.Call("Update(%s)", show(p))
	got, err := c.store.Update(c.ctx, p)
	call.Returned("%s", result(got, err))
	return got, err
}

func (c client) delete(namespace, name string) (*kit.Pod, error) {
	return c.deleteIf(namespace, name, kit.Preconditions{})
}

func (c client) deleteIf(namespace, name string, p kit.Preconditions) (*kit.Pod, error) {
	call := c.a.Call("Delete(%q, %q, %+v)", namespace, name, p)
	got, err := c.store.Delete(c.ctx, namespace, name, kit.DeleteOptions{Preconditions: p})
	call.Returned("%s", result(got, err))
	return got, err
}

// retry is RetryOnConflict with its call written into the history.
func retry(t *conform.T, s Subject, ctx context.Context, backoff kit.Backoff, f func() error) error {
	call := t.Call("RetryOnConflict(%+v)", backoff)
	err := s.RetryOnConflict(ctx, backoff, f)
	call.Returned("%v", err)
	return err
}

func show(p *kit.Pod) string {
	s := fmt.Sprintf("%s@%s", kit.Key(p), p.ResourceVersion)
	if p.Name == "" {
		s = p.GenerateName + "*" + s
	}
	if len(p.Finalizers) > 0 {
		s += fmt.Sprintf(" finalizers %v", p.Finalizers)
	}
	if p.DeletionTimestamp != nil {
		s += " deleting"
	}
	return s
}

func result(p *kit.Pod, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case p == nil:
		return "nil, nil"
	}
	return show(p)
}

// pod is a new pod with something in every kind of field.
func pod(namespace, name string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name = namespace, name
	p.Labels = map[string]string{"app": "web"}
	p.Annotations = map[string]string{"note": "first"}
	p.Spec.Image = "nginx:1"
	p.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	p.Spec.Tolerations = []string{"spot"}
	return p
}

// number is a version as a number; the contract says that it is one.
func number(t *conform.T, version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	require.NoError(t, err, "A resource version is not a decimal number.")
	require.NotZero(t, n, "A resource version is 0, which means any version to List and Watch.")
	return n
}

// same requires that two pods say the same, in JSON. The difference that testify
// prints would follow pointers into memory that other goroutines may still use, and a
// wrong answer would be reported as a data race.
func same(t *conform.T, want, got *kit.Pod, sentence string, args ...any) {
	require.Equal(t, text(want), text(got), append([]any{sentence}, args...)...)
}

func text(p *kit.Pod) string {
	out, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic(err) // a type of the kit
	}
	return string(out)
}

// texts is a list of pods for a comparison.
func texts(list kit.List[*kit.Pod]) []string {
	out := []string{}
	for _, p := range list.Items {
		out = append(out, text(p))
	}
	return out
}

// must ends the case if a call that has no reason to fail did.
func must(t *conform.T, p *kit.Pod, err error) *kit.Pod {
	require.NoError(t, err, "A call failed that has no reason to fail.")
	require.NotNil(t, p, "A call returned neither an object nor an error.")
	return p
}

// note is one change as a journal got it.
type note struct {
	what    kit.EventType
	version string
	pod     *kit.Pod // as it was handed over
	then    *kit.Pod // a copy of what it said at that moment
}

// journal keeps all it gets. It has no lock: the contract promises one call at
// a time, each ordered after the one before, and the race detector holds a store
// to that promise.
type journal struct{ notes []note }

func (j *journal) Commit(e kit.Event[*kit.Pod]) {
	j.notes = append(j.notes, note{e.Type, e.Object.ResourceVersion, e.Object, e.Object.DeepCopy()})
}
