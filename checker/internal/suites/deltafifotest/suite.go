// Package deltafifotest is the conformance suite of lab 14. The subject is a
// kit.DeltaQueue made from two options, so client-go's DeltaFIFO can be put to the
// same cases behind a thin adapter: EmitDeltaTypeReplaced set, and a
// DeletedFinalStateUnknown unwrapped into the delta that carries it.
//
// It is stricter than upstream's own tests and no stricter than upstream's code.
// No case looks at what a call after Close returns or queues, at how much of its list a Replace
// has queued whose transformer failed, at the order of tombstones among themselves, or at
// whether process and the caller of Pop get one slice or two, lets the known objects change
// outside process, or has process or the transformer end its goroutine.
//
// Rules without a case: that tombstones never nest, because here a tombstone is a
// flag on a delta and cannot (a state that gets lost on the second Replace can, and
// has a case); and all rules of the RealFIFO, which the lesson shows and nobody
// builds here. Upstream bugs without a fault: the half of kubernetes#115620 that is
// about nesting, for the same reason; kubernetes#130767, because holding the lock while
// process runs is this queue's contract; and kubernetes#135462, because handing out a
// relist key by key is, too. These two are reasons for what the RealFIFO is today.
//
// What it can miss: memory that is kept of what was popped; an order of locks that
// fails only on schedules which 16 copies never meet; a Close or a HasSynced that takes
// no lock, which is not seen in every run; a count of the first list that overflows at 65536
// keys; a Pop that is woken for every delta and goes back to sleep, which wastes time and
// breaks no rule; a queue that asks for the known keys only once between two Pops, which
// nobody notices while only process changes them.
package deltafifotest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Queue is a DeltaFIFO of pods.
type Queue = kit.DeltaQueue[*kit.Pod]

// Options are the options of New.
type Options struct {
	KnownObjects kit.KnownObjects[*kit.Pod]
	Transformer  func(p *kit.Pod) (*kit.Pod, error)
}

// Subject is lab 14 as the suite sees it: how to make a queue.
type Subject struct {
	New func(options Options) Queue
}

// Lab describes lab 14 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "14-deltafifo",
		Title:  "The delta FIFO",
		Builds: "a queue that keeps, for every object, all that happened to it since somebody last looked",
		Files:  []string{"deltafifo.go"},
		Cases:  conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// client-go to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// client calls the subject and writes every call down as one actor of the history.
type client struct {
	a   *conform.Actor
	q   Queue
	due string // what the next Pop has to return, as the end of a sentence; may be ""

	last *string // the last call of this goroutine that may queue something; nil in other goroutines
}

// The errors of transformers and processes are compared by identity: an error whose
// Is says yes to everything must not pass for them.
var (
	errTransform = errors.New("the transformer's own error")
	errProcess   = errors.New("process's own error")
)

// ownPanic is what a process or a transformer panics with.
const ownPanic = "its own panic"

// start makes a queue. known may be nil.
func start(t *conform.T, s Subject, known cache) client {
	options := Options{}
	if known != nil {
		options.KnownObjects = known
	}
	return startWith(t, s, options)
}

func startWith(t *conform.T, s Subject, options Options) client {
	call := t.Call("New(known %v, transformer %t)", options.KnownObjects, options.Transformer != nil)
	q := s.New(options)
	call.Returned("a queue")
	return client{a: t.Actor, q: q, last: new(string)}
}

// as is the same queue in the hands of another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a, c.last = a, nil
	return c
}

// queues makes a call that may queue something.
func (c client) queues(call func() error, format string, args ...any) error {
	if c.last != nil {
		*c.last = fmt.Sprintf(format, args...)
	}
	return conform.Do(c.a, call, format, args...)
}

func (c client) add(p *kit.Pod) error {
	return c.queues(func() error { return c.q.Add(p) }, "Add(%s)", show(p))
}

func (c client) update(p *kit.Pod) error {
	return c.queues(func() error { return c.q.Update(p) }, "Update(%s)", show(p))
}

func (c client) delete(p *kit.Pod) error {
	return c.queues(func() error { return c.q.Delete(p) }, "Delete(%s)", show(p))
}

func (c client) replace(list ...*kit.Pod) error {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = show(p)
	}
	what := fmt.Sprint(names)
	if list == nil {
		what = "nil"
	}
	version := []string{"", "0", "5"}[len(list)%3] // which the queue does not use
	return c.queues(func() error { return c.q.Replace(list, version) }, "Replace(%s, %q)", what, version)
}

func (c client) resync() error   { return c.queues(c.q.Resync, "Resync()") }
func (c client) hasSynced() bool { return conform.Do(c.a, c.q.HasSynced, "HasSynced()") }
func (c client) close()          { c.a.Do(c.q.Close, "Close()") }

func (c client) pop(process kit.PopProcessFunc[*kit.Pod]) (kit.Deltas[*kit.Pod], error) {
	call := c.a.Call("Pop(process)")
	deltas, err := c.q.Pop(func(deltas kit.Deltas[*kit.Pod], isInInitialList bool) error {
		inside := c.a.Callback("process(%v, isInInitialList %t)", render(deltas), isInInitialList)
		defer inside.Returned("") // after a panic, too
		return process(deltas, isInInitialList)
	})
	call.Returned("%v, %v", render(deltas), err)
	return deltas, err
}

// take pops one key with a process that keeps into in step, if there is one, and
// requires that process and caller got the same.
func (c client) take(t *conform.T, into cache) (deltas kit.Deltas[*kit.Pod], initial bool) {
	var given []string
	called := false
	deltas, err := c.pop(func(d kit.Deltas[*kit.Pod], isInInitialList bool) error {
		called, given, initial = true, render(d), isInInitialList
		if into != nil {
			into.apply(d)
		}
		return nil
	})
	t.Require(called || err != kit.ErrFIFOClosed, "More is pending than was popped so far, and Pop returned kit.ErrFIFOClosed, as if nothing were%s.%s", c.due, c.after())
	t.Require(err == nil, "process got [%s] and returned no error, and Pop returned %s: with the deltas it returns the result of process.", strings.Join(given, ", "), conform.Said(err))
	t.Require(len(deltas) > 0, "Keys are pending, and Pop returned no deltas.")
	same(t, render(deltas), given, "process got these in the same Pop")
	return deltas, initial
}

// after says which call was the last that may have queued something, as a sentence.
func (c client) after() string {
	if c.last == nil || *c.last == "" {
		return ""
	}
	return " The last call that may queue something was " + *c.last + "."
}

// expect pops one key, requires that its deltas are want, and returns isInInitialList.
func (c client) expect(t *conform.T, want ...string) (initial bool) {
	return c.judgeNext(t, inOrder, want...)
}

// inOrder is why a Pop returns what it returns.
const inOrder = "these are queued for the key at the head of the queue, the oldest first"

// judgeNext is expect with a reason of its own.
func (c client) judgeNext(t *conform.T, why string, want ...string) (initial bool) {
	c.due = ": due was [" + strings.Join(want, ", ") + "]"
	if why != inOrder {
		c.due += " (" + why + ")"
	}
	deltas, initial := c.take(t, nil)
	c.judge(t, render(deltas), want, why)
	return initial
}

// judge requires which deltas a Pop returned. If they are others, it closes the queue and pops
// what is left before the case fails: whether deltas are lost or with another key is the point.
func (c client) judge(t *conform.T, got, want []string, why string) {
	if slices.Equal(got, want) {
		return
	}
	t.Breaks("Pop returned [%s], and should have returned [%s]", strings.Join(got, ", "), strings.Join(want, ", "))
	c.close()
	rest := "Nothing was left in the queue then."
	if left := c.rest(t); len(left) > 0 {
		rest = "Left in the queue was then: " + strings.Join(left, " ") + "."
	}
	t.Fatalf("Pop returned [%s], and should have returned [%s]: %s. %s", strings.Join(got, ", "), strings.Join(want, ", "), why, rest)
}

// rest pops what is left in a queue that is closed, and returns it, each key's in brackets.
func (c client) rest(t *conform.T) []string {
	const most = 10
	popped := make(chan string, most)
	t.Go("consumer", func(a *conform.Actor) {
		for range most {
			deltas, err := c.as(a).pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
			if err != nil {
				return
			}
			popped <- "[" + strings.Join(render(deltas), ", ") + "]"
		}
	})
	t.Wait()
	var left []string
	for range len(popped) {
		left = append(left, <-popped)
	}
	return left
}

// same requires which deltas a Pop returned.
func same(t *conform.T, got, want []string, why string) {
	t.Require(slices.Equal(got, want), "Pop returned [%s], and should have returned [%s]: %s.", strings.Join(got, ", "), strings.Join(want, ", "), why)
}

// end closes the queue and requires that nothing is pending.
func (c client) end(t *conform.T) {
	c.close()
	deltas, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
	t.Require(len(deltas) == 0, "Nothing should be pending any longer, and Pop returned %v.%s", render(deltas), c.after())
	closed(t, err)
}

// closed requires what Pop returns in the end.
func closed(t *conform.T, err error) {
	t.Require(err == kit.ErrFIFOClosed, "The queue is closed and nothing is pending, and Pop returned %s in place of kit.ErrFIFOClosed.", conform.Said(err))
}

// must ends the case if a call failed that has no reason to.
func must(t *conform.T, err error) {
	t.Require(err == nil, "A call on the queue returned %s, and has no reason to fail.", conform.Said(err))
}

// cache is the known objects as a consumer keeps them. It has no lock: the contract
// promises that none is needed, and the race detector holds a queue to that promise.
type cache map[string]*kit.Pod

func (c cache) ListKeys() []string { return slices.Sorted(maps.Keys(c)) }

func (c cache) GetByKey(key string) (*kit.Pod, bool) {
	p, ok := c[key]
	return p, ok
}

// apply does to the cache what an informer does to its indexer.
func (c cache) apply(deltas kit.Deltas[*kit.Pod]) {
	for _, d := range deltas {
		switch {
		case d.Object == nil:
		case d.Type == kit.DeltaDeleted:
			delete(c, kit.Key(d.Object))
		default:
			c[kit.Key(d.Object)] = d.Object
		}
	}
}

func (c cache) String() string {
	names := []string{}
	for _, key := range c.ListKeys() {
		names = append(names, show(c[key]))
	}
	return "[" + strings.Join(names, " ") + "]"
}

// holding is a cache of these pods.
func holding(pods ...*kit.Pod) cache {
	c := cache{}
	for _, p := range pods {
		c[kit.Key(p)] = p
	}
	return c
}

// pod is the pod of that name as it was at that version.
func pod(name string, version int) *kit.Pod {
	return &kit.Pod{ObjectMeta: kit.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: strconv.Itoa(version)}}
}

// another is an object of that name which has more than its version of its own.
func another(name string, version int) *kit.Pod {
	p := pod(name, version)
	p.UID, p.Generation = "another", int64(version)
	p.Labels = map[string]string{"another": "true"}
	p.Annotations = map[string]string{"another": "true"}
	p.OwnerReferences = []kit.OwnerReference{{Name: "another"}}
	p.Finalizers = []string{"another"}
	now := time.Unix(int64(version), 0)
	p.CreationTimestamp, p.DeletionTimestamp = now, &now
	p.Spec = kit.PodSpec{NodeName: "another", NodeSelector: p.Labels, Image: "another", CPU: 1, Memory: 1, Tolerations: p.Finalizers}
	p.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: now, Reason: "another", Restart: 1}
	return p
}

// unversioned is an object of that name without a resource version.
func unversioned(name string) *kit.Pod {
	p := pod(name, 0)
	p.ResourceVersion = ""
	return p
}

// node is an object of that name without a namespace, as it was at that version.
func node(name string, version int) *kit.Pod {
	p := pod(name, version)
	p.Namespace = ""
	return p
}

// elsewhere is an object of that name in another namespace, as it was at that version.
func elsewhere(name string, version int) *kit.Pod {
	p := pod(name, version)
	p.Namespace = "other"
	return p
}

// show is a pod as it stands in histories and expectations: a@3, or other/a@3.
func show(p *kit.Pod) string {
	switch {
	case p == nil:
		return "nil"
	case p.Namespace == "other":
		return kit.Key(p) + "@" + p.ResourceVersion
	}
	return p.Name + "@" + p.ResourceVersion
}

// render writes deltas as they stand in histories and expectations.
func render(deltas kit.Deltas[*kit.Pod]) []string {
	var lines []string
	for _, d := range deltas {
		lines = append(lines, renderOne(d))
	}
	return lines
}

func renderOne(d kit.Delta[*kit.Pod]) string {
	switch {
	case d.FinalStateUnknown && d.Type == kit.DeltaDeleted:
		return "Tombstone " + show(d.Object)
	case d.FinalStateUnknown:
		return fmt.Sprintf("%s %s (final state unknown)", d.Type, show(d.Object))
	}
	return fmt.Sprintf("%s %s", d.Type, show(d.Object))
}
