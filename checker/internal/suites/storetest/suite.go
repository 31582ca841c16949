// Package storetest is the conformance suite of lab 07.
//
// What it can miss: a write that is lost only on a schedule that sixteen copies
// on this machine never meet; a List that copies under the lock, which is slow
// and breaks no rule; a suffix or a UID that is random but not random enough, though a UID
// of two bytes is found; a generated name that is not looked up, or not often enough, for
// that takes tens of thousands of objects, and so does a limit of five thousand; keys that
// are mistaken for each other where a name has a slash, as no name in Kubernetes has. It
// leaves open whether a version with zeros in front is the same version, and whether two
// journals may be called at the same time.
// "A watch from the list's version sees every later change" is asked of lists and
// journals here, and of watches in lab 08.
package storetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 07 as the suite sees it.
type Subject struct {
	New             func(typ kit.Type[*kit.Pod], journals ...kit.Journal[*kit.Pod]) kit.Client[*kit.Pod]
	RetryOnConflict func(ctx context.Context, backoff kit.Backoff, f func() error) error
	DefaultRetry    kit.Backoff
	DefaultBackoff  kit.Backoff
}

// Lab describes lab 07 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "07-store",
		Title:   "The store",
		Builds:  "a versioned object store with optimistic concurrency, finalizers and conflict retry",
		Files:   []string{"store.go", "retry.go"},
		Imports: []string{"crypto/rand", "encoding/binary", "encoding/hex", "time"},
		Cases:   conform.Describe(Cases()),
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
	return startOf(t, s, kit.Pods, journals...)
}

// startOf is start with a Type of the case's own for pods.
func startOf(t *conform.T, s Subject, typ kit.Type[*kit.Pod], journals ...kit.Journal[*kit.Pod]) client {
	call := t.Call("New(Pods, %s)", conform.Count(len(journals), "journal"))
	store := s.New(typ, journals...)
	call.Returned("a store")
	return client{t, t.Actor, t.Context(), store}
}

// unhurried is kit.Pods, with functions during which other goroutines run: they get in wherever
// the store has let go of its lock.
func unhurried() kit.Type[*kit.Pod] {
	typ := kit.Pods
	typ.DeepCopy = func(p *kit.Pod) *kit.Pod { othersFirst(); return kit.Pods.DeepCopy(p) }
	typ.Created = func(p *kit.Pod) (string, time.Time) { othersFirst(); return kit.Pods.Created(p) }
	typ.Deleting = func(p *kit.Pod) *time.Time { othersFirst(); return kit.Pods.Deleting(p) }
	typ.SameSpec = func(a, b *kit.Pod) bool { othersFirst(); return kit.Pods.SameSpec(a, b) }
	typ.Equal = func(a, b *kit.Pod) bool { othersFirst(); return kit.Pods.Equal(a, b) }
	return typ
}

// othersFirst lets other goroutines run.
func othersFirst() {
	for range 3 {
		runtime.Gosched()
	}
}

// as is the same store, used by another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a = a
	return c
}

// answer is what a call returned.
type answer[R any] struct {
	t    *conform.T
	call string
	got  R
	err  error
}

// ask makes a call that returns a pod.
func ask(c client, do func() (*kit.Pod, error), format string, args ...any) answer[*kit.Pod] {
	text := fmt.Sprintf(format, args...)
	call := c.a.Call("%s", text)
	got, err := do()
	if err == nil || got != nil {
		call.Returned("%s%s", show(got), failed(err))
	} else {
		call.Returned("%s", brief(err))
	}
	return answer[*kit.Pod]{c.t, text, got, err}
}

// brief is an error as histories have it: its reason says what it is about.
func brief(err error) string {
	if reason := kit.ReasonFor(err); reason != "" {
		return string(reason)
	}
	return fmt.Sprint(err)
}

// failed is what brief adds to a result that should not be there.
func failed(err error) string {
	if err == nil {
		return ""
	}
	return " with the error " + brief(err)
}

// ok is the result of a call that has no reason to fail. It ends the case if the call failed.
func (a answer[R]) ok() R {
	a.t.Require(a.err == nil, "%s failed, and has no reason to: %v.", a.call, a.err)
	if p, is := any(a.got).(*kit.Pod); is && p == nil {
		a.t.Fatalf("%s returned neither an object nor an error.", a.call)
	}
	return a.got
}

// refused ends the case if the call, which is named in what, did not fail for that reason.
func (a answer[R]) refused(reason kit.Reason, what string) {
	switch got := kit.ReasonFor(a.err); {
	case a.err == nil:
		a.t.Fatalf("%s succeeded, and must be refused with %s.", what, reason)
	case got != reason:
		a.t.Fatalf("%s must be refused with %s, and failed with %s: %v.", what, reason, cmp.Or(string(got), "another error"), a.err)
	}
}

func (c client) create(p *kit.Pod) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Create(c.ctx, p) }, "Create(%s)", show(p))
}

func (c client) get(namespace, name string) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Get(c.ctx, namespace, name) }, "Get(%q, %q)", namespace, name)
}

func (c client) list(namespace string) answer[kit.List[*kit.Pod]] {
	return c.listWith(kit.ListOptions{Namespace: namespace})
}

func (c client) listWith(options kit.ListOptions) answer[kit.List[*kit.Pod]] {
	text := fmt.Sprintf("List(%q)", options.Namespace)
	if options.ResourceVersion != "" {
		text += " from version " + options.ResourceVersion
	}
	if options.SendInitialEvents {
		text += " with SendInitialEvents"
	}
	if options.TimeoutSeconds != 0 {
		text += fmt.Sprintf(" with TimeoutSeconds %d", options.TimeoutSeconds)
	}
	call := c.a.Call("%s", text)
	got, err := c.store.List(c.ctx, options)
	if err != nil {
		call.Returned("%s", brief(err))
	} else {
		call.Returned("%s @%s", conform.Show(got.Items), got.ResourceVersion)
	}
	return answer[kit.List[*kit.Pod]]{c.t, text, got, err}
}

func (c client) update(p *kit.Pod) answer[*kit.Pod] {
	return ask(c, func() (*kit.Pod, error) { return c.store.Update(c.ctx, p) }, "Update(%s)", show(p))
}

func (c client) delete(namespace, name string) answer[*kit.Pod] {
	return c.deleteIf(namespace, name, kit.Preconditions{})
}

func (c client) deleteIf(namespace, name string, p kit.Preconditions) answer[*kit.Pod] {
	options := kit.DeleteOptions{Preconditions: p}
	when := ""
	if p.UID != "" {
		when += fmt.Sprintf(" if its UID is %q", p.UID)
	}
	if p.ResourceVersion != "" {
		when += fmt.Sprintf(" if its version is %s", p.ResourceVersion)
	}
	return ask(c, func() (*kit.Pod, error) { return c.store.Delete(c.ctx, namespace, name, options) }, "Delete(%q, %q)%s", namespace, name, when)
}

// retry is RetryOnConflict with its call written into the history.
func retry(t *conform.T, s Subject, ctx context.Context, backoff kit.Backoff, f func() error) error {
	a := t.Named("f")
	tries := 0
	recorded := func() error {
		tries++
		try := a.Call("try %d", tries)
		err := f()
		try.Returned("%s", brief(err))
		return err
	}
	call := t.Call("RetryOnConflict(%s)", showBackoff(backoff))
	err := s.RetryOnConflict(ctx, backoff, recorded)
	call.Returned("%s", brief(err))
	return err
}

// showBackoff is a backoff without what it leaves out.
func showBackoff(b kit.Backoff) string {
	s := fmt.Sprintf("%d steps of %v", b.Steps, b.Duration)
	if b.Factor > 1 {
		s += fmt.Sprintf(", each %v times the one before", b.Factor)
	}
	if b.Jitter > 0 {
		s += fmt.Sprintf(", jitter %v", b.Jitter)
	}
	if b.Cap > 0 {
		s += fmt.Sprintf(", capped at %v", b.Cap)
	}
	return s
}

// show is a pod with what decides what becomes of it.
func show(p *kit.Pod) string {
	s := fmt.Sprint(conform.Show(p))
	switch {
	case p == nil:
		return s
	case p.Name == "" && p.GenerateName == "":
		s += " without a name"
	case p.Name == "" && len(p.GenerateName) > 80:
		s += fmt.Sprintf("%s… (%d characters)*", p.GenerateName[:8], len(p.GenerateName))
	case p.Name == "":
		s += p.GenerateName + "*"
	}
	if len(p.Finalizers) > 0 {
		s += fmt.Sprintf(" finalizers %v", p.Finalizers)
	}
	if p.DeletionTimestamp != nil {
		s += " deleting"
	}
	if p.Generation > 1 {
		s += fmt.Sprintf(" generation %d", p.Generation)
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
	t.Require(err == nil, "The resource version %q is not a decimal number of 64 bits: %v.", version, err)
	if n == 0 {
		t.Fatalf("A resource version is 0, which means any version to List and Watch.")
	}
	return n
}

// same requires that two pods say the same, in JSON: a map that is empty and one that is
// not there are the same to a reader.
func same(t *conform.T, want, got *kit.Pod, sentence string, args ...any) {
	t.Same(plain(want), plain(got), sentence, args...)
}

// plain is a pod as it comes out of its JSON.
func plain(p *kit.Pod) *kit.Pod {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a type of the kit
	}
	out := kit.Pods.New()
	if err := json.Unmarshal(text, out); err != nil {
		panic(err) // its own JSON
	}
	return out
}

// plainly are pods by their keys, each plain.
func plainly(pods []*kit.Pod) map[string]*kit.Pod {
	out := map[string]*kit.Pod{}
	for _, p := range pods {
		out[kit.Key(p)] = plain(p)
	}
	return out
}

// note is one change as a journal got it.
type note struct {
	what    kit.EventType
	version string
	status  *kit.Status
	pod     *kit.Pod // as it was handed over
	then    *kit.Pod // a copy of what it said at that moment
	journal string   // the name of the journal
}

// journal keeps all it gets. It has no lock: the contract promises one call at
// a time, each ordered after the one before, and the race detector holds a store
// to that promise.
type journal struct {
	name  string
	a     *conform.Actor
	notes []note
}

// journalOf makes a journal whose changes are written into the history.
func journalOf(t *conform.T, name string) *journal {
	return &journal{name: name, a: t.Named("%s", name)}
}

// unhurriedJournal is a journal during whose calls other goroutines run.
type unhurriedJournal struct{ *journal }

func (j unhurriedJournal) Commit(e kit.Event[*kit.Pod]) {
	othersFirst()
	j.journal.Commit(e)
}

func (j *journal) Commit(e kit.Event[*kit.Pod]) {
	j.a.Note("gets %s %s", e.Type, conform.Show(e.Object))
	j.notes = append(j.notes, note{e.Type, e.Object.ResourceVersion, e.Status, e.Object, e.Object.DeepCopy(), j.name})
}
