package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// startsOverInTime has watches that are well for a little less than two minutes, for a little more, and
// for longer. A watch comes to its end in the meantime, and another one goes on. The waits are short: it is left
// open whether the two minutes count from the beginning of one, or from its end.
func startsOverInTime(t *conform.T, subject Subject) {
	s := serve(t)
	const first = 100 * time.Millisecond
	want := []due{{0, `list "0"`}, {0, `watch "10"`}, {first, `list "10"`}, {0, `watch "10"`}, {2 * first, `list "10"`}, {0, `watch "10"`}}
	wells := []struct{ well, wait time.Duration }{
		{2*time.Minute - 500*time.Millisecond, 4 * first}, // less than two minutes after New, too
		{2*time.Minute + 500*time.Millisecond, first}, {2*time.Minute + 500*time.Millisecond, first},
		{3*time.Minute + 10*time.Second, first}, {5 * time.Minute, first},
	}
	const last = 30 * time.Second // of each, and of another watch than before
	why := map[int]string{}
	for i, c := range wells {
		want = append(want, due{c.well - last, `watch "10"`}, due{last + c.wait, `list "10"`}, due{0, `watch "10"`})
		why[8+3*i] = fmt.Sprintf("The last wait had ended %v before that watch failed, so this one is %v.", c.well, c.wait)
	}
	s.expect("The waits, of 100ms and 200ms at first, start over when the reflector has not had to back off for two minutes, and only then. A watch that ends well, 30s before each failure, is no reason to back off.", want...)
	s.because(why)
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: first, Factor: 2, Steps: 20, Cap: 30 * time.Second}})
	s.watching().fail(errExpired)
	time.Sleep(first)
	s.watching().fail(errExpired)
	time.Sleep(2 * first)
	for _, c := range wells {
		w := s.watching()
		time.Sleep(c.well - last - s.sinceLast())
		w.send(bookmark("10"))
		w.end()
		w = s.watching()
		time.Sleep(last)
		w.fail(errExpired)
		time.Sleep(10 * time.Second)
	}
	s.asExpected()
	x.stop()
}

// resyncFailsWhileBusy has a store whose every Resync fails while the server grants no watch,
// and stops the reflector in the middle of a wait.
func resyncFailsWhileBusy(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(context.Context, int) error { return errBusy }
	x := run(t, subject, s, Options{ResyncPeriod: time.Second, Backoff: exact()}, func(st *store) {
		st.onResync = func(int) error { return errors.New("the store is closed") }
	})
	time.Sleep(40 * time.Second)
	x.stop()
}

// resyncFailsBeforeAWatch has a server that is too busy for two watches, and a store whose Resync
// fails in the wait after the second of them. A third is granted.
func resyncFailsBeforeAWatch(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errBusy, 2: errBusy}[n] }
	x := run(t, subject, s, Options{ResyncPeriod: 1500 * time.Millisecond, Backoff: exact()}, func(st *store) {
		st.onResync = func(n int) error { return map[int]error{1: errors.New("the store is closed")}[n] }
	})
	began := s.log()[0].At
	time.Sleep(time.Minute)
	t.Require(s.listed() > 1, "A Resync failed after 1.5s, in a wait for a busy server, which granted a watch after 3s. After a minute no second list was asked for: if Resync returns an error, ListAndWatch returns it, at the latest when a watch has been granted.")
	for _, r := range s.log()[1:] {
		if after := r.At - began; strings.HasPrefix(r.What, "list") {
			t.Require(after >= 5500*time.Millisecond, "Two watches were refused with 429, and in the second wait, of 2s, a Resync failed 1.5s after the list. The next list came %v after the first one. A wait that is cut short still uses its step, so the wait before that list is 4s: it comes 5.5s after the first one at the earliest.", after)
			break
		}
	}
	x.stop()
}

// resyncFailsTwice has a server that refuses a watch after some time, and a store whose every Resync
// fails meanwhile. A reflector may give up the request at the first of them.
func resyncFailsTwice(t *conform.T, subject Subject) {
	var asked atomic.Bool
	s := serve(t)
	s.onWatch = func(ctx context.Context, n int) error {
		if n > 1 {
			return nil
		}
		asked.Store(true)
		defer asked.Store(false)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Second):
			return errInternal
		}
	}
	const stale = "A Resync that failed beside an earlier ListAndWatch is no error of this one."
	s.expect("The period is 20s, and each Resync failed until the server refused the first watch, 50s after the list. ListAndWatch has to return by then, and a list follows. Nothing fails after that.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{anytime, `list "10"`}, due{0, `watch "10"`})
	s.because(map[int]string{4: stale, 5: stale})
	x := run(t, subject, s, Options{ResyncPeriod: 20 * time.Second, Backoff: exact()}, func(st *store) {
		st.onResync = func(int) error { return map[bool]error{true: errors.New("the store is confused")}[asked.Load()] }
	})
	time.Sleep(5 * time.Minute)
	s.asExpected()
	x.stop()
}

// stoppedBesideASlowStore stops a reflector while the store is busy with an event. It runs outside a
// bubble: a reflector may wait there for a mutex that it holds while it calls the store. ShouldResync
// is asked in the place of the store, and never agrees.
func stoppedBesideASlowStore(t *conform.T, subject Subject) {
	inUpdate, release := make(chan struct{}), make(chan struct{})
	s, st := serve(t), newStore(t)
	st.onChange = func(*kit.Pod) error { close(inUpdate); <-release; return nil }
	var asked atomic.Int64
	o := Options{ResyncPeriod: time.Millisecond, ShouldResync: func() bool { asked.Add(1); return false }}
	_, ended, cancel := start(t, subject, s, st, o)
	s.watching().send(event(kit.Modified, "a", "11"))
	<-inUpdate
	t.Note("cancel Run's context")
	cancel()
	t.Wait()
	before := asked.Load()
	t.Wait()
	more := asked.Load() - before
	close(release)
	t.Require(more <= 1, "The period is 1ms, and Run's context was cancelled while the store was busy with an event. What ends with that context had time to end, and after that, with the store still busy, ShouldResync was called %d times: a resync is due as long as the watches go on, and they end with that context. One more is left open.", more)
	<-ended
	s.requireStopped()
}

// toldByRun has an OnError that writes what the next List reads. Both have no lock: Run calls
// the one before it waits, and asks the other after it.
func toldByRun(t *conform.T, subject Subject) {
	told, failures := 0, 0
	s := serve(t)
	s.onList = func(context.Context, int) error {
		if told != failures {
			s.actor.Breaks("%d lists have failed, and OnError was called %d times", failures, told)
			t.Errorf("%d lists had failed before this one, and OnError was called %d times: Run calls it before the wait that follows.", failures, told)
		}
		failures++
		return errInternal
	}
	x := run(t, subject, s, Options{Backoff: exact(), OnError: func(error) { told++ }})
	time.Sleep(20 * time.Second)
	x.stop()
	t.Require(failures > 3, "Every list fails, and after 20s there were %d: each that fails is tried again.", failures)
}
