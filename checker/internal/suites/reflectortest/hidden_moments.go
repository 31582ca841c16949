package reflectortest

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// startsOverInTime has watches that are well for less than two minutes, for little more, and for
// longer. A watch comes to its end in the meantime, and another one goes on.
func startsOverInTime(t *conform.T, subject Subject) {
	s := serve(t)
	want := []due{{0, `list "0"`}, {0, `watch "10"`}, {time.Second, `list "10"`}, {0, `watch "10"`}, {2 * time.Second, `list "10"`}, {0, `watch "10"`}}
	wells := []struct{ well, wait time.Duration }{
		{90 * time.Second, 4 * time.Second}, {2*time.Minute + 10*time.Second, time.Second},
		{3*time.Minute + 10*time.Second, time.Second}, {5 * time.Minute, time.Second},
	}
	const last = 30 * time.Second // of each, and of another watch than before
	for _, c := range wells {
		want = append(want, due{c.well - last, `watch "10"`}, due{last + c.wait, `list "10"`}, due{0, `watch "10"`})
	}
	s.expect("Two watches fail at once, with waits of 1 and 2 s. After that all is well for 90s, for 2m10s, 3m10s and 5m, and each time a watch ends well 30s before the next one fails. "+
		"90s are too little to start over, so the next wait is 4 s. After two minutes without a failure it is 1 s again, each time: neither a watch that ends nor one that begins is a failure.", want...)
	x := run(t, subject, s, Options{Backoff: exact()})
	s.watching().fail(errExpired)
	time.Sleep(time.Second)
	s.watching().fail(errExpired)
	time.Sleep(2 * time.Second)
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
