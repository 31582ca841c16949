package deltafifotest

import (
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
			t.Require(err == nil, "5 goroutines waited in Pop. Replace queued 5 keys, and then Close was called. One of the Pops returned %v, although a key was pending for each: what is pending can still be popped.", err)
		}
	}
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
