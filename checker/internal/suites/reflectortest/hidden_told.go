package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// errorsAreTold has each kind of failure happen, and then a stop, which is none.
func errorsAreTold(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		return map[int]error{1: errInternal, 4: errBusy, 5: errRefused}[n]
	}
	s.onWatch = func(_ context.Context, n int) error {
		return map[int]error{2: errInternal}[n]
	}
	told := &errorsTold{t: t, a: t.Named("OnError")}
	x := run(t, subject, s, Options{Backoff: exact(), ResyncPeriod: time.Hour, OnError: told.tell}, full)
	time.Sleep(10 * time.Second) // list fails at 0 s, Replace at 1 s, watching from 3 s
	s.watching().fail(errExpired)
	t.Wait()
	told.were(3, "A list failed after 0s, Replace after 1s and a watch after 10s")
	told.at(0, time.Second, 10*time.Second)
	told.wraps(0, "a list that failed", errInternal)
	told.wraps(1, "a Replace that failed", errFull)
	told.wraps(2, "a watch that failed", errExpired)
	time.Sleep(4*time.Second + 500*time.Millisecond) // then 8 s, and 16 s
	told.were(4, "After three failures, a list failed with 429")
	time.Sleep(8 * time.Second)
	told.were(5, "After four failures, the last of a list with 429, the next list failed with a refused connection")
	time.Sleep(2 * time.Minute)
	told.were(6, "After five failures, the last of a list, a watch was not granted")
	told.wraps(3, "a list that was refused", errBusy)
	told.wraps(4, "a list that was refused", errRefused)
	told.wraps(5, "a watch that was not granted", errInternal)
	x.stop()
	told.were(6, "Six things had failed, and then Run's context was cancelled, which is no failure")
}

// whateverItSays has a list, a Replace, a watch and, beside one that is well, a Resync fail with the
// same error. Only of a watch does an error that says 429 mean something.
func whateverItSays(t *conform.T, subject Subject, failure error) {
	told := &errorsTold{t: t, a: t.Named("OnError")}
	first := func(n int) error { return map[int]error{1: failure}[n] }
	s, what := serve(t), []string{"a list", "a Replace", "a watch", "a Resync"}
	s.onList = func(_ context.Context, n int) error { return first(n) }
	if kit.IsTooManyRequests(failure) {
		what = []string{"a list", "a Replace", "a Resync"}
	} else {
		s.onWatch = func(_ context.Context, n int) error { return first(n) }
	}
	x := run(t, subject, s, Options{ResyncPeriod: time.Minute, Backoff: exact(), OnError: told.tell}, func(st *store) {
		st.onReplace, st.onResync = first, first
	})
	rests := map[string]time.Duration{"a list": 500 * time.Millisecond, "a Replace": time.Second, "a watch": 2 * time.Second, "a Resync": 70 * time.Second}
	for n, it := range what { // at 0, 1 and 3 s, and the Resync a minute after the last list
		time.Sleep(rests[it])
		before := ""
		if n > 0 {
			before = ", and so had " + strings.Join(what[:n], " and ") + " before"
		}
		t.Require(it != "a Resync" || s.sinceLast() <= time.Minute || len(x.store.resynced()) > 0, "ResyncPeriod is 1m. %s had failed, and the store took the list after that. A watch was open and well for more than 1m, and Resync was not called: it is due one period after the store took the list, also a list that comes after a failure.", "A"+strings.TrimPrefix(strings.Join(what[:n], " and "), "a"))
		told.were(n+1, fmt.Sprintf("While Run's context was not done, %s failed with the error %q%s", it, failure, before))
		told.wraps(n, it+" that failed", failure)
	}
	x.stop()
}

// stoppedBefore calls ListAndWatch and Run with a context that is done already.
func stoppedBefore(t *conform.T, open func() Subject) {
	cancelled, cancel := t.WithCancel(t.Context(), "ctx")
	cancel()
	expired, cancel := t.Actor.WithTimeout(t.Context(), 0, "ctx")
	defer cancel()
	for _, ctx := range []context.Context{cancelled, expired} {
		s, told := serve(t), &errorsTold{t: t, a: t.Named("OnError")}
		r := newReflector(t, open(), s, newStore(t), Options{Backoff: exact(), OnError: told.tell})
		err := conform.Do(t.Actor, func() error { return r.ListAndWatch(ctx) }, "ListAndWatch(ctx)")
		t.Require(err == nil, "ListAndWatch was called with a ctx that was done already (%v), and returned the error %q. When ctx is done, it returns nil.", ctx.Err(), err)
		t.Do(func() { r.Run(ctx) }, "Run(ctx)")
		told.were(0, fmt.Sprintf("Run was called with a ctx that was done already (%v), which is no failure", ctx.Err()))
		s.requireStopped()
	}
}

// stopsWithoutAnError calls ListAndWatch itself, with a context whose time is up: in a list, in a
// Replace, in a watch and in a wait for the next one. A request may say of its end what it likes.
func stopsWithoutAnError(t *conform.T, open func() Subject) {
	for _, c := range []struct {
		where  string
		script func(s *server, st *store)
	}{
		{"while a list was not answered", func(s *server, _ *store) { s.onList = hangs }},
		{"while a watch was not answered", func(s *server, _ *store) { s.onWatch = hangs }},
		{"while a list was not answered, which then failed with an error of its own", func(s *server, _ *store) { s.onList = breaksWhenDone }},
		{"while a watch was not answered, which then failed with an error of its own", func(s *server, _ *store) { s.onWatch = breaksWhenDone }},
		{"while the list of \"\" was not answered, which then failed with an error of its own", func(s *server, _ *store) { s.onList = after(errExpired, breaksWhenDone) }},
		{"in the middle of a watch", func(*server, *store) {}},
		{"half a second after a watch was asked for, which had brought nothing", func(s *server, _ *store) {
			s.onList = func(context.Context, int) error { time.Sleep(10 * time.Second); return nil }
		}},
		{"in a wait after a watch that was refused", func(s *server, _ *store) { s.onWatch = failsOften(errBusy) }},
		{"during a Replace, which failed after that", func(_ *server, st *store) {
			st.onReplace = func(int) error { time.Sleep(time.Minute); return errFull }
		}},
	} {
		s, st := serve(t), newStore(t)
		c.script(s, st)
		var r Reflector
		o := Options{ResyncPeriod: time.Hour, Backoff: exact()}
		t.Do(func() { r = open()(s, st, o) }, "New(server, store, %s)", o)
		st.version = r.LastSyncResourceVersion
		ctx, cancel := t.Actor.WithTimeout(t.Context(), 10*time.Second+500*time.Millisecond, "ctx")
		err := conform.Do(t.Actor, func() error { return r.ListAndWatch(ctx) }, "ListAndWatch(ctx)")
		cancel()
		t.Require(err == nil, "The time of ListAndWatch's ctx was up %s, and ListAndWatch returned the error %q. When ctx is done, it returns nil, whichever way it ended.", c.where, err)
		s.requireStopped()
	}
}

// breaksWhenDone is a script that answers nothing before the request's ctx is done, and then with an error that does not say so.
func breaksWhenDone(ctx context.Context, _ int) error {
	<-ctx.Done()
	return errors.New("http2: client connection lost")
}

// easilyMistaken has failures that are easily taken for others: a list that fails after the server
// lacked a version, requests whose own time is up while ctx is alive, and a status that the
// book has no name for.
func easilyMistaken(t *conform.T, subject Subject) {
	errSlow := fmt.Errorf("get pods: %w (while the client awaited headers)", context.DeadlineExceeded)
	errUnavailable := kit.NewStatusError("ServiceUnavailable", "the apiserver is shutting down")
	errUnavailable.ErrStatus.Code = 503
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		return map[int]error{1: errExpired, 2: errInternal, 3: errSlow}[n]
	}
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errSlow}[n] }
	told := &errorsTold{t: t, a: t.Named("OnError")}
	x := run(t, subject, s, Options{Backoff: exact(), OnError: told.tell})
	time.Sleep(time.Minute)
	told.were(3, "A list of version \"0\" was refused with 410 and the one of \"\" that followed failed, then a list failed because it took the client too long, and a watch for the same reason")
	told.wraps(0, "a list of \"\" that failed", errInternal)
	t.Require(!kit.IsResourceExpired(told.all[0]), "A list of version \"0\" was refused with 410, and the one of \"\" that followed failed with 500. OnError was called with %q, of which kit.IsResourceExpired says yes: if both lists fail, that is the error of the second, alone.", told.all[0])
	t.Require(!errors.Is(told.all[0], errExpired), "A list of version \"0\" was refused with 410, and the one of \"\" that followed failed with 500. OnError was called with %q, which wraps the error of the first, too: if both lists fail, that is the error of the second, alone.", told.all[0])
	told.wraps(1, "a list that took too long, while Run's context is not done", errSlow)
	told.wraps(2, "a watch that took too long, while Run's context is not done", errSlow)
	s.watching().fail(errUnavailable)
	t.Wait()
	told.were(4, "After three failures, a watch ended with an Error event")
	told.carries(3, errUnavailable.ErrStatus)
	time.Sleep(time.Minute)
	s.watching().end() // it was well for most of that minute
	s.watching().end()
	t.Wait()
	told.were(5, "After four failures, a watch was closed within a second and without an event, so it has failed")
	x.stop()
}

// oddStatuses has watches that end with Error events without an object, whose statuses are easily taken
// for no error, or for another one.
func oddStatuses(t *conform.T, subject Subject) {
	s, told := serve(t), &errorsTold{t: t, a: t.Named("OnError")}
	x := run(t, subject, s, Options{Backoff: exact(), OnError: told.tell})
	for n, status := range []kit.Status{
		{Status: "Failure", Message: "who knows: a disk is 100% full"},
		{Status: "Failure", Message: "the resource has been removed", Reason: "Gone", Code: 410},
	} {
		s.watching().failWith(kit.Event[*kit.Pod]{Type: kit.Error, Status: &status})
		t.Wait()
		told.were(n+1, fmt.Sprintf("A watch ended with an Error event. Its Object is nil, and its Status has the message %q, the reason %q and the code %d", status.Message, status.Reason, status.Code))
		told.carries(n, status)
		time.Sleep(time.Minute)
	}
	x.stop()
}

// toldByNobody calls ListAndWatch itself, and has its list fail.
func toldByNobody(t *conform.T, subject Subject) {
	s, told := serve(t), &errorsTold{t: t, a: t.Named("OnError")}
	s.onList = func(context.Context, int) error { return errInternal }
	r := newReflector(t, subject, s, newStore(t), Options{Backoff: exact(), OnError: told.tell})
	err := conform.Do(t.Actor, func() error { return r.ListAndWatch(t.Context()) }, "ListAndWatch(ctx)")
	t.Require(err != nil, "ListAndWatch was called, its list failed, and it returned nil. If the list fails, it returns that error, wrapped or not.")
	t.Require(len(told.all) == 0, "ListAndWatch was called, and not Run. Its list failed, and OnError was called with %q: only Run calls OnError, with what ListAndWatch returns.", told.all)
}

// errorsTold is an OnError that keeps what it is called with.
type errorsTold struct {
	t *conform.T
	a *conform.Actor

	mu   sync.Mutex // guards the fields below
	all  []error
	when []time.Duration
}

func (e *errorsTold) tell(err error) {
	e.a.Note("OnError(%v)", err)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all, e.when = append(e.all, err), append(e.when, e.t.Elapsed())
}

// were requires so many errors so far. The sentence says what has happened.
func (e *errorsTold) were(n int, sentence string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.all) != n {
		last, calls := "nothing", fmt.Sprintf("%d calls were", n)
		if n == 1 {
			calls = "1 call was"
		}
		if len(e.all) > 0 {
			last = fmt.Sprintf("%q", e.all[len(e.all)-1])
		}
		e.t.Fatalf("%s. OnError was called %s by now, and %s due, one for each failure. The last was with %s.", sentence, conform.Count(len(e.all), "time"), calls, last)
	}
}

// carries requires that error n has a whole status in it.
func (e *errorsTold) carries(n int, want kit.Status) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var got *kit.StatusError
	if !errors.As(e.all[n], &got) {
		e.t.Errorf("A watch ended with an Error event, and OnError was called with %q. There is no kit.StatusError in it, and event.Status is due as one.", e.all[n])
		return
	}
	e.t.Same(want, got.ErrStatus, "A watch ended with an Error event, and OnError was called with another status than event.Status")
}

// at requires that the errors so far came at these times.
func (e *errorsTold) at(want ...time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for n, due := range want {
		e.t.OnTime(fmt.Sprintf("OnError was called with %q", e.all[n]), e.when[n], due, "that came to light")
	}
}

// wraps requires that error n is want, or wraps it, or says the same.
func (e *errorsTold) wraps(n int, what string, want error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	got, reason := e.all[n], kit.ReasonFor(want)
	if !errors.Is(got, want) && (reason == "" || kit.ReasonFor(got) != reason) {
		e.t.Errorf("OnError was called for %s with %q, which does not wrap what had failed: %q.", what, got, want)
	}
}
