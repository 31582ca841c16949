package reflectortest

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// startsOverInTime has a watch that was well for little more than two minutes.
func startsOverInTime(t *conform.T, subject Subject) {
	const well = 2*time.Minute + 10*time.Second
	s := serve(t)
	s.expect("The first two watches fail at once, and the waits after them are 1 and 2 s. The third is well for 2m10s before it fails: the reflector has not had to back off for two minutes, and the waits start over, with 1 s.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{0, `watch "10"`},
		due{2 * time.Second, `list "10"`}, due{0, `watch "10"`}, due{well + time.Second, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact()})
	s.watching().fail(errExpired)
	time.Sleep(time.Second)
	s.watching().fail(errExpired)
	time.Sleep(2 * time.Second)
	w := s.watching()
	time.Sleep(well)
	w.fail(errExpired)
	time.Sleep(30 * time.Second)
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
	require.True(t, failures > 3, "Every list fails, and after 20s there were %d: each that fails is tried again.", failures)
}
