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
	t     *conform.T
	a     *conform.Actor
	ctx   context.Context
	store kit.Client[*kit.Pod]
}

func start(t *conform.T, s Subject, journals ...kit.Journal[*kit.Pod]) client {
	call := t.Call("New(Pods, %d journals)", len(journals))
	store := s.New(journals...)
	call.Returned("a store")
	return client{t, t.Actor, t.Context(), store}
}

// as is the same store, used by another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a = a
	return c
}

// answer is what a call returned.
type answer[R any] struct {
	t   *conform.T
	got R
	err error
}

func ask[R any](c client, call func() (R, error), format string, args ...any) answer[R] {
	got, err := conform.Do2(c.a, call, format, args...)
	return answer[R]{c.t, got, err}
}

// ok is the result of a call that has no reason to fail. It ends the case if the call failed.
func (a answer[R]) ok() R {
	require.NoError(a.t, a.err, "A call failed that has no reason to fail.")
	if p, is := any(a.got).(*kit.Pod); is && p == nil {
		a.t.Fatalf("A call returned neither an object nor an error.")
	}
	return a.got
}

// refused ends the case if the call, which is named in what, did not fail for that reason.
func (a answer[R]) refused(reason kit.Reason, what string) {
	if kit.ReasonFor(a.err) != reason {
		a.t.Fatalf("%s was not refused with %s: the error is %v.", what, reason, a.err)
	}
}

func (c client) create(p *kit.Pod) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Create(c.ctx, p) }, "Create(%s)", show(p))
}

func (c client) get(namespace, name string) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Get(c.ctx, namespace, name) }, "Get(%q, %q)", namespace, name)
}

func (c client) list(namespace string) answer[kit.List[*kit.Pod]] {
	call := c.a.Call("List(%q)", namespace)
	got, err := c.store.List(c.ctx, kit.ListOptions{Namespace: namespace})
	call.Returned("%d objects @%s, %v", len(got.Items), got.ResourceVersion, err)
	return answer[kit.List[*kit.Pod]]{c.t, got, err}
}

func (c client) update(p *kit.Pod) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Update(c.ctx, p) }, "Update(%s)", show(p))
}

func (c client) delete(namespace, name string) answer[*kit.Pod] {
	return c.deleteIf(namespace, name, kit.Preconditions{})
}

func (c client) deleteIf(namespace, name string, p kit.Preconditions) answer[*kit.Pod] {
	options := kit.DeleteOptions{Preconditions: p}
	return ask(c, func() (*kit.Pod, error) { return c.store.Delete(c.ctx, namespace, name, options) }, "Delete(%q, %q, %+v)", namespace, name, p)
}

// retry is RetryOnConflict with its call written into the history.
func retry(t *conform.T, s Subject, ctx context.Context, backoff kit.Backoff, f func() error) error {
	return conform.Do(t.Actor, func() error { return s.RetryOnConflict(ctx, backoff, f) }, "RetryOnConflict(%+v)", backoff)
}

// show is a pod with what decides what becomes of it.
func show(p *kit.Pod) string {
	s := fmt.Sprint(conform.Show(p))
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
	require.NoError(t, err, "The resource version %q is not a decimal number.", version)
	if n == 0 {
		t.Fatalf("A resource version is 0, which means any version to List and Watch.")
	}
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
