package reflectortest

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// startsOverInTime has watches that are well for little more than two minutes, and for longer.
func startsOverInTime(t *conform.T, subject Subject) {
	s := serve(t)
	want := []due{{0, `list "0"`}, {0, `watch "10"`}, {time.Second, `list "10"`}, {0, `watch "10"`}, {2 * time.Second, `list "10"`}, {0, `watch "10"`}}
	wells := []time.Duration{2*time.Minute + 10*time.Second, 3*time.Minute + 10*time.Second, 5 * time.Minute}
	for _, well := range wells {
		want = append(want, due{well + time.Second, `list "10"`}, due{0, `watch "10"`})
	}
	s.expect("Two watches fail at once, with waits of 1 and 2 s. The next three are well for 2m10s, 3m10s and 5m: after two minutes without a failure the wait is 1 s again, each time.", want...)
	x := run(t, subject, s, Options{Backoff: exact()})
	s.watching().fail(errExpired)
	time.Sleep(time.Second)
	s.watching().fail(errExpired)
	time.Sleep(2 * time.Second)
	for _, well := range wells {
		w := s.watching()
		time.Sleep(well - s.sinceLast())
		w.fail(errExpired)
		time.Sleep(30 * time.Second)
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
