package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// steps are backoffs without jitter, their fields in words, and the waits that they say.
var steps = []struct {
	backoff kit.Backoff
	fields  string
	waits   []time.Duration
}{
	{kit.Backoff{Duration: time.Second, Factor: 10, Steps: 9, Cap: 5 * time.Second}, "Factor 10, Steps 9 and Cap 5 s", seconds(1, 5, 5, 5)},
	{kit.Backoff{Duration: 5 * time.Second}, "no Factor and Steps 0, which is not the zero value,", seconds(5, 5, 5)},
	{kit.Backoff{Duration: 5 * time.Second, Factor: 2}, "Factor 2 and Steps 0, with which it never grows,", seconds(5, 5, 5)},
	{kit.Backoff{Duration: 10 * time.Second, Factor: 2, Steps: 2}, "Factor 2, no Cap, and Steps 2, after which it grows no more,", seconds(10, 20, 40, 40)},
	{kit.Backoff{Duration: 5 * time.Second, Factor: 2, Steps: 2, Cap: time.Minute}, "Factor 2, Cap 1m, and Steps 2, after which it grows no more,", seconds(5, 10, 20, 20)},
	{kit.Backoff{Duration: time.Second, Steps: 9}, "Steps 9 and no Factor", seconds(1, 1, 1, 1)},
	{kit.Backoff{Duration: 40 * time.Second, Factor: 2, Steps: 9, Cap: 30 * time.Second}, "Factor 2, Steps 9 and Cap 30 s, which does not bound the first wait,", seconds(40, 30, 30)},
	{kit.Backoff{Duration: 8 * time.Second, Factor: 0.5, Steps: 9}, "Factor 0.5, Steps 9 and no Cap", seconds(8, 4, 2, 1)},
	{kit.Backoff{Duration: 10 * time.Minute}, "no Factor and no Cap", seconds(600, 600)},
	{kit.Backoff{Duration: time.Millisecond, Factor: 2, Steps: 5, Cap: 4 * time.Millisecond}, "Factor 2, Steps 5 and Cap 4 ms", milliseconds(1, 2, 4, 4)},
	{kit.Backoff{Duration: 1050 * time.Millisecond}, "no Factor and Steps 0", milliseconds(1050, 1050)},
}

func seconds(all ...int) []time.Duration { return times(time.Second, all) }

func milliseconds(all ...int) []time.Duration { return times(time.Millisecond, all) }

func times(unit time.Duration, all []int) []time.Duration {
	var out []time.Duration
	for _, n := range all {
		out = append(out, time.Duration(n)*unit)
	}
	return out
}

// neverGivesUp has each list, or each watch, fail for an hour and a half.
func neverGivesUp(t *conform.T, subject Subject, what string, failure error) {
	const wait, often = 40 * time.Second, 130
	s := serve(t)
	want := []due{{0, `list "0"`}}
	fails := func(context.Context, int) error { return failure }
	if what == "list" {
		s.onList = fails
	} else {
		s.onWatch = fails
		want = append(want, due{0, `watch "10"`})
	}
	for range often {
		want = append(want, due{wait, want[len(want)-1].what})
	}
	s.expect(fmt.Sprintf("Each %s is refused (%v). With a Backoff of %v, no Factor and Steps 0 another one follows %[3]v later, for an hour and a half, however often that has failed.", what, failure, wait), want...)
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: wait}})
	time.Sleep(often*wait + wait/2)
	s.asExpected()
	x.stop()
}

// stretchesByJitter has each list fail, and a Backoff that stretches each wait by up to three times itself. That
// none of two hundred is stretched by nine tenths of that happens once in a billion times.
func stretchesByJitter(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(context.Context, int) error { return errInternal }
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: time.Second, Cap: time.Second, Jitter: 3}})
	time.Sleep(800 * time.Second) // at least two hundred waits
	const of = "Every list fails. With a Backoff of 1s, Jitter 3, Cap 1s and Steps 0 each wait is stretched by a random part of up to three times itself, and Cap does not bound that. "
	waits := s.pauses()
	t.Require(len(waits) > 150, of+"Within 800s there were %s.", conform.Count(len(waits)+1, "list"))
	least, most := slices.Min(waits), slices.Max(waits)
	t.Require(least >= time.Second && most <= 4*time.Second, of+"The waits were from %v to %v, and 1s to 4s were due.", least, most)
	t.Require(most > 3700*time.Millisecond, of+"The longest of %d waits was %v, and one of nearly 4s was due.", len(waits), most.Round(time.Millisecond))
	x.stop()
}

// twoReflectors has a reflector whose lists fail until it is stopped, and another one with the same Options, which begins then.
func twoReflectors(t *conform.T, open func() Subject) {
	o := Options{Backoff: exact()}
	busy := serve(t)
	busy.onList = func(context.Context, int) error { return errInternal }
	first := run(t, open(), busy, o)
	time.Sleep(10 * time.Second) // 1 + 2 + 4, and in the wait of 8 s
	first.cancelNow()
	t.Wait()
	s := serve(t)
	s.onList = func(_ context.Context, n int) error { return map[int]error{1: errInternal, 2: errInternal}[n] }
	s.expect("A reflector had waited 1, 2 and 4 s when it was stopped, and another one with the same Options began. Each has a backoff of its own, so the first wait of that one is 1s and the second 2s.",
		due{0, `list "0"`}, due{time.Second, `list "0"`}, due{2 * time.Second, `list "0"`}, due{0, `watch "10"`})
	second := run(t, open(), s, o)
	time.Sleep(20 * time.Second)
	s.asExpected()
	second.stop()
	first.server.requireStopped()
}

// calmBesideASlowList has a list that takes most of two minutes in which nothing fails.
func calmBesideASlowList(t *conform.T, subject Subject) {
	const first = 100 * time.Millisecond
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		if n == 1 {
			return errInternal
		}
		if n == 2 {
			time.Sleep(100 * time.Second)
		}
		return nil
	}
	s.expect("A list failed. The next one came 100ms later and took 100s, and a watch failed 21s after that: for two minutes the reflector has not had to back off, so the wait is 100ms again.",
		due{0, `list "0"`}, due{first, `list "0"`}, due{100 * time.Second, `watch "10"`}, due{21*time.Second + first, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: first, Factor: 2, Steps: 20}})
	time.Sleep(first + 121*time.Second)
	s.watching().fail(errExpired)
	time.Sleep(time.Second)
	s.asExpected()
	x.stop()
}

// calmBesideTheNewest has a list that takes most of two minutes and is refused then, and the list of "" follows at once.
func calmBesideTheNewest(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		if n == 2 {
			time.Sleep(92 * time.Second)
		}
		return map[int]error{1: errInternal, 2: errExpired}[n]
	}
	s.expect("A list failed. The next one came 1s later and was refused with 410 after 92s, and the one of \"\" followed at once, which is no backing off. A watch failed with 429 90s after that: for two minutes the reflector has not had to back off, so the wait is 1s again.",
		due{0, `list "0"`}, due{time.Second, `list "0"`}, due{92 * time.Second, `list ""`}, due{0, `watch "10"`}, due{91 * time.Second, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact()})
	time.Sleep((1 + 92 + 90) * time.Second)
	s.watching().fail(errBusy)
	time.Sleep(10 * time.Second)
	s.asExpected()
	x.stop()
}

// failsOften is a script that returns err fifty times and answers nothing after that: a reflector that asks without a
// wait ends, too.
func failsOften(err error) func(ctx context.Context, n int) error {
	return func(ctx context.Context, n int) error {
		if n <= 50 {
			return err
		}
		return hangs(ctx, n)
	}
}

// waitsForTheDeadline has each list, or each watch, fail, and a context whose deadline comes in the middle of the wait
// after these.
func waitsForTheDeadline(t *conform.T, subject Subject, what string, limit time.Duration, waits ...time.Duration) {
	s := serve(t)
	want := []due{{0, `list "0"`}}
	if what == "list" {
		s.onList = failsOften(errInternal)
	} else {
		s.onWatch = failsOften(errRefused)
		want = append(want, due{0, `watch "10"`})
	}
	for _, wait := range waits {
		want = append(want, due{wait, want[len(want)-1].what})
	}
	s.expect(fmt.Sprintf("Each %s fails, and Run's context has a deadline after %v, in the middle of a wait. Until then the reflector waits: only ctx says whether it is done, and its deadline does not.", what, limit), want...)
	x := runFor(t, subject, s, limit, Options{Backoff: exact()})
	const before = 100 * time.Millisecond
	time.Sleep(limit - before)
	s.asExpected()
	t.Require(!probe.Closed(x.ended), "Each %s fails, and Run's context has a deadline after %v, in the middle of a wait. By now, after %v, Run has returned: it calls ListAndWatch again and again until ctx is done.", what, limit, limit-before)
	time.Sleep(before)
	x.hasReturned("The deadline of Run's context has passed")
	x.cancel()
}

// resyncFailsBesideAnEvent has a Resync fail while the store is in the middle of a method for an event. It
// runs outside a bubble, as waitsForResync does. ShouldResync agrees once the store is there.
func resyncFailsBesideAnEvent(t *conform.T, subject Subject, typ kit.EventType, method string) {
	inStore, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s, st := serve(t), newStore(t)
	st.onChange = func(*kit.Pod) error { close(inStore); <-release; return nil }
	st.onResync = func(int) error { return errors.New("the store is closed") }
	r := newReflector(t, subject, s, st, Options{ResyncPeriod: time.Millisecond, ShouldResync: func() bool { return probe.Closed(inStore) }})
	t.Go("reflector", func(a *conform.Actor) {
		defer close(ended)
		a.Do(func() { _ = r.ListAndWatch(t.Context()) }, "ListAndWatch(ctx)")
	})
	s.watching().send(event(typ, "a", "11"))
	<-inStore
	t.Wait() // what resyncs beside the store's other methods does so now
	t.Wait()
	returned := probe.Closed(ended)
	close(release)
	t.Require(!returned, "A Resync failed while the store was in %s, and ListAndWatch returned before %[1]s had: when it returns, for whatever reason, no goroutine of its own is left.", method)
	<-ended
	got := conform.Do(t.Actor, r.LastSyncResourceVersion, "LastSyncResourceVersion()")
	t.Require(got == "11", "While the store was in %s for %s a@11, a Resync failed. %[1]s returned no error, and after that ListAndWatch returned. LastSyncResourceVersion returned %[3]q, and \"11\" was due: after an event, LastSyncResourceVersion returns the object's version.", method, typ, got)
	s.requireStopped()
}
