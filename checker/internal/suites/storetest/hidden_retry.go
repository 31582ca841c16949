package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var retries = []conform.Case[Subject]{
	{
		Name:   "retry-follows-its-backoff",
		Points: 4,
		Func:   "RetryOnConflict",
		Rule:   "f is called Steps times at most, with Step() of waiting between two calls, and when they are used up the last conflict is returned at once.",
		Why:    "Thousands of controllers that retry together, without a wait, make a slow server slower; and 'timed out' hides the conflict.",
		Hint: []string{
			"How long is it between the calls of f in your history, and after the last one?",
			"There is no wait after the last try. Return then what f returned then.",
			"backoff.Step() uses up a try and says how long to wait.",
		},
		Source: "client-go util/retry/util.go: OnError; apimachinery pkg/util/wait/backoff.go: ExponentialBackoff",
		Contract: []string{
			"f is called backoff.Steps times at most",
			"Between two calls RetryOnConflict waits for backoff.Step(), which may use up all tries at once",
			"When the tries are used up it returns at once, with the last conflict exactly as f returned it",
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
				{kit.Backoff{Duration: time.Second, Steps: 3}, []time.Duration{0, time.Second, 2 * time.Second}},
				{kit.Backoff{Duration: time.Hour, Factor: 2, Steps: 1}, []time.Duration{0}},
			} {
				calls, last, took, err := exhaust(t, s, try.backoff)
				require.Equal(t, try.want, calls, "By its backoff RetryOnConflict calls f after %v, and it did so after %v.", try.want, calls)
				require.True(t, err == last, "With its tries used up, RetryOnConflict did not return the last conflict as f returned it, but %v.", err)
				require.Equal(t, try.want[len(try.want)-1], took, "The last try was after %v, and RetryOnConflict returned after %v: it waited with no try left to wait for.", try.want[len(try.want)-1], took)
			}
			capped := kit.Backoff{Duration: 10 * ms, Factor: 5, Steps: 9, Cap: 100 * ms}
			calls, last, _, err := exhaust(t, s, capped)
			require.Equal(t, []time.Duration{0, 10 * ms}, calls, "The backoff reaches its Cap after the second try, which ends the tries, and f was called after %v.", calls)
			require.True(t, err == last, "With its tries used up, RetryOnConflict did not return the last conflict as f returned it, but %v.", err)
			calls, _, _, _ = exhaust(t, s, s.DefaultRetry)
			require.Len(t, calls, 5, "DefaultRetry is five tries, and f was called %d times.", len(calls))
			within(t, calls, 10*ms, 10*ms, 10*ms, 10*ms)
			calls, _, _, _ = exhaust(t, s, s.DefaultBackoff)
			require.Len(t, calls, 4, "DefaultBackoff is four tries, and f was called %d times.", len(calls))
			within(t, calls, 10*ms, 50*ms, 250*ms)
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
			"f is called backoff.Steps times at most, and once if that is zero or less",
			"When the tries are used up it returns at once, with the last conflict exactly as f returned it",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, steps := range []int{0, -1} {
				none := kit.Backoff{Duration: time.Hour, Steps: steps}
				calls, last, took, err := exhaust(t, s, none)
				require.Len(t, calls, 1, "With a backoff of %d steps f was called %d times, in place of once.", steps, len(calls))
				require.True(t, err == last, "RetryOnConflict did not return the conflict as f returned it, but %v.", err)
				require.Zero(t, took, "RetryOnConflict waited for %v with no try left to wait for.", took)
			}
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
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			hourly := kit.Backoff{Duration: time.Hour, Factor: 1, Steps: 5}
			ctx, cancel := context.WithTimeoutCause(t.Context(), 90*time.Minute, errors.New("the cause"))
			defer cancel()
			began := t.Elapsed()
			calls := 0
			var last error
			err := retry(t, s, ctx, hourly, func() error {
				calls++
				last = kit.NewConflict("pods", "web")
				return last
			})
			require.Equal(t, 90*time.Minute, t.Elapsed()-began, "The context ended during a wait, after 1h30m, and RetryOnConflict returned after %v.", t.Elapsed()-began)
			require.Equal(t, 2, calls, "In an hour and a half f is called at the start and after the first wait of an hour, and it was called %d times.", calls)
			require.True(t, err == last, "The context ended during a wait, and RetryOnConflict did not return the last conflict, but %v.", err)

			err = retry(t, s, ctx, hourly, func() error { calls++; return nil })
			require.Equal(t, 2, calls, "f was called although the context was done before.")
			require.True(t, err == context.DeadlineExceeded, "The context was done before the first call, and RetryOnConflict did not return its error, but %v.", err)

			for range 50 { // a select with two ready cases takes either
				ctx, cancel := context.WithCancel(t.Context())
				calls := 0
				err := retry(t, s, ctx, kit.Backoff{Factor: 1, Steps: 3}, func() error {
					calls++
					cancel()
					return kit.NewConflict("pods", "web")
				})
				require.Equal(t, 1, calls, "The context ended during the first call of f, and f was called %d times.", calls)
				require.True(t, kit.IsConflict(err), "The context ended while f was under way, and RetryOnConflict did not return the conflict of f, but %v.", err)
			}
		},
	},
}

// exhaust lets f conflict at every call, each time with another error, wrapped
// every second time.
func exhaust(t *conform.T, s Subject, b kit.Backoff) (calls []time.Duration, last error, took time.Duration, err error) {
	began := t.Elapsed()
	err = retry(t, s, t.Context(), b, func() error {
		calls = append(calls, t.Elapsed()-began)
		last = kit.NewConflict("pods", "web")
		if len(calls)%2 == 1 {
			last = fmt.Errorf("update status: %w", last)
		}
		return last
	})
	return calls, last, t.Elapsed() - began, err
}

// within holds waits between calls to base and a tenth of jitter above it.
func within(t *conform.T, calls []time.Duration, base ...time.Duration) {
	for i, d := range base {
		wait := calls[i+1] - calls[i]
		require.GreaterOrEqual(t, wait, d, "RetryOnConflict waited for %v, which is less than the %v of the backoff.", wait, d)
		require.LessOrEqual(t, wait, d+d/10, "RetryOnConflict waited for %v, which is more than the %v of the backoff and a tenth of jitter.", wait, d)
	}
}
