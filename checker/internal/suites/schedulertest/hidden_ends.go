package schedulertest

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func runEnds(t *conform.T, open func() Subject) {
	s := open()
	looking, binding := newGate(t, "a filter"), newGate(t, "Update of the client")
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "tried" {
			looking.pass()
		}
		return nil
	}))
	hung := w.hangs(binding)
	err := w.runAgain("a second time")
	t.Require(err == s.ErrStarted, "Run was called a second time, while the first is under way, and returned %s. It should have returned ErrStarted itself, not wrapped.", conform.Said(err))
	for _, name := range []string{"bound", "tried", "waits"} {
		w.addPods(newPod(name))
		t.Wait()
	}
	w.cancel()
	<-binding.reached
	t.Wait()
	t.Require(!hung.Load(), "An Update hung, as it may until its ctx ends. The ctx of Run was cancelled, and a minute later that of Update had not ended: Update was not called with the ctx of Run, nor with one that ends with it.")
	t.Require(!over(w.done), "The ctx of Run was cancelled while a filter and an Update were under way. Run returned at once, and should have waited for both.")
	looking.unlock()
	w.pass(time.Minute)
	t.Require(!over(w.done), "The ctx of Run was cancelled while a filter and an Update were under way. Run returned when the filter had, and should have waited for the Update, too.")
	binding.unlock()
	w.pass(time.Minute)
	t.Require(over(w.done), "The ctx of Run was cancelled, and the last call ended a minute ago. Run has not returned.")
	w.runsOn("waits", "", "A pod was taken after the end of ctx.")
	w.noneInFlight()
	w.addPods(newPod("late"))
	w.addNode(newNode("m", 9))
	w.pass(time.Minute)
	t.Require(w.updated() <= 2, "At the end of the ctx of Run two pods were being tried or bound. Update was called %s: a pod was taken after that end.", times(w.updated()))
	err = w.runAgain("after the first")
	t.Require(err == s.ErrStarted, "Run was called again, after the first had returned, and returned %s. It should have returned ErrStarted.", conform.Said(err))
	w.end()
	endsElsewhere(t, open)
}

// hangs has each Update wait for the end of its ctx, and then for the gate. What it returns is true if one has waited for
// a minute.
func (w *world) hangs(g *gate) *atomic.Bool {
	hung := &atomic.Bool{}
	w.answer(func(ctx context.Context, _ *kit.Pod) outcome {
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute): // this is not the ctx of Run, which ends at once
			hung.Store(true)
		}
		g.pass()
		return outcome{err: ctx.Err()}
	})
	return hung
}

// endsElsewhere has Run end at other moments.
func endsElsewhere(t *conform.T, open func() Subject) {
	for range 10 { // in a select with two ready cases chance decides
		endsBeforeItBegins(t, open())
	}
	endsWithItsCalls(t, open)
	endsThoughGetHangs(t, open())
	endsInAFilter(t, open)
	endsInLess(t, open)
	endsWithTheLastBinding(t, open)
	endsWhileItIsAsked(t, open)
	endsByItself(t, open)
	neverRuns(t, open())
	overWithRun(t, open)
	nobodyAsksLater(t, open)
}

// endsByItself has the ctx of Run end at a deadline, and with a cause of its own.
func endsByItself(t *conform.T, open func() Subject) {
	for _, deadline := range []bool{true, false} {
		t.Note("next: the ctx of Run ends after a minute, by a deadline: %t", deadline)
		w := newWorld(t, open())
		known := &ctxHolder{}
		parent, cause := context.WithCancelCause(context.WithValue(t.Context(), ofRun{}, known))
		how, after := "was cancelled with a cause", time.Hour
		if deadline {
			how, after = "has ended at its deadline", time.Minute
		}
		ctx, cancel := t.WithTimeout(parent, after, "the ctx of Run")
		known.ctx = ctx
		w.runWith(ctx, cancel)
		w.pass(59 * time.Second)
		t.Require(!over(w.done), "The ctx of Run has not ended, and Run has returned.")
		if !deadline {
			cause(errors.New("another scheduler leads now"))
		}
		w.pass(2 * time.Second)
		t.Require(over(w.done), "The ctx of Run %s, and Run has not returned.", how)
		t.Require(w.err == nil, "The ctx of Run %s, and Run returned %s. It should have returned nil.", how, conform.Said(w.err))
		cause(nil)
		w.end()
	}
}

// neverRuns makes a scheduler, tells its handlers of a node and of a pod, and never calls Run. A goroutine that
// is there all the same is left when the case ends.
func neverRuns(t *conform.T, s Subject) {
	t.Note("next: a scheduler is made, and Run is never called")
	w := newWorld(t, s)
	w.addNode(newNode("n", 9))
	w.addPods(newPod("a"))
	going, failed := newPod("going"), newPod("failed")
	marked(going)
	fails(failed)
	w.addPods(going, failed)
	w.pass(time.Minute)
	w.waits(Pending{Active: 1}, "Run was not called. Pod a waits for a node. Pod going is being deleted, and pod failed has ended.")
	w.end()
}

// noneInFlight requires that all attempts have ended, after Run.
func (w *world) noneInFlight() {
	p := w.pending()
	w.t.Require(p.InFlight == 0, "Run has returned, so all attempts have ended, and a pod whose attempt is over is not in flight. Pending says: %s.", queues(p))
}

// endsBeforeItBegins calls Run with a ctx that has ended, and then once more.
func endsBeforeItBegins(t *conform.T, s Subject) {
	w := newWorld(t, s)
	ctx, cancel := ctxOfRun(t)
	cancel()
	w.addPods(newPod("early"))
	t.Wait()
	w.runWith(ctx, cancel)
	<-w.done
	w.waits(Pending{Active: 1}, "The ctx of Run had ended before Run was called, and a pod was active. No pod is taken after the end of ctx.")
	w.addPods(newPod("a"))
	t.Wait()
	w.waits(Pending{Active: 2}, "Run has returned. A handler may be called afterwards, and a pod came that has no node: it is pending.")
	w.changePod("early", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed })
	w.deletePod("a", false)
	t.Wait()
	w.waits(Pending{}, "Run has returned. A handler may be called afterwards: one of two active pods has failed, and the other was deleted.")
	err := w.runAgain("after the first, whose ctx had ended before")
	t.Require(err == s.ErrStarted, "The ctx of the first Run had ended before, and it returned nil. Run was called again and returned %s. A scheduler runs once, so it should have returned ErrStarted.", conform.Said(err))
	w.end()
}

// runAgain calls Run once more.
func (w *world) runAgain(when string) error {
	call := w.t.Call("Run(ctx), %s", when)
	ctx, cancel := context.WithCancel(w.t.Context())
	defer time.AfterFunc(time.Minute, cancel).Stop() // a Run that should not have begun ends, too
	before := w.t.Elapsed()
	err := w.s.Run(ctx)
	call.Returned("%v", err)
	took := w.t.Elapsed() - before
	w.t.Require(took < time.Second, "Run was called %s. It returned after %v, and should have returned ErrStarted at once.", when, took)
	return err
}

// over reports whether a channel is closed.
func over(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// underWay are calls that have not returned when the ctx of Run is cancelled: what the filter
// says before, and what the Update.
var underWay = []struct {
	call         string
	fits, update error
}{
	{"a filter", nil, nil},
	{"Update of the client", nil, nil},
	{"Get of the client", nil, errors.New("no route to the server")},
	{"the Recorder", nil, nil},
	{"the Recorder", nil, errors.New("no route to the server")},
	{"the Recorder", errors.New("no"), nil},
}

// endsWithItsCalls cancels the ctx of Run while something in Options is called, and expects
// Run to wait for it.
func endsWithItsCalls(t *conform.T, open func() Subject) {
	for _, c := range underWay {
		t.Note("next: %s is called when the ctx of Run is cancelled; the filter says %v, and Update returned %v", c.call, c.fits, c.update)
		g := newGate(t, c.call)
		pass := func(call string) {
			if call == c.call {
				g.pass()
			}
		}
		w := newWorld(t, open(), filters(func(*kit.Pod, NodeInfo) error { pass("a filter"); return c.fits }))
		w.answer(func(context.Context, *kit.Pod) outcome { pass("Update of the client"); return outcome{err: c.update} })
		w.getting(func(context.Context) error { pass("Get of the client"); return c.update })
		w.notes.also = func() { pass("the Recorder") }
		w.addNode(newNode("n", 9))
		w.addPods(newPod("a"))
		t.Wait()
		w.run()
		<-g.reached
		w.changeNode("n", beats) // so the filters are called again
		t.Wait()
		w.cancel()
		t.Wait()
		t.Require(!over(w.done), "The ctx of Run was cancelled while a goroutine of the scheduler was in a call of %s. Run returned at once, and left that goroutine.", c.call)
		g.unlock()
		w.pass(time.Minute)
		t.Require(over(w.done), "The ctx of Run was cancelled, and the last call, of %s, ended a minute ago. Run has not returned.", c.call)
		w.noneInFlight()
		if c.call != "a filter" && c.fits == nil && c.update == nil {
			w.told("a", "The ctx of Run ended while pod a was being bound, and Update returned no error: the pod is bound.", "Scheduled")
			w.waits(Pending{}, "The ctx of Run ended while pod a was being bound, and Update returned no error: the pod is bound.")
		}
		w.end()
	}
}

// endsInAFilter has a filter cancel the ctx of Run, and another pod that is active then. Which goroutine notices
// the end first is chance, so there are several of them.
func endsInAFilter(t *conform.T, open func() Subject) {
	for range 20 {
		var w *world
		turns := &turns{}
		w = newWorld(t, open(), filters(turns.filter, func(*kit.Pod, NodeInfo) error {
			w.cancel()
			return errors.New("no")
		}))
		w.addNode(newNode("n", 9))
		w.addPods(newPod("a"), newPod("b"))
		t.Wait()
		w.run()
		t.Wait()
		tried := turns.take()
		t.Require(len(tried) == 1, "The ctx of Run was cancelled while a filter was called for one of two pods, and the other was active. No pod is taken after the end of ctx. The filters were called for: %s.", listed(tried))
		w.end()
	}
}

// endsInLess has the ctx of Run end while Less is asked which of the active pods goes first. A worker may take that pod or leave it.
func endsInLess(t *conform.T, open func() Subject) {
	for range 10 { // in a select with two ready cases chance decides
		t.Note("next: the ctx of Run ends while Less is called")
		var w *world
		var armed atomic.Bool
		w = newWorld(t, open(), func(o *Options) {
			o.Less = func(a, b *kit.Pod) bool {
				if armed.CompareAndSwap(true, false) {
					w.cancel()
				}
				return a.Name < b.Name
			}
		})
		w.addNode(newNode("n", 9))
		w.addPods(newPod("a"), newPod("b"), newPod("c"))
		t.Wait()
		ctx, cancel := ctxOfRun(t)
		w.cancel = cancel
		armed.Store(true)
		w.runWith(ctx, cancel)
		select {
		case <-w.done:
			w.noneInFlight() // before anything else can end
		case <-time.After(time.Minute): // Less was not called when a pod was taken
		}
		w.end()
	}
}

// endsThoughGetHangs has an API server that answers no Get until its ctx ends.
func endsThoughGetHangs(t *conform.T, s Subject) {
	t.Note("next: Get of the client hangs until its ctx has ended")
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	hangs := make(chan struct{})
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.getting(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-hangs:
		}
		return errors.New("no route to the server")
	})
	w.addPods(newPod("a"))
	t.Wait()
	w.cancel()
	w.pass(time.Minute)
	ended := over(w.done)
	close(hangs)
	t.Require(ended, "An Update had failed, and Get hung, as it may until its ctx ends. The ctx of Run was cancelled, and a minute later Run had not returned: Get was not called with that ctx, nor with one that ends with it.")
	w.end()
}

// endsWithTheLastBinding cancels the ctx of Run while the only pod is being filtered. The last
// thing that the worker does may be to begin a binding, and Run may not overlook it. Which of the
// two goes on first is chance, so there are several of them.
func endsWithTheLastBinding(t *conform.T, open func() Subject) {
	for range 10 {
		looking, binding := newGate(t, "a filter"), newGate(t, "Update of the client")
		w := newWorld(t, open(), filters(func(*kit.Pod, NodeInfo) error { looking.pass(); return nil }))
		w.answer(func(context.Context, *kit.Pod) outcome { binding.pass(); return outcome{} })
		w.addNode(newNode("n", 9))
		w.addPods(newPod("a"))
		t.Wait()
		w.run()
		<-looking.reached
		w.cancel()
		looking.unlock()
		t.Wait()
		t.Require(w.updated() == 0 || !over(w.done), "The ctx of Run was cancelled while a filter was called for the only pod. After that an Update was begun, and Run returned without waiting for it.")
		binding.unlock()
		w.pass(time.Minute)
		w.end()
	}
}

// hasty is a ctx that ends while somebody calls Err, which returns nil: it was not done when it
// was called.
type hasty struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64 // calls until it ends
}

// Err lets others go on before it returns, once.
func (h *hasty) Err() error {
	err := h.Context.Err()
	if h.left.Add(-1) == 0 {
		h.cancel()
		for range 1000 {
			runtime.Gosched()
		}
	}
	return err
}

// endsWhileItIsAsked has the ctx of Run end between a look at Err and what is done after that, as
// when a worker is about to wait for a pod.
func endsWhileItIsAsked(t *conform.T, open func() Subject) {
	for call := range int64(8) {
		t.Note("next: the ctx of Run ends during call %d of its Err", call+1)
		w := newWorld(t, open())
		w.addNode(newNode("n", 9))
		t.Wait()
		ctx, cancel := ctxOfRun(t)
		h := &hasty{Context: ctx, cancel: cancel}
		h.left.Store(call + 1)
		w.runWith(h, cancel)
		t.Wait()
		w.addPods(newPod("a"))
		t.Wait()
		w.addPods(newPod("b"))
		w.pass(time.Minute)
		t.Require(over(w.done) || h.left.Load() > 0, "The ctx of Run ended while its Err was being called, which returned nil for the last time. A minute later Run has not returned.")
		w.end()
	}
}
