// Package schedulertest is the conformance suite of lab 21. A subject is a scheduler
// over a cluster that the suite plays: an API server with pods in it, and two informers
// that report pods and nodes when the case lets them. At every write the cluster checks
// whether a node is overcommitted.
//
// Every rule of the scheduler has a case. The order filter, score, assume, bind of the
// first is what gives-a-pod-a-node, highest-sum-wins, assumed-counts-at-once and
// binds-asynchronously see together. Each upstream bug has a fault: kubernetes#73078,
// #72122, #120622 and #127016.
//
// What it can miss: a scheduler that adds up all pods of a node for each attempt, which
// is right and slow; an order of locks that fails only on schedules which 16 copies
// never meet; a limit of bindings under way that is higher than the 260 of
// binds-asynchronously; a taint whose effect is none of the three; an overcommitted node
// where a shrinking node or a second scheduler takes part, because nobody can rule that out.
package schedulertest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The vocabulary of the lab, as the suite sees it: the bridge translates.
type (
	// NodeInfo is a node as a plugin sees it.
	NodeInfo struct {
		Node      *kit.Node
		Requested kit.Resources
	}

	// Filter says whether a pod may run on a node.
	Filter func(pod *kit.Pod, node NodeInfo) error

	// Score says how well a pod would run on a node.
	Score struct {
		Weight int64
		Score  func(pod *kit.Pod, node NodeInfo) int64
	}

	// Options are what a scheduler is made of.
	Options struct {
		Pods     kit.Client[*kit.Pod]
		Filters  []Filter
		Scores   []Score
		Less     func(a, b *kit.Pod) bool
		Workers  int
		Recorder kit.EventRecorder
	}

	// Pending is where the pods stand that wait for a node.
	Pending struct{ Active, Backoff, Unschedulable, InFlight int }

	// Scheduler is a subject's scheduler.
	Scheduler interface {
		PodHandler() kit.ResourceEventHandler[*kit.Pod]
		NodeHandler() kit.ResourceEventHandler[*kit.Node]
		Pending() Pending
		Run(ctx context.Context) error
	}
)

// Subject is lab 21 as the suite sees it.
type Subject struct {
	New        func(o Options) Scheduler
	ErrStarted error

	NodeResourcesFit, NodeSelector, TaintToleration, NodeUnschedulable, NodeReady Filter

	LeastAllocated, PreferUntainted func(pod *kit.Pod, node NodeInfo) int64

	NumFeasibleNodesToFind func(nodes int) int
}

// Lab describes lab 21 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "21-scheduler",
		Title:   "The scheduler",
		Builds:  "a controller that gives every pod a node and overloads no node: filter, score, assume, bind, and three queues",
		Files:   []string{"scheduler.go", "plugins.go", "queue.go", "cache.go", "attempt.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// world is a cluster with the subject as its scheduler.
type world struct {
	*cluster
	t      *conform.T
	s      Scheduler
	notes  *notebook
	cancel func()
	done   chan struct{}
	err    error // what Run has returned; read after done
}

// newWorld makes a scheduler that does not run yet, and starts the informers.
func newWorld(t *conform.T, s Subject, adjust ...func(o *Options)) *world {
	w := &world{t: t, cluster: newCluster(t), notes: &notebook{now: t.Elapsed, actor: t.Named("recorder")}, cancel: func() {}}
	o := Options{Pods: w.cluster, Recorder: w.notes}
	for _, change := range adjust {
		change(&o)
	}
	number := conform.Count(o.Workers, "worker")
	if o.Workers == 0 {
		number = "1 worker, by default"
	}
	call := t.Call("New(%s)", number)
	w.s = s.New(o)
	call.Returned("a scheduler")
	w.podFeed.start(t, "pod informer", w.s.PodHandler())
	w.nodeFeed.start(t, "node informer", w.s.NodeHandler())
	return w
}

// filters makes these the filters of a scheduler.
func filters(all ...Filter) func(o *Options) { return func(o *Options) { o.Filters = all } }

// workers sets how many workers a scheduler has.
func workers(n int) func(o *Options) { return func(o *Options) { o.Workers = n } }

// running makes a world and starts the scheduler when its handlers have heard of everything.
func running(t *conform.T, s Subject, nodes []*kit.Node, adjust ...func(o *Options)) *world {
	const few = 16 // objects to look after; in the worlds of other makers there are many
	w := newWorld(t, s, adjust...)
	w.lentPods, w.lentNodes = make([]lent[*kit.Pod], 0, few), make([]lent[*kit.Node], 0, few)
	for _, n := range nodes {
		w.addNode(n)
	}
	t.Wait()
	w.run()
	t.Wait()
	return w
}

// run starts Run.
func (w *world) run() {
	w.runWith(ctxOfRun(w.t))
}

// ctxOfRun is a ctx for Run, by which the client knows its calls, and what ends it.
func ctxOfRun(t *conform.T) (context.Context, context.CancelFunc) {
	known := &ctxHolder{}
	ctx, cancel := t.WithCancel(context.WithValue(t.Context(), ofRun{}, known), "the ctx of Run")
	known.ctx = ctx
	return ctx, cancel
}

// runWith starts Run with a ctx that cancel ends.
func (w *world) runWith(ctx context.Context, cancel func()) {
	w.cancel, w.done = cancel, make(chan struct{})
	w.t.Go("run", func(a *conform.Actor) {
		defer close(w.done)
		call := a.Call("Run(ctx)")
		w.err = w.s.Run(ctx)
		call.Returned("%v", w.err)
	})
}

// end cancels the ctx of Run, waits until Run has returned, and asks the cluster whether
// any rule was broken.
func (w *world) end() {
	w.cancel()
	if w.done != nil {
		<-w.done
		w.t.Require(w.err == nil, "The ctx of Run was cancelled, and Run returned %s. It should have returned nil.", conform.Said(w.err))
	}
	w.stopInformers()
	w.lawful()
	w.mu.Lock()
	defer w.mu.Unlock()
	written := cmp.Or(writtenTo("pod", w.lentPods), writtenTo("node", w.lentNodes))
	w.t.Require(written == "", "%s", written)
}

// ofRun is the key of a *ctxHolder that the ctx of Run has, and with it every one made from it.
type ofRun struct{}

// ctxHolder has the ctx of Run.
type ctxHolder struct{ ctx context.Context }

// lawful requires that no write has broken a rule.
func (w *world) lawful() {
	w.mu.Lock()
	broken := w.broken
	w.mu.Unlock()
	w.t.Require(broken == "", "%s", broken)
}

// pass lets so much time go by.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	w.t.Wait()
}

func (w *world) pending() Pending {
	call := w.t.Call("Pending()")
	p := w.s.Pending()
	call.Returned("%s", queues(p))
	return p
}

// waits requires that this is where the pending pods stand. Message is a sentence, as for all
// that follow.
func (w *world) waits(want Pending, message string) {
	got := w.pending()
	w.t.Require(got == want, "%s Pending says: %s. It should say: %s.", message, queues(got), queues(want))
}

// runsOn requires that a pod has that node in the cluster: "" for none.
func (w *world) runsOn(name, node, message string) {
	got := w.nodeOf(name)
	w.t.Require(got == node, "%s Pod %s is on %s, and should be on %s.", message, name, where(got), where(node))
}

// told requires that these were the events about a pod so far.
func (w *world) told(name, message string, want ...string) {
	got := w.notes.reasons(name)
	w.t.Require(slices.Equal(got, want), "%s The events about pod %s are: %s. They should be: %s.", message, name, counted(got), counted(want))
}

// updates requires that Update was called so often.
func (w *world) updates(want int, message string) {
	got := w.updated()
	w.t.Require(got == want, "%s Update was called %s, and should have been called %s.", message, times(got), times(want))
}

// rests asserts that a rest took from least to a little more, as the contract allows it.
func rests(t *conform.T, took, least time.Duration, message string) {
	const grace = 1100 * time.Millisecond
	t.Assert(took >= least, "%s It was tried again after %v, too early: its backoff is %v.", message, took, least)
	t.Assert(took <= least+grace, "%s It was tried again after %v, too late: its backoff is %v, and a second is allowed.", message, took, least)
}

// counted are texts in words, with the number of those that are alike in a row.
func counted(texts []string) string {
	var words []string
	for len(texts) > 0 {
		n := 1
		for n < len(texts) && texts[n] == texts[0] {
			n++
		}
		word := texts[0]
		if n > 2 {
			word += " " + times(n)
		}
		if words = append(words, word); n == 2 {
			words = append(words, word)
		}
		texts = texts[n:]
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
