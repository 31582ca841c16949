package reflectortest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var patience = []conform.Case[Subject]{
	{
		Name:   "a-busy-server-is-not-listed",
		Points: 6,
		Func:   "Reflector.ListAndWatch",
		Rule:   "After 429 or a refused connection, however often, the reflector waits one step of the backoff and watches again from the last version. It lists only after other errors.",
		Why:    "If every client that a busy server turns away sends it a list, the overload becomes an outage. The same holds for a server that has just come up.",
		Hint: []string{
			"Is your version still good after such an error? Would a list tell you anything new?",
			"Check kit.IsTooManyRequests and kit.IsConnectionRefused, both when a watch is not granted and when it fails later.",
		},
		Source: "client-go tools/cache/reflector.go: isWatchErrorRetriable; kubernetes#100878",
		Contract: []string{
			"It failed, or was not granted, with kit.IsTooManyRequests or kit.IsConnectionRefused: the next watch, after one step of the backoff.",
			"Each watch begins at LastSyncResourceVersion",
			"It failed, or was not granted, in any other way: ListAndWatch returns that error",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := serve(t)
			s.onWatch = func(_ context.Context, n int) error {
				return map[int]error{1: errRefused, 2: fmt.Errorf("get pods: %w", errBusy), 3: errUnsaid, 6: errTimeout, 7: errInWords}[n]
			}
			s.expect("A server that is busy or away is asked for a watch again from the last version, after one step of the backoff. After any other error it is asked for a list.",
				due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `watch "10"`}, due{2 * time.Second, `watch "10"`},
				due{4 * time.Second, `watch "10"`}, due{8 * time.Second, `watch "11"`},
				due{16 * time.Second, `list "11"`}, due{0, `watch "11"`}, due{30 * time.Second, `list "11"`}, due{0, `watch "11"`}, due{30 * time.Second, `list "11"`}, due{0, `watch "11"`})
			s.because(map[int]string{
				3: "The connection was refused.", 4: "An error that wraps a 429 was the answer: kit.IsTooManyRequests knows it.",
				5: "An error that wraps a refused connection, and does not say so in its own words, was the answer: kit.IsConnectionRefused knows it.",
				6: "The watch had brought version 11, and then failed with an Error event that has the reason TooManyRequests, and no code.",
				7: "The watch failed with a timeout (504): kit.IsTooManyRequests says no.", 9: "The answer was a timeout (504): kit.IsTooManyRequests says no.",
				11: "The answer (500) says that something behind the server refused a connection: kit.IsConnectionRefused says no.",
			})
			x := run(t, open(), s, Options{Backoff: exact()})
			time.Sleep(7 * time.Second) // 1 + 2 + 4
			w := s.watching()
			w.send(event(kit.Added, "a", "11"))
			t.Wait()
			s.now("11", pod("a", "11"))
			w.fail(errNoCode)
			time.Sleep(8 * time.Second)
			s.watching().fail(errTimeout) // at 15 s; then 16 s, and 30 s twice
			time.Sleep(90 * time.Second)
			s.asExpected()
			x.stop()
			busyForLong(t, open(), kit.Backoff{Duration: time.Second}, "Steps 0 and no Factor", 1)
			busyForLong(t, open(), kit.Backoff{Duration: time.Second, Factor: 2, Steps: 5, Cap: 2 * time.Second}, "Factor 2, Steps 5 and Cap 2 s", 2)
			busyForLong(t, open(), kit.Backoff{Duration: time.Second, Factor: 1.5, Steps: 1}, "Factor 1.5 and Steps 1", 1.5)
			neverGivesUp(t, open(), "watch", errRefused)
			neverGivesUp(t, open(), "watch", errBusy)
		},
	},
	{
		Name:   "a-very-short-watch-has-failed",
		Points: 4,
		Func:   "Reflector.ListAndWatch",
		Rule:   "A watch that ends in less than a second without an event has failed: one step of the backoff, then a list.",
		Why:    "A proxy that cuts every connection at once makes each watch look as if it had ended well. A reflector that begins the next one at once does nothing else from then on.",
		Hint: []string{
			"How many watches does your loop begin in a second if each ends at once?",
			"Note the time before the request, count the events, and look at both when the channel is closed.",
		},
		Source: "client-go tools/cache/reflector.go: VeryShortWatchError",
		Contract: []string{
			"if it was closed less than a second after it was asked for, and not one event had come, the watch has failed. Every event counts, a Bookmark and one of an unknown type too.",
			"Its ResultChan was closed: the next watch, at once.",
			"It failed, or was not granted, in any other way: ListAndWatch returns that error",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := serve(t)
			s.expect("After a watch that ends within a second of its request and brings nothing come one step of the backoff and a list, and after any other that ends well the next watch, at once.",
				due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{0, `watch "10"`},
				due{2900 * time.Millisecond, `list "10"`}, due{0, `watch "10"`}, due{500 * time.Millisecond, `watch "12"`}, due{1500 * time.Millisecond, `watch "12"`},
				due{0, `watch "13"`}, due{4 * time.Second, `list "13"`}, due{0, `watch "13"`})
			s.because(map[int]string{
				3: "Watch 1 ended at once, with nothing.", 5: "Watch 2 ended after 0.9s, with nothing.", 7: "Watch 3 ended after 0.5s, with a Bookmark.",
				8: "Watch 4 ended after 1.5s, with nothing.", 9: "Watch 5 ended at once, with a Bookmark.", 10: "Watch 6 ended at once, with nothing, although the one before it had brought something. A watch that ended well does not make the waits start over.",
			})
			x := run(t, open(), s, Options{Backoff: exact()})
			s.watching().end() // after nothing at all
			time.Sleep(1500 * time.Millisecond)
			w := s.watching()
			time.Sleep(400 * time.Millisecond)
			w.end() // after 0.9 s
			time.Sleep(2500 * time.Millisecond)
			w = s.watching()
			w.send(bookmark("12"))
			w.end() // soon, but with an event
			w = s.watching()
			time.Sleep(1500 * time.Millisecond)
			w.end() // not soon
			w = s.watching()
			s.now("13")
			w.send(bookmark("13"))
			w.end() // soon, but with an event
			s.watching().end()
			time.Sleep(5 * time.Second)
			s.asExpected()
			x.stop()
			onTheBorderOfShort(t, open())
			shortAfterARefusal(t, open())
			shortWithoutAVersion(t, open(), "")
			shortWithoutAVersion(t, open(), "0")
		},
	},
	{
		Name:   "waits-longer-each-time",
		Points: 5,
		Func:   "Options.Backoff",
		Look:   []string{"DefaultBackoff", "New", "the code that steps the backoff"},
		Rule:   "The default backoff waits 0.8 s, then twice as long each time up to 30 s, and each wait is stretched at random by up to itself.",
		Why:    "All clients come back to a server after an outage. Growing waits make the requests few, and jitter spreads them.",
		Hint: []string{
			"Do you step one Backoff, or a fresh copy of it each time?",
			"Take DefaultBackoff() once, in New, if options.Backoff is the zero value. Its Step does the rest, jitter too.",
		},
		Source: "client-go tools/cache/reflector.go: NewReflectorWithOptions; kubernetes#87794 (fixed retry of 1 s)",
		Contract: []string{
			"The zero value is DefaultBackoff. A reflector never gives up: Steps only bounds how often the wait grows, and with Steps 0 it never does.",
			"0.8 s at first, then twice as long each time up to 30 s, and each wait stretched by a random part of up to itself",
			"The waits start over when the reflector has not had to back off for two minutes",
			"It bounds neither the jitter nor a Duration that was above it from the start.",
			"0 for as long as the one before",
			"0 is for no cap.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			outages(t, open, "list", due{0, `list "0"`})
			for _, c := range steps {
				waitsAre(t, open(), c.backoff, c.fields, c.waits...)
			}
			stretchesByJitter(t, open())
		},
	},
	{
		Name:   "one-backoff-for-all",
		Points: 5,
		Func:   "Reflector.Run",
		Look:   []string{"Reflector.Run", "the code that steps the backoff and starts it over"},
		Rule:   "Lists and watches share one backoff, which starts over after two minutes without a failure and not with a success.",
		Why:    "A server that answers every list and breaks every watch is in trouble. If each successful list starts the waits over, the server gets a list every second for hours.",
		Hint: []string{
			"How many backoffs do you have, and what resets them?",
			"Remember when the last wait was. Only if that was more than two minutes ago does the next one start over.",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: Backoff.DelayWithReset; kubernetes#118129 (two backoffs, each reset by the other's success)",
		Contract: []string{
			"There is one Backoff for everything that can fail. Each wait is its next step, be it that of Run or one before the next watch.",
			`(A list that is asked for again with "", at once, takes none.)`,
			"A wait that is cut short still uses its step, and counts as having ended when it was cut.",
			"The waits start over when the reflector has not had to back off for two minutes, be it within a Run or between two, and only then; a successful request is no reason.",
			"A second Run goes on with the version and the backoff of the first.",
			"Run calls ListAndWatch again and again until ctx is done",
			"A reflector never gives up: Steps only bounds how often the wait grows, and with Steps 0 it never does.",
			"each wait stretched by a random part of up to itself",
			"Nothing else ends a request, however long the server takes to answer: it has no time limit of its own.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := serve(t)
			s.onList = func(_ context.Context, n int) error { return map[int]error{2: errInternal}[n] }
			s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errBusy, 2: errInternal}[n] }
			s.expect("Failures of watches and of lists, whatever succeeds between them, are followed by waits of 1, 2, 4, 8 and 16 s, and of 1 s again after minutes without one. (The watches from 7s on went well for 3s, 12s and 4m44s, and the Backoff has no Jitter.)",
				due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `watch "10"`}, due{2 * time.Second, `list "10"`},
				due{4 * time.Second, `list "10"`}, due{0, `watch "10"`},
				due{(3 + 8) * time.Second, `list "10"`}, due{0, `watch "10"`}, // it was well for 3 s
				due{(12 + 16) * time.Second, `list "10"`}, due{0, `watch "10"`},
				due{(284 + 1) * time.Second, `list "10"`}, due{0, `watch "10"`})
			const again = "A watch failed with 410, as others may have before: the list after it asks for the last version."
			s.because(map[int]string{7: again, 9: again, 11: again})
			x := run(t, open(), s, Options{Backoff: exact()})
			time.Sleep(10 * time.Second)  // watch, 1 s, watch, 2 s, list, 4 s, list, watch from 7 s on
			s.watching().fail(errExpired) // at 10 s; then 8 s
			time.Sleep(20 * time.Second)  // watching from 18 s on
			s.watching().fail(errExpired) // at 30 s; then 16 s
			time.Sleep(5 * time.Minute)   // watching from 46 s on, and well
			s.watching().fail(errExpired) // then 1 s again
			time.Sleep(time.Minute)       //
			s.asExpected()
			x.stop()
			growsAgain(t, open())
			startsOverInTime(t, open())
			neverGivesUp(t, open(), "list", errInternal)
			twoReflectors(t, open)
			calmBesideASlowList(t, open())
			calmBesideTheNewest(t, open())
			runsAgain(t, open())
			runsAgainLater(t, open())
			stepsBeforeWatches(t, open())
			cutBeforeAWatch(t, open())
			outages(t, open, "watch", due{0, `list "0"`}, due{0, `watch "10"`})
		},
	},
}

// busyForLong has a server that is busy, or away, for thirty watches, and a Backoff whose other fields
// are named. After the first wait, of 1 s, all are the same.
func busyForLong(t *conform.T, subject Subject, b kit.Backoff, fields string, then float64) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error {
		return map[int]error{0: errBusy, 1: errRefused}[n/10%2]
	}
	want, wait := []due{{0, `list "0"`}, {0, `watch "10"`}, {time.Second, `watch "10"`}}, time.Duration(then*float64(time.Second))
	for range 29 {
		want = append(want, due{wait, `watch "10"`})
	}
	s.expect(fmt.Sprintf("A server is busy, or away, when it is asked for thirty watches. With a Backoff of 1s, %s it is asked for one after 1s, and for the others every %v, however often that has failed.", fields, wait), want...)
	x := run(t, subject, s, Options{Backoff: b})
	time.Sleep(29*wait + 1500*time.Millisecond)
	s.asExpected()
	x.stop()
}

// shortAfterARefusal ends a watch soon that was granted to a second request.
func shortAfterARefusal(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errBusy}[n] }
	s.expect("A watch was refused with 429. The next one ended 0.7s after it was asked for and without an event, beside a resync each 300ms, so it has failed: its own request counts, and a resync is no event.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `watch "10"`}, due{2700 * time.Millisecond, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact(), ResyncPeriod: 300 * time.Millisecond})
	time.Sleep(time.Second)
	w := s.watching()
	time.Sleep(700 * time.Millisecond)
	w.end()
	time.Sleep(4 * time.Second)
	s.asExpected()
	x.stop()
}

// shortWithoutAVersion ends watches soon that began at a version that is none.
func shortWithoutAVersion(t *conform.T, subject Subject, version string) {
	s := serve(t)
	s.now(version)
	watch := fmt.Sprintf("watch %q", version)
	s.expect(fmt.Sprintf("A watch from %q that ends within a second of its request and brings nothing has failed, like any other: one step of the backoff and a list follow.", version),
		due{0, `list "0"`}, due{0, watch}, due{time.Second, `list "0"`}, due{0, watch}, due{500 * time.Millisecond, watch}, due{2 * time.Second, `list "0"`}, due{0, watch})
	s.because(map[int]string{
		3: "Watch 1 ended at once, with nothing.", 5: "Watch 2 ended after 0.5s, with an Added event.", 6: "Watch 3 ended at once, with nothing, although the one before it had brought something.",
	})
	x := run(t, subject, s, Options{Backoff: exact()})
	s.watching().end()
	time.Sleep(1500 * time.Millisecond)
	w := s.watching()
	w.send(event(kit.Added, "a", "20"))
	w.end()
	s.watching().end()
	time.Sleep(5 * time.Second)
	s.asExpected()
	x.stop()
}

// onTheBorderOfShort ends watches that are short or nearly so: without an event, with one of an unknown
// type, and with one that the store refuses.
func onTheBorderOfShort(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error {
		if n == 1 {
			time.Sleep(800 * time.Millisecond)
		}
		return nil
	}
	s.expect("Six watches ended, each at least a second after its request or with an event, of whatever type and whatever the store returned for it. None of them has failed.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{1200 * time.Millisecond, `watch "10"`}, due{time.Second, `watch "10"`}, due{0, `watch "10"`}, due{0, `watch "11"`}, due{0, `watch "12"`}, due{0, `watch "13"`})
	s.because(map[int]string{
		3: "Watch 1 ended 1.2s after it was asked for, and 0.4s after it was granted.", 4: "Watch 2 ended after exactly a second.", 5: "Watch 3 ended at once, with an event of an unknown type.",
		6: "Watch 4 ended at once, with an Added event.", 7: "Watch 5 ended at once, with a Modified event.", 8: "Watch 6 ended at once, with a Deleted event.",
	})
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.onChange = func(*kit.Pod) error { return errFull }
	})
	time.Sleep(800 * time.Millisecond)
	w := s.watching()
	time.Sleep(400 * time.Millisecond)
	w.end() // 1.2 s after it was asked for, 0.4 s after it was granted
	w = s.watching()
	time.Sleep(time.Second)
	w.end() // after a second, which is not less than one
	w = s.watching()
	w.send(event("RENAMED", "z", "10"))
	w.end() // at once, but with an event
	for i, typ := range []kit.EventType{kit.Added, kit.Modified, kit.Deleted} {
		w = s.watching()
		w.send(event(typ, "a", strconv.Itoa(11+i)))
		w.end() // at once, but with an event, though the store did not take it
	}
	s.watching()
	s.asExpected()
	x.stop()
}

// outages puts several reflectors to a server that refuses every list, or every watch. atOnce
// are the requests that no wait comes before; the last of them is the first that is refused.
func outages(t *conform.T, open func() Subject, refused string, atOnce ...due) {
	first, longest := map[time.Duration]bool{}, time.Duration(0)
	const many = 6
	n, all := len(atOnce), slices.Clone(atOnce)
	for least := 800 * time.Millisecond; len(all) < n+7; least = min(2*least, 30*time.Second) {
		all = append(all, due{least, atOnce[n-1].what})
	}
	var most, spread float64
	for range many {
		s := serve(t)
		if refused == "list" {
			s.onList = func(context.Context, int) error { return errInternal }
		} else {
			s.onWatch = func(context.Context, int) error { return errBusy }
		}
		s.expect(fmt.Sprintf("Every %s is refused, and each wait is as long as the backoff says, or stretched by up to itself.", refused), all...)
		s.plan.stretch, s.plan.more = true, true
		x := run(t, open(), s, Options{})
		time.Sleep(4 * time.Minute)
		s.asExpected()
		pauses := s.pauses()[n-1:]
		first[pauses[0]] = true
		longest = max(longest, slices.Max(pauses))
		parts := stretched(pauses, all[n:])
		most, spread = max(most, slices.Max(parts)), max(spread, slices.Max(parts)-slices.Min(parts))
		x.stop()
	}
	of := fmt.Sprintf("Every %s was refused, and six reflectors", refused)
	t.Require(len(first) > 1, "%s all had the same first wait: there is no jitter. Each wait is stretched by a random part of up to itself.", of)
	t.Require(spread > 0.05, "%s waited seven times each, and each of them stretched its waits by the same part of themselves, up to %.2f. The part is random for each wait.", of, spread)
	t.Require(longest > 31*time.Second, "%s waited for 4m each, and none of the waits was longer than %v. Cap bounds a wait before it is stretched: one of 30s may become one of 60s.", of, longest)
	t.Require(most > 0.5, "%s waited seven times each, and none of the 42 waits was stretched by more than %.2f of itself. Each is stretched by a random part of up to itself.", of, most)
}

// stretched is by which part of itself each of the waits that were due was stretched. All of them
// come within the first two minutes.
func stretched(pauses []time.Duration, waits []due) []float64 {
	var parts []float64
	for i, wait := range waits {
		parts = append(parts, pauses[i].Seconds()/wait.after.Seconds()-1)
	}
	return parts
}

// waitsAre requires these waits of a reflector with a Backoff whose other fields are named.
func waitsAre(t *conform.T, subject Subject, b kit.Backoff, fields string, waits ...time.Duration) {
	s := serve(t)
	s.onList = failsOften(errInternal)
	want, all, named := []due{{0, `list "0"`}}, time.Duration(0), []string(nil)
	for _, wait := range waits {
		named = append(named, wait.String())
		want, all = append(want, due{wait, `list "0"`}), all+wait
	}
	s.expect(fmt.Sprintf("Every list fails. With a Backoff of %v, %s the waits are %s: Steps bound how often they grow, and not how often a list is tried.", b.Duration, fields, strings.Join(named, ", ")), want...)
	x := run(t, subject, s, Options{Backoff: b})
	time.Sleep(all + waits[len(waits)-1]/3)
	s.asExpected()
	x.stop()
}

// runsAgain has a Run that is stopped during an outage, and another one on the same reflector.
func runsAgain(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		return map[int]error{2: errInternal, 3: errInternal, 4: errInternal}[n]
	}
	s.expect("A watch and two lists failed, with waits of 1 and 2 s. In the wait after that Run's context was cancelled, and Run was called again. It goes on with the version of the first and with its backoff.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{2 * time.Second, `list "10"`},
		due{time.Second, `list "10"`}, due{anytime, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact()})
	s.watching().fail(errExpired)
	time.Sleep(4 * time.Second) // lists at 1 and 3 s; then 4 s
	x.again()
	time.Sleep(20 * time.Second)
	s.asExpected()
	wait := s.pauses()[4]
	t.Require(wait >= 8*time.Second, "After waits of 1 and 2 s Run was cancelled in the third, of 4s, and called again. Its first list failed, and the wait after that was %v: a second Run goes on with the backoff of the first. A wait that is cut short still uses its step, so the next one is at least 8s.", wait)
	x.stop()
}

// runsAgainLater has a Run that is stopped in its first wait, and another one after more than two minutes,
// in some of which the first would still have waited.
func runsAgainLater(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error { return map[int]error{1: errInternal, 2: errInternal}[n] }
	s.expect("A list failed, and Run's context was cancelled in the wait of 100s after that, which ended then. 130s later Run was called again, and its first list failed. For more than two minutes the reflector has not had to back off, so the next wait is 100s again.",
		due{0, `list "0"`}, due{anytime, `list "0"`}, due{100 * time.Second, `list "0"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: 100 * time.Second, Factor: 2, Steps: 9}})
	time.Sleep(500 * time.Millisecond)
	x.cancelNow()
	t.Wait()
	t.Require(probe.Closed(x.ended), "Run's context was cancelled in the middle of a wait, and Run did not return at that moment.")
	time.Sleep(130 * time.Second)
	x.ended, x.cancel = goRun(t, x.r)
	time.Sleep(110 * time.Second)
	s.asExpected()
	x.stop()
}

// stepsBeforeWatches has a ListAndWatch that goes on for more than two minutes and has to back off in
// the last of them, and then a wait before a watch that is cut short when Run's context is cancelled.
func stepsBeforeWatches(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{2: errBusy, 3: errExpired}[n] }
	s.expect("A watch was well for 130s and failed with 429. The next one was refused with 429, and the one after that with 410: the waits are 1, 2 and 4 s, however long ListAndWatch has gone on.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{131 * time.Second, `watch "10"`}, due{2 * time.Second, `watch "10"`}, due{4 * time.Second, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact()})
	time.Sleep(130 * time.Second)
	s.watching().fail(errBusy)
	time.Sleep(10 * time.Second)
	w := s.watching()
	time.Sleep(123*time.Second - s.sinceLast())
	s.asExpected()
	w.fail(errBusy)
	time.Sleep(500 * time.Millisecond)
	x.again()
	time.Sleep(80 * time.Second)
	x.waitsOn("A watch was well for 123s and failed with 429. The wait after that, of 1s, was cut short when Run's context was cancelled. In a second Run a watch failed with 410, 80s later")
}

// cutBeforeAWatch has a first wait, before a watch, that is cut short when Run's context is cancelled.
func cutBeforeAWatch(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errBusy}[n] }
	x := run(t, subject, s, Options{Backoff: exact()})
	time.Sleep(500 * time.Millisecond)
	x.again()
	x.waitsOn("The first watch was refused with 429. The wait after that, of 1s, was cut short when Run's context was cancelled. In a second Run a watch failed with 410 at once")
}

// waitsOn fails the open watch, requires that the wait for the list after that is no first one, and
// stops. The sentence says what has happened, that failure included.
func (x *running) waitsOn(sentence string) {
	w, s := x.server.watching(), x.server
	s.expect(sentence+": a list follows.", due{anytime, `list "10"`}, due{0, `watch "10"`})
	n, failed := len(s.log()), x.t.Elapsed()
	w.fail(errExpired)
	time.Sleep(20 * time.Second)
	s.asExpected()
	wait := s.log()[n].At - failed
	x.t.Require(wait >= 2*time.Second, "%s. The list followed after %v, and at least 2s were due: a wait that is cut short still uses its step, and the waits start over only after two minutes in which the reflector did not have to back off.", sentence, wait)
	x.stop()
}

// growsAgain has three outages, an hour apart, each long enough for the waits to reach the cap.
// In the second one the server is busy and no list is asked for.
func growsAgain(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		if n == 6 || n == 11 {
			return nil
		}
		return errInternal
	}
	s.onWatch = func(_ context.Context, n int) error {
		return map[int]error{2: errBusy, 3: errBusy, 4: errRefused, 5: errBusy}[n]
	}
	const apart = time.Hour + 30*time.Second // a reflector that starts over every two minutes does so in none of them
	const all = 24 * time.Second             // the waits of an outage
	s.expect("1, 2, 4, 8 and 9 s were due in each: the waits start over when an outage begins, with all fields of the Backoff, and not at each step after that.",
		due{0, `list "0"`}, due{time.Second, `list "0"`}, due{2 * time.Second, `list "0"`}, due{4 * time.Second, `list "0"`}, due{8 * time.Second, `list "0"`}, due{9 * time.Second, `list "0"`}, due{0, `watch "10"`},
		due{apart - all + time.Second, `watch "10"`}, due{2 * time.Second, `watch "10"`}, due{4 * time.Second, `watch "10"`}, due{8 * time.Second, `watch "10"`}, due{9 * time.Second, `watch "10"`},
		due{apart - all + time.Second, `list "10"`}, due{2 * time.Second, `list "10"`}, due{4 * time.Second, `list "10"`}, due{8 * time.Second, `list "10"`}, due{9 * time.Second, `list "10"`}, due{0, `watch "10"`})
	first := t.Elapsed()
	x := run(t, subject, s, Options{Backoff: kit.Backoff{Duration: time.Second, Factor: 2, Steps: 9, Cap: 9 * time.Second}})
	time.Sleep(apart)
	w := s.watching()
	t.Require(w.number == 1, "Watch 1 was open and well, the server did not end it, and within an hour the reflector had asked for another: by now watch %d is open. Only ctx ends a request, or a Resync that failed: it has no time limit of its own.", w.number)
	w.fail(errBusy)
	time.Sleep(apart)
	s.watching().fail(errExpired)
	time.Sleep(apart)
	if wrong := s.plan.end(&s.mu); wrong != "" {
		t.Fatalf("With a Backoff of 1 s, Factor 2 and Cap 9 s the waits of three outages, an hour apart, were %v, %v and %v. %s",
			s.waitsFrom(first), s.waitsFrom(first+apart), s.waitsFrom(first+2*apart), wrong)
	}
	s.watching()
	x.stop()
}
