package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var retries = []conform.Case[Subject]{
	{
		Name:   "retry-follows-its-backoff",
		Points: 4,
		Func:   "RetryOnConflict",
		Rule:   "While it conflicts f is called Steps times, with Step() of waiting between two calls, and when the tries are used up the last conflict is returned at once.",
		Why:    "Thousands of controllers that retry together, without a wait, make a slow server slower; and 'timed out' hides the conflict.",
		Hint: []string{
			"How long is it between the calls of f in your history, and after the last one?",
			"There is no wait after the last try. Return then what f returned then.",
			"backoff.Step() uses up a try and says how long to wait.",
		},
		Source: "client-go util/retry/util.go: OnError; apimachinery pkg/util/wait/backoff.go: ExponentialBackoff",
		Contract: []string{
			"If f returns nothing but conflicts, it is called backoff.Steps times",
			"It is called fewer times only if Step uses up all tries at once, as it does when the next wait would grow beyond the Cap (see kit.Backoff), or if ctx ends. Between two calls RetryOnConflict waits for backoff.Step().",
			"When the tries are used up, by the Cap too, it returns at once, with the last conflict exactly as f returned it",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			ms := time.Millisecond
			for _, try := range []struct {
				backoff kit.Backoff
				want    []time.Duration
			}{
				{kit.Backoff{Duration: 10 * ms, Factor: 1, Steps: 5}, []time.Duration{0, 10 * ms, 20 * ms, 30 * ms, 40 * ms}},
				{kit.Backoff{Duration: 10 * ms, Factor: 5, Steps: 4}, []time.Duration{0, 10 * ms, 60 * ms, 310 * ms}},
				{kit.Backoff{Duration: 10 * time.Minute, Factor: 3, Steps: 4}, []time.Duration{0, 10 * time.Minute, 40 * time.Minute, 130 * time.Minute}},
				{kit.Backoff{Duration: ms, Steps: 3}, []time.Duration{0, ms, 2 * ms}},
				{kit.Backoff{Steps: 30}, make([]time.Duration, 30)},
				{kit.Backoff{Duration: time.Second, Steps: 3}, []time.Duration{0, time.Second, 2 * time.Second}},
				{kit.Backoff{Duration: time.Hour, Factor: 2, Steps: 1}, []time.Duration{0}},
				{kit.Backoff{Duration: 10 * time.Second, Steps: 3, Cap: 5 * time.Second}, []time.Duration{0, 10 * time.Second, 20 * time.Second}},
			} {
				exhaust(t, s, try.backoff).follows(try.want...)
			}
			capped := kit.Backoff{Duration: 10 * ms, Factor: 5, Steps: 9, Cap: 100 * ms}
			used := exhaust(t, s, capped)
			t.Require(len(used.calls) == 2, "The backoff grows beyond its Cap of 100ms after two tries, which ends the tries, and f was called %s.", conform.Count(len(used.calls), "time"))
			used.began(0, 10*ms)
			used.returnsLast()
			waitsAfterwards(t, s)
			sameConflict(t, s)
			jittered := exhaust(t, s, kit.Backoff{Duration: time.Hour, Jitter: 1, Steps: 12})
			t.Require(len(jittered.calls) == 12, "The backoff has 12 tries, and f was called %s.", conform.Count(len(jittered.calls), "time"))
			t.Require(jittered.took > 11*time.Hour, "Each of 11 waits is an hour and up to an hour of jitter more, drawn anew, and they took %v in all: none was lengthened.", jittered.took)
			for range 3 {
				s := open() // has the package's variables as they are now
				exhaust(t, s, s.DefaultRetry).within("DefaultRetry", 10*ms, 10*ms, 10*ms, 10*ms)
				exhaust(t, s, s.DefaultBackoff).within("DefaultBackoff", 10*ms, 50*ms, 250*ms)
			}
		},
	},
	{
		Name:   "retry-tries-at-least-once",
		Points: 2,
		Func:   "RetryOnConflict",
		Rule:   "With a backoff that has no steps f is called once, and what it returns is returned.",
		Why:    "The zero Backoff is what a forgotten option looks like. A nil for a write that nobody tried would make its caller go on as if it had been done.",
		Hint: []string{
			"What does your loop do if Steps is 0 from the start?",
			"Call f before you look at Steps.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"it is called backoff.Steps times, and once if that is zero or less",
			"It is called fewer times only if Step uses up all tries at once, as it does when the next wait would grow beyond the Cap (see kit.Backoff)",
			"When the tries are used up, by the Cap too, it returns at once, with the last conflict exactly as f returned it",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, steps := range []int{0, -1} {
				none := kit.Backoff{Duration: time.Hour, Steps: steps}
				used := exhaust(t, s, none)
				t.Require(len(used.calls) == 1, "With a backoff of %s f is called once, and was called %s.", conform.Count(steps, "step"), conform.Count(len(used.calls), "time"))
				used.follows(0)
			}
			zero := exhaust(t, s, kit.Backoff{})
			t.Require(len(zero.calls) == 1, "With the zero Backoff, which has no steps, f is called once, and was called %s.", conform.Count(len(zero.calls), "time"))
			zero.follows(0)
			capped := exhaust(t, s, kit.Backoff{Duration: 10 * time.Millisecond, Factor: 5, Steps: 9, Cap: 100 * time.Millisecond})
			t.OnTime("RetryOnConflict returned", capped.took, 10*time.Millisecond, "the backoff grew beyond its Cap of 100ms, which ended the tries with none left to wait for,")
		},
	},
	{
		Name:   "retry-heeds-its-context",
		Points: 4,
		Func:   "RetryOnConflict",
		Rule:   "Once ctx is done f is not called again, a wait ends at once, and the last conflict is returned; with no call made yet, ctx.Err().",
		Why:    "On SIGTERM a controller has thirty seconds; one that sits out its backoff first is killed in the middle of a write.",
		Hint: []string{
			"What can interrupt your wait? time.Sleep listens to nobody.",
			"A select on a timer and on ctx.Done(). If both are ready it picks either: check ctx again.",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: ExponentialBackoffWithContext; kubernetes#116435: a backoff that ignored stop",
		Contract: []string{
			"If ctx is done before the first call, f is not called and the result is ctx.Err().",
			"If ctx ends later, f is not called again and RetryOnConflict returns the last conflict, at once even if it was waiting.",
			"It does not give up before that, even if ctx's deadline is nearer than the end of the wait.",
			"RetryOnConflict calls f until it returns something other than a conflict, and returns that",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			hourly := kit.Backoff{Duration: time.Hour, Factor: 1, Steps: 5}
			const ended = 90*time.Minute + 12345678*time.Nanosecond // no round time, which a loop that looks now and then would meet
			ctx, cancel := context.WithTimeoutCause(t.Context(), ended, errors.New("the cause"))
			defer cancel()
			t.Ends(ctx)
			calls := 0
			var last error
			err := retry(t, s, ctx, hourly, func() error {
				calls++
				last = kit.NewConflict("pods", "web")
				return last
			})
			t.OnTime("RetryOnConflict returned", t.Elapsed(), ended, "ctx ended, during a wait,")
			t.Require(calls == 2, "In an hour and a half f is called twice, at the start and after the first wait of an hour, and it was called %d times.", calls)
			t.Require(err == last, "The context ended during a wait, and RetryOnConflict did not return the last conflict, but %q.", fmt.Sprint(err))

			calls = 0
			err = retry(t, s, ctx, hourly, func() error { calls++; return nil })
			t.Require(calls == 0, "RetryOnConflict was called with a context that was done, and called f, which it must not.")
			t.Require(err == context.DeadlineExceeded, "The context was done before the first call, and RetryOnConflict did not return its error, %q, but %q.", context.DeadlineExceeded, fmt.Sprint(err))

			err = retry(t, s, ctx, kit.Backoff{}, func() error { calls++; return nil })
			t.Require(calls == 0 && err == context.DeadlineExceeded, "With a backoff without steps and a context that was done RetryOnConflict called f %s and returned %s: f is not called, and the result is the context's error.", conform.Count(calls, "time"), conform.Said(err))

			for range 50 { // a select with two ready cases takes either
				ctx, cancel := t.WithCancel(t.Context(), "ctx")
				calls := 0
				err := retry(t, s, ctx, kit.Backoff{Factor: 1, Steps: 3}, func() error {
					calls++
					cancel()
					return kit.NewConflict("pods", "web")
				})
				t.Require(calls == 1, "The context ended during the first call of f, after which f may not be called again, and it was called %d times.", calls)
				t.Require(kit.IsConflict(err), "The context ended while f was under way, and RetryOnConflict did not return the conflict of f, but %q.", fmt.Sprint(err))
			}
			conflict := kit.NewConflict("pods", "the last")
			for _, own := range []error{context.Canceled, context.DeadlineExceeded} { // of a context that f made itself
				endsTheTries(t, s, own)
			}
			for _, end := range []error{nil, &ownError{}, conflict} { // what was done is done
				ctx, cancel := t.WithCancel(t.Context(), "ctx")
				calls := 0
				err := retry(t, s, ctx, kit.Backoff{Duration: time.Hour, Factor: 1, Steps: 2}, func() error {
					if calls++; calls == 1 {
						return kit.NewConflict("pods", "web")
					}
					cancel()
					return end
				})
				t.Require(err == end, "The context ended during the second and last call of f, which returned %v, and RetryOnConflict returned %s: it returns what f returned last.", end, conform.Said(err))
			}
		},
	},
}

// tried is what RetryOnConflict did with an f that conflicts at every call.
type tried struct {
	t     *conform.T
	calls []time.Duration // when f was called, since the beginning
	all   []error         // what f returned, call by call
	took  time.Duration
	err   error
}

// endless is a number of calls that no backoff of these cases has: f succeeds after them, so that
// a loop without end has one.
const endless = 100

// exhaust lets f conflict at every call, each time with another error, wrapped
// every second time.
func exhaust(t *conform.T, s Subject, b kit.Backoff) tried {
	began := t.Elapsed()
	u := tried{t: t}
	u.err = retry(t, s, t.Context(), b, func() error {
		u.calls = append(u.calls, t.Elapsed()-began)
		if len(u.calls) > endless {
			return nil
		}
		var conflict error = kit.NewConflict("pods", "web")
		if len(u.calls)%2 == 1 {
			conflict = fmt.Errorf("update status: %w", conflict)
		}
		u.all = append(u.all, conflict)
		return conflict
	})
	u.took = t.Elapsed() - began
	return u
}

// waitsAfterwards has f take longer than the wait: between two calls is from the return of one
// to the next.
func waitsAfterwards(t *conform.T, s Subject) {
	const took, wait = 30 * time.Millisecond, 20 * time.Millisecond
	var returned time.Duration
	calls := 0
	err := retry(t, s, t.Context(), kit.Backoff{Duration: wait, Factor: 1, Steps: 3}, func() error {
		if calls++; calls > 1 {
			t.OnTime(fmt.Sprintf("Try %d of f began", calls), t.Elapsed(), returned+wait, "the try before it has returned, and the wait is over,")
		}
		time.Sleep(took)
		returned = t.Elapsed()
		return kit.NewConflict("pods", "web")
	})
	t.Require(calls == 3 && kit.IsConflict(err), "The backoff has 3 tries, f conflicts at each, and was called %s; RetryOnConflict returned %s.", conform.Count(calls, "time"), conform.Said(err))
}

// sameConflict has f return one and the same error at every call.
func sameConflict(t *conform.T, s Subject) {
	conflict, calls := kit.NewConflict("pods", "web"), 0
	err := retry(t, s, t.Context(), kit.Backoff{Duration: time.Millisecond, Steps: 4}, func() error { calls++; return conflict })
	t.Require(calls == 4 && err == conflict, "The backoff has 4 tries, and f returned the same conflict, one error value, at each call. It was called %s, and RetryOnConflict returned %s.", conform.Count(calls, "time"), conform.Said(err))
}

// follows requires that f was called at these moments and no more, and that
// RetryOnConflict then returned at once what f had.
func (u tried) follows(want ...time.Duration) {
	wrapped := ""
	if len(u.calls) == 1 {
		wrapped = " What it returned was a conflict wrapped with %w, which kit.IsConflict recognises."
	}
	u.t.Require(len(u.calls) == len(want), "The backoff has %s, and f was called %s.%s", conform.Count(len(want), "try", "tries"), conform.Count(len(u.calls), "time"), wrapped)
	u.began(want...)
	u.returnsLast()
	u.t.OnTime("RetryOnConflict returned", u.took, want[len(want)-1], "f had conflicted at its last try, with none left to wait for,")
}

// began requires that the calls of f began at these moments.
func (u tried) began(want ...time.Duration) {
	for i, due := range want {
		u.t.OnTime(fmt.Sprintf("Try %d of f began", i+1), u.calls[i], due, "by the backoff it is due")
	}
}

func (u tried) returnsLast() {
	last := len(u.all) - 1
	u.t.Require(last >= 0 && u.err == u.all[last], "With its tries used up, RetryOnConflict has to return the conflict of try %d, the last, exactly as f returned it, and returned %s.", last+1, u.returned())
}

// returned says which of f's conflicts RetryOnConflict returned, or wrapped.
func (u tried) returned() string {
	for i, conflict := range u.all {
		if u.err == conflict {
			return fmt.Sprintf("that of try %d", i+1)
		}
	}
	for i, conflict := range u.all {
		if errors.Is(u.err, conflict) {
			return fmt.Sprintf("a %T that wraps the conflict of try %d", u.err, i+1)
		}
	}
	if u.err == nil {
		return "nil"
	}
	return fmt.Sprintf("a %T, which f never returned: %s", u.err, conform.Said(u.err))
}

// within holds waits between calls to base and a tenth of jitter above it.
func (u tried) within(name string, base ...time.Duration) {
	u.t.Require(len(u.calls) == len(base)+1, "%s is %d tries, and f was called %s.", name, len(base)+1, conform.Count(len(u.calls), "time"))
	for i, d := range base {
		wait := u.calls[i+1] - u.calls[i]
		u.t.Require(wait >= d, "With %s RetryOnConflict waited for %v before try %d, and the backoff is %v.", name, wait, i+2, d)
		u.t.Require(wait <= d+d/10, "With %s RetryOnConflict waited for %v before try %d, and the backoff is %v and a tenth of that at most.", name, wait, i+2, d)
	}
}
