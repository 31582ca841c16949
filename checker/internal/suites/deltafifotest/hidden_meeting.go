package deltafifotest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// deletedWhileItIsPopped has a deletion in the transformer while a consumer pops the deletion before
// it. Whichever of the two is first, the second deletion is dropped: it stands directly behind the
// other one, or its object is neither pending nor known.
func deletedWhileItIsPopped(t *conform.T, s Subject) {
	known := holding(pod("a", 1))
	var begun, popped atomic.Bool
	c := startWith(t, s, Options{KnownObjects: known, Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		if p.ResourceVersion == "3" {
			begun.Store(true)
			for n := 0; n < 20_000 && !popped.Load(); n++ { // in vain, where the lock is held meanwhile
				runtime.Gosched()
			}
		}
		return p, nil
	}})
	must(t, c.delete(pod("a", 2)))
	t.Go("consumer", func(a *conform.Actor) {
		for !begun.Load() {
			runtime.Gosched()
		}
		_, _ = c.as(a).pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
			known.apply(d)
			return nil
		})
		popped.Store(true)
	})
	must(t, c.delete(pod("a", 3)))
	begun.Store(true) // what is dropped need not go through the transformer
	t.Join()
	c.close()
	left := strings.Join(c.rest(t), " ")
	t.Require(left == "", "Delete(a@3) met the Pop of a deletion of a. When both had returned, %s was left in the queue. Delete queues a delta if the key is pending or known: if it came first, the older deletion was pending and is kept, and if Pop came first, a was neither.", left)
}

// deleteIsOneStep has a Delete and a consumer come one after the other. If Delete gives the lock back between
// its look at what is pending or known and what it queues, the consumer gets in there.
func deleteIsOneStep(t *conform.T, s Subject) {
	known := holding(pod("k", 1))
	c := start(t, s, known)
	for _, name := range []string{"first", "second"} {
		must(t, c.add(pod(name, 1)))
	}
	must(t, c.delete(pod("k", 2)))
	duringTwoPops(t, c, known.apply,
		func(a *conform.Actor) { _ = c.as(a).delete(pod("k", 3)) },
		func(a *conform.Actor) { popWith(c.as(a), known.apply) })
	c.close()
	left := strings.Join(c.rest(t), " ")
	t.Require(left == "", "Deleted k@2 was pending, and Delete(k@3) met the Pop of it. When both had returned, %s was left in the queue. Delete queues a delta if the key is pending or known: if it came first, the older deletion was pending and is kept, and if Pop came first, k was neither.", left)
}

// replacedWhileItIsPopped has a list in the transformer while a consumer pops. Whatever the order, a
// Pop that saw the list must not be followed by one that did not.
func replacedWhileItIsPopped(t *conform.T, s Subject) {
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	var done atomic.Bool
	c := startWith(t, s, Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		if show(p) == "b@2" {
			begin()
			for n := 0; n < 20_000 && !done.Load(); n++ { // in vain, where the lock is held meanwhile
				runtime.Gosched()
			}
		}
		return p, nil
	}})
	for _, name := range []string{"a", "b", "missing"} {
		must(t, c.add(pod(name, 1)))
	}
	var popped []string
	t.Go("consumer", func(a *conform.Actor) {
		<-begun
		for range 3 {
			_, _ = c.as(a).pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
				popped = append(popped, strings.Join(render(d), ", "))
				return nil
			})
		}
		done.Store(true)
	})
	must(t, c.replace(pod("a", 2), pod("b", 2)))
	begin()
	t.Join()
	allOrNothing(t, popped)
	c.close()
}

// transformedOneByOne has an Add come while the transformer is running for another call.
func transformedOneByOne(t *conform.T, s Subject) {
	for what, name := range []string{"Add", "Update", "Delete", "Replace"} {
		begun := make(chan struct{})
		begin := sync.OnceFunc(func() { close(begun) })
		var running atomic.Int32
		var together atomic.Bool
		c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1)), Transformer: func(p *kit.Pod) (*kit.Pod, error) {
			defer running.Add(-1)
			if running.Add(1) > 1 {
				together.Store(true)
			}
			if show(p) == "a@2" {
				begin()
				for n := 0; n < 20_000 && !together.Load(); n++ { // in vain, where the lock is held meanwhile
					runtime.Gosched()
				}
			}
			return p, nil
		}})
		t.Go("another reflector", func(a *conform.Actor) {
			<-begun
			_ = c.as(a).add(pod("b", 2))
		})
		must(t, []func(p *kit.Pod) error{c.add, c.update, c.delete, func(p *kit.Pod) error { return c.replace(p) }}[what](pod("a", 2)))
		begin()
		t.Join()
		c.close()
		t.Require(!together.Load(), "While the transformer was running for %s(a@2), Add(b@2) was called in another goroutine, and the transformer was called a second time before the first call had returned: it is called under the lock of the queue, so calls never overlap each other.", name)
	}
}

// nothingMeanwhile makes calls while process is running. None may return, whatever becomes of it, and
// none may change what HasSynced says.
func nothingMeanwhile(t *conform.T, s Subject) {
	var early, synced, transformed []string
	for _, m := range meanwhile {
		known := holding(pod("k", 1))
		var running, called atomic.Bool // process is running; the transformer was called meanwhile
		options := Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) {
			if running.Load() {
				called.Store(true)
			}
			copied := *p // and p stays as it is: a race would be what is seen first
			return &copied, refuse(p)
		}}
		if !m.alone {
			options.KnownObjects = known
		}
		c := startWith(t, s, options)
		if m.alone {
			must(t, c.add(pod("k", 1)))
		} else {
			must(t, c.resync()) // which does not count as the first call
		}
		returned, changed := callMeanwhile(t, c, known, &running, m.name, m.call)
		if called.Load() {
			transformed = append(transformed, m.name)
		}
		if returned {
			early = append(early, m.name)
		}
		if changed {
			synced = append(synced, m.name)
		}
	}
	t.Require(len(early) == 0, "Calls that returned while process was still running: %s. Even a call that turns out to queue nothing waits until it has returned.", strings.Join(early, "; "))
	t.Require(len(synced) == 0, "While process was running, HasSynced returned the opposite of what it had returned before that Pop, after each of these calls: %s. It waits, or returns what it would have returned just before that Pop took its key, and no call has any effect until process has returned.", strings.Join(synced, "; "))
	t.Require(len(transformed) == 0, "While process was running, another goroutine called one of these, and the transformer was called at once: %s. It is called under the lock of the queue, so calls never overlap process.", strings.Join(transformed, "; "))
}

// nothingBesideTheLast makes calls while process has the last key of a queue that is closed. What they return, and
// when, is no matter here. But neither the known objects may be asked then, which process may be changing, nor the
// transformer be called.
func nothingBesideTheLast(t *conform.T, s Subject) {
	var running atomic.Bool
	known := watched{cache: holding(pod("k", 1)), running: &running, asked: new(atomic.Bool)}
	var transformed atomic.Bool
	c := startWith(t, s, Options{KnownObjects: known, Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		if running.Load() {
			transformed.Store(true)
		}
		return p, nil
	}})
	must(t, c.add(pod("last", 1)))
	c.close()
	entered, leave := make(chan struct{}), make(chan struct{})
	t.Go("consumer", func(a *conform.Actor) {
		popWith(c.as(a), func(kit.Deltas[*kit.Pod]) {
			running.Store(true)
			close(entered)
			<-leave
			running.Store(false)
		})
	})
	<-entered
	for _, call := range onAnother[:5] { // Add, Update, Delete, Replace and Resync
		t.Go("another goroutine", func(a *conform.Actor) { call.make(c.as(a)) })
	}
	t.Wait()
	close(leave)
	t.Join()
	const when = "The queue was closed, process was running with its last key, and Add, Update, Delete, Replace and Resync were called in other goroutines."
	t.Require(!known.asked.Load(), "%s The known objects were asked meanwhile: the queue asks only while it holds its own lock, and process is called under that lock.", when)
	t.Require(!transformed.Load(), "%s The transformer was called meanwhile: it is called under the lock of the queue, so calls never overlap process.", when)
}

// watched is a cache that notes whether it is asked while process is running.
type watched struct {
	cache
	running, asked *atomic.Bool
}

func (w watched) ListKeys() []string {
	w.note()
	return w.cache.ListKeys()
}

func (w watched) GetByKey(key string) (*kit.Pod, bool) {
	w.note()
	return w.cache.GetByKey(key)
}

func (w watched) note() {
	if w.running.Load() {
		w.asked.Store(true)
	}
}

// anotherQueue makes calls on one queue while process, or the transformer, of another one is running.
func anotherQueue(t *conform.T, s Subject) {
	for _, who := range []string{"process", "the transformer"} {
		entered, leave := make(chan struct{}), make(chan struct{})
		stop := func() { close(entered); <-leave }
		transformer := func(p *kit.Pod) (*kit.Pod, error) {
			if p.Name == "stop" {
				stop()
			}
			return p, nil
		}
		one, other := startWith(t, s, Options{Transformer: transformer}), startWith(t, s, Options{Transformer: transformer})
		if who == "process" {
			must(t, one.add(pod("a", 1)))
			t.Go("consumer of the first queue", func(a *conform.Actor) {
				popWith(one.as(a), func(kit.Deltas[*kit.Pod]) { stop() })
			})
		} else {
			t.Go("reflector of the first queue", func(a *conform.Actor) { _ = one.as(a).add(pod("stop", 1)) })
		}
		<-entered
		var done atomic.Int32
		t.Go("user of the second queue", func(a *conform.Actor) {
			for _, call := range onAnother {
				call.make(other.as(a))
				done.Add(1)
			}
		})
		t.Wait()
		early := int(done.Load())
		close(leave)
		t.Join()
		if early < len(onAnother) {
			t.Fatalf("While %s of one queue was running, %s was called on another queue, and did not return before %s had: it must not call the queue under whose lock it is called, and another one it may.", who, onAnother[early].name, who)
		}
	}
}

// onAnother are calls on a queue; where nobody else uses it, they have nothing to wait for.
var onAnother = []struct {
	name string
	make func(c client)
}{
	{"Add", func(c client) { _ = c.add(pod("a", 1)) }},
	{"Update", func(c client) { _ = c.update(pod("a", 2)) }},
	{"Delete", func(c client) { _ = c.delete(pod("a", 3)) }},
	{"Replace", func(c client) { _ = c.replace(pod("a", 4)) }},
	{"Resync", func(c client) { _ = c.resync() }},
	{"HasSynced", func(c client) { c.hasSynced() }},
	{"Pop", func(c client) { popWith(c, func(kit.Deltas[*kit.Pod]) {}) }},
	{"Close", client.close},
}

// callMeanwhile has one call and then HasSynced come while process is running, and reports whether
// the call returned then, and whether HasSynced changed its answer.
func callMeanwhile(t *conform.T, c client, known cache, running *atomic.Bool, name string, call func(c client) error) (returned, changed bool) {
	before := c.hasSynced()
	release := hold(t, c, known)
	running.Store(true)
	var early, synced atomic.Bool
	t.Go("reflector", func(a *conform.Actor) {
		_ = call(c.as(a))
		if running.Load() {
			a.Breaks("%s: it returned while process was running", name)
			early.Store(true)
		}
	})
	t.Wait()
	t.Go("controller", func(a *conform.Actor) {
		if c.as(a).hasSynced() != before && running.Load() {
			a.Breaks("HasSynced has changed while process was running")
			synced.Store(true)
		}
	})
	t.Wait()
	running.Store(false)
	release()
	t.Join()
	c.close()
	return early.Load(), synced.Load()
}

// meanwhile are calls that come while process is running.
var meanwhile = []struct {
	name  string
	alone bool // the queue has no known objects
	call  func(c client) error
}{
	{"Add", false, func(c client) error { return c.add(pod("new", 2)) }},
	{"Update", false, func(c client) error { return c.update(pod("new", 2)) }},
	{"Delete of the object that process has", false, func(c client) error { return c.delete(pod("k", 2)) }},
	{"Delete of an object that is neither pending nor known", false, func(c client) error { return c.delete(pod("nobody", 2)) }},
	{"Replace with an empty list", false, func(c client) error { return c.replace() }},
	{"Add, whose transformer fails", false, func(c client) error { return c.add(pod("new", 666)) }},
	{"Update, whose transformer fails", false, func(c client) error { return c.update(pod("new", 666)) }},
	{"Delete, whose transformer fails", false, func(c client) error { return c.delete(pod("k", 666)) }},
	{"Replace, whose transformer fails", false, func(c client) error { return c.replace(pod("new", 666)) }},
	{"Resync without known objects", true, func(c client) error { return c.resync() }},
	{"Delete of the object that process has, without known objects", true, func(c client) error { return c.delete(pod("k", 2)) }},
	{"Delete of another object, without known objects", true, func(c client) error { return c.delete(pod("nobody", 2)) }},
	{"Replace with an empty list, without known objects", true, func(c client) error { return c.replace() }},
}

// closedBehindAnother has a Pop wait on because another Pop takes the key for which it woke, and then closes
// the queue.
func closedBehindAnother(t *conform.T, s Subject) {
	for range 3 {
		c := start(t, s, nil)
		waits := park(t, c, 1)
		other := make(chan error, 1)
		t.Go("reflector and consumer", func(a *conform.Actor) {
			_ = c.as(a).add(pod("a", 1))
			_, err := c.as(a).pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
			other <- err
		})
		t.Wait()
		c.close()
		t.Wait()
		t.Require(len(waits)+len(other) == 2, "A goroutine waited in Pop, a key became pending, another Pop came for it at once, and one of the two waited on. Then Close was called, and that Pop waits still: Close wakes every Pop that waits.")
	}
}

// closedAsTheyWake closes queues right behind a list that has a key for every Pop that waits.
// Whatever a Pop meets first when it wakes, there is a key for it.
func closedAsTheyWake(t *conform.T, s Subject) {
	for range 4 {
		c := start(t, s, nil)
		got := park(t, c, 5)
		must(t, c.replace(pod("a", 1), pod("b", 2), pod("c", 3), pod("d", 4), pod("e", 5)))
		c.close()
		t.Join()
		for range 5 {
			err := <-got
			t.Require(err == nil, "5 goroutines waited in Pop. Replace queued 5 keys, and then Close was called. One of the Pops returned %s, although a key was pending for each: what is pending can still be popped.", conform.Said(err))
		}
	}
}

// closedWithTooFew closes queues right behind a key, or two, for five Pops that wait. Those wake while
// something is pending, and others have to wake as well.
func closedWithTooFew(t *conform.T, s Subject) {
	const waiting = 5
	for keys := 1; keys < waiting; keys++ {
		c := start(t, s, nil)
		got := park(t, c, waiting)
		for n := range keys {
			must(t, c.add(pod(fmt.Sprintf("a%d", n), 1)))
		}
		c.close()
		t.Wait()
		t.Require(len(got) == waiting, "5 goroutines waited in Pop. %s became pending, and Close was called right after that. %d of the Pops wait still: Close wakes every Pop that waits, also if something is pending.", conform.Count(keys, "key"), waiting-len(got))
		popped := 0
		for range waiting {
			err := <-got
			if err == nil {
				popped++
				continue
			}
			closed(t, err)
		}
		t.Require(popped == keys, "5 goroutines waited in Pop. %s became pending, and Close was called right after that. %d of the Pops returned without an error: what is pending can still be popped.", conform.Count(keys, "key"), popped)
	}
}

// closedBehindTwoPops has two Pops that have found nothing, and a key and Close come before they sleep.
func closedBehindTwoPops(t *conform.T, s Subject) {
	call := t.Call("%d times: New, then Resync twice, whose known objects take their time, and meanwhile Pop, Pop, and Replace([a@1]) with Close", inLineAtOnce)
	asleep := behindTwoPops(t, s, 0, func(q Queue) {
		_ = q.Replace([]*kit.Pod{pod("a", 1)}, "1")
		q.Close()
	})
	call.Returned("")
	t.Require(asleep == 0, "On each of %d queues two goroutines called Pop and found nothing. Replace with a, and then Close, came right behind them. Of the Pops, %d wait still: Close wakes every Pop that waits.", inLineAtOnce, asleep)
}

// listBehindPop has an empty list wait for the lock right behind a Pop.
func listBehindPop(t *conform.T, s Subject) {
	known := cache{}
	c := start(t, s, known)
	for _, name := range []string{"first", "second", "third"} {
		must(t, c.add(pod(name, 1)))
	}
	duringTwoPops(t, c, known.apply,
		func(a *conform.Actor) { popWith(c.as(a), known.apply) },
		func(a *conform.Actor) { _ = c.as(a).replace() })
	c.close()
	follow(c, known)
	t.Require(len(known) == 0, "Replace with an empty list came while process was running, right behind another Pop. Everything has been popped, and the cache that did what the deltas say still holds %v. process is called under the lock of the queue, so no Replace may come between the moment at which a key leaves the queue and the end of process.", known)
}

// closedWithNothing has Pops come to their end with nothing to process: two that wait when the queue is
// closed, and one that comes later.
func closedWithNothing(t *conform.T, s Subject) {
	var called atomic.Int32
	process := func(kit.Deltas[*kit.Pod], bool) error {
		called.Add(1)
		return nil
	}
	c := start(t, s, nil)
	must(t, c.add(pod("a", 1)))
	_, err := c.pop(process)
	must(t, err)
	got := parkWith(t, c, 2, process)
	c.close()
	t.Join()
	closed(t, <-got)
	closed(t, <-got)
	_, err = c.pop(process)
	closed(t, err)
	t.Require(called.Load() == 1, "One key was popped, and then the queue was closed while two Pops waited. These two and a later one returned kit.ErrFIFOClosed. process was called %d times in all and should have been called once: Pop calls it with the deltas of a key that it takes.", called.Load())
}

// closedAtThatMoment closes many queues while one goroutine after the other begins to wait in
// Pop. A Pop that looks whether the queue is closed, and then misses the call that would wake
// it, stays.
func closedAtThatMoment(t *conform.T, s Subject) {
	const rounds, consumers = 1500, 24
	call := t.Call("%d times: New, then Close twice at once while %d goroutines call Pop", rounds, consumers)
	for n := range rounds {
		q := s.New(Options{})
		var begun atomic.Int32
		errs := make(chan error, consumers)
		for range consumers {
			go func() {
				begun.Add(1)
				_, err := q.Pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
				errs <- err
			}()
		}
		for int(begun.Load()) < n%consumers { // at another moment each time
			runtime.Gosched()
		}
		var other sync.WaitGroup
		other.Go(q.Close)
		q.Close()
		other.Wait()
		for range consumers {
			closed(t, <-errs)
		}
	}
	call.Returned("")
}
