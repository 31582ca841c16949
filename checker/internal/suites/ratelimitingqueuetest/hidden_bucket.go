package ratelimitingqueuetest

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var bucketCases = []conform.Case[Subject]{
	{
		Name:   "bucket-reserves",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Look:   []string{"BucketRateLimiter.When", "NewBucketRateLimiter"},
		Rule:   "Every call takes a token, there or not: of many calls at one moment on an empty bucket, the k-th waits k/qps.",
		Why:    "If every caller got the time of the next token, all of them would come back together, find one token, and get the same answer again.",
		Hint: []string{
			"What does the second caller see of the first, if the first found the bucket empty?",
			"Let the balance go below zero. Then it says how many tokens you have promised.",
		},
		Source: "x/time rate/rate.go: Limiter.Reserve (no test of client-go defends it)",
		Contract: []string{
			"of many calls at one moment on an empty bucket, the k-th returns k/qps seconds. The answer is exact to a microsecond",
			"to a millisecond is enough if the wait, or the time burst/qps in which an empty bucket fills, is longer than two days",
			"When returns at once",
			"qps is positive and finite",
			"NumRequeues is always 0: a bucket knows no items",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, qps := range []float64{0.5, 1, 2.5, 3, 10, 1000, 1234.5, 20_000, 250_000} {
				l := s.Bucket(qps, 2)
				when(t.Actor, l, "a")
				when(t.Actor, l, "b")
				for k := 1; k <= 60; k++ {
					waitsAbout(t, l, name(k), time.Duration(float64(k)/qps*float64(time.Second)), fmt.Sprintf("at %v a second, call %d on an empty bucket", qps, k))
				}
			}
			t.Require(t.Elapsed() == 0, "All calls together took %v: When returns at once, and leaves the waiting to the caller.", t.Elapsed())
			slow, burst := s.Bucket(0.01, 100), 100 // fills up in hours
			for range burst {
				slow.When("a")
			}
			t.Note("When %d times, of a full bucket of %d and 0.01 a second", burst, burst)
			waitsAbout(t, slow, "b", 100*time.Second, "at 0.01 a second, call 1 on an empty bucket")
			longWaits(t, s)
			for _, qps := range []float64{3, 7, 1e12, math.MaxFloat64} { // a token every so many nanoseconds and a part of one
				deepDebt(t, s, qps)
			}
		},
	},
	{
		Name:   "bucket-refills-with-time",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Look:   []string{"BucketRateLimiter.When", "BucketRateLimiter.Forget"},
		Rule:   "Tokens come back evenly, in fractions, with time alone; promised tokens come first.",
		Why:    "The API server should see ten requests a second, not a burst of ten at each full second.",
		Hint: []string{
			"How much of a token has come after half the time that a whole one takes?",
			"Compute the balance from the time since the last call. Keep it as a fraction, and keep the time of the call.",
		},
		Source: "x/time rate/rate.go: Limiter.advance",
		Contract: []string{
			"gains qps tokens a second, evenly and in fractions",
			"The answer is exact to a microsecond",
			"Forget does nothing: a token that was taken is not given back",
			"NumRequeues is always 0: a bucket knows no items",
			"to a millisecond is enough if the wait, or the time burst/qps in which an empty bucket fills, is longer than two days",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Bucket(2, 1) // a token every 500 ms
			waits(t, l, "a", 0, "a call within the burst")
			waitsAbout(t, l, "b", 500*time.Millisecond, "at 2 a second, the first call on an empty bucket")
			for range 10 { // a token that was taken is gone: neither of these gives one back
				time.Sleep(20 * time.Millisecond)
				forget(t.Actor, l, "a")
				counts(t, l, "a", 0, "a bucket knows no items")
			}
			waitsAbout(t, l, "c", 800*time.Millisecond, "200ms later, after ten calls of Forget and NumRequeues, which change nothing, the next call, for two tokens less these 200ms,")
			time.Sleep(800 * time.Millisecond)
			waitsAbout(t, l, "d", 500*time.Millisecond, "when the promised tokens have come, the next call")
			time.Sleep(750 * time.Millisecond)
			waitsAbout(t, l, "e", 250*time.Millisecond, "when half a token has come, the next call, for the other half,")
			noneGivenBack(t, open())
			almostThere(t, open())
			oddPauses(t, open())
			slowly(t, open())
			dripping(t, open())
		},
	},
	{
		Name:   "bucket-never-overfills",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Rule:   "However long nobody asks, the bucket holds at most burst tokens.",
		Why:    "A quiet night must not give a controller the right to send a million requests in the morning.",
		Hint: []string{
			"What is the balance after an hour without a call?",
			"min(tokens, burst), after the refill and before the token is taken.",
		},
		Source: `x/time rate/rate.go: Limiter, "of size b"`,
		Contract: []string{
			"makes a bucket that holds at most burst tokens",
			"returns how long it takes until that token exists: 0 if it exists already",
			"The answer is exact to a microsecond",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Bucket(4, 3)
			for range 2 {
				burstOf(t, l, 3, 4, "a bucket that is full")
				time.Sleep(10 * time.Second)
			}
			when(t.Actor, l, "a")
			time.Sleep(500 * time.Millisecond) // one token is missing and two would come
			burstOf(t, l, 3, 4, "a bucket that was full but for one token, 500ms ago,")

			l = open().Bucket(1000, 3)
			after := "a new bucket"
			for idle := time.Hour; idle <= 10_000*time.Hour; idle *= 10 { // the product of so much time and 1000 a second overflows
				burstOf(t, l, 3, 1000, after)
				time.Sleep(idle)
				after = fmt.Sprintf("a bucket that nobody has asked for %v", idle)
			}
			burstOf(t, l, 3, 1000, after)

			l = open().Bucket(10, 100)
			for range 3 { // it holds no less after it was empty, either
				burstOf(t, l, 100, 10, "a bucket that is full")
				time.Sleep(time.Hour)
			}
		},
	},
	{
		Name:   "bucket-is-shared-safely",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Rule:   "Any number of goroutines may ask at once: no token goes to two callers, and there is no data race.",
		Why:    "All workers share this limiter, whatever objects they work on.",
		Hint: []string{
			"Refill, take and answer have to be one step. What makes them one?",
		},
		Source: "x/time rate/rate.go: Limiter.mu (no test of client-go defends it)",
		Contract: []string{
			"All of them may be used from many goroutines at once",
			"When reserves a token that does not exist yet, and nobody else gets it",
			"of many calls at one moment on an empty bucket, the k-th returns k/qps seconds",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			// A token every eleven days: however loaded the machine is, none comes meanwhile.
			const every, burst = 1_000_000 * time.Second, 7
			oneByOne(t, open(), every, burst, 120)
			l := open().Bucket(1/every.Seconds(), burst)
			var mu sync.Mutex
			var waits []time.Duration
			for w := range 6 {
				t.Go(name(w), func(a *conform.Actor) {
					var mine []time.Duration
					for range 20 {
						mine = append(mine, when(a, l, name(w)))
						requeues(a, l, name(w))
						forget(a, l, name(w))
					}
					mu.Lock()
					defer mu.Unlock()
					waits = append(waits, mine...)
				})
			}
			t.Join()
			slices.Sort(waits)
			for i, wait := range waits {
				place := max(0, i+1-burst)
				got := int(math.Round(wait.Seconds() / every.Seconds()))
				t.Require(got == place, "Many callers asked a bucket with a burst of %d. Caller %d should have the token that comes as number %d, and has number %d.", burst, i+1, place, got)
			}
		},
	},
}

// slowly has tokens come over minutes, and in so many small parts that what is lost of each adds up.
func slowly(t *conform.T, s Subject) {
	for _, every := range []time.Duration{100 * time.Second, 5000 * time.Second, 50_000 * time.Second, 1e6*time.Second + 1234*time.Millisecond, 1e8 * time.Second} {
		l, qps, pause := s.Bucket(1/every.Seconds(), 2), 1/every.Seconds(), every*3/2
		waits(t, l, "a", 0, "a call within the burst of 2")
		waits(t, l, "a", 0, "a call within the burst of 2")
		time.Sleep(pause)
		waits(t, l, "a", 0, fmt.Sprintf("at %v a second, a call %v after the bucket was emptied", qps, pause))
		got := when(t.Actor, l, "a")
		within(t, got, every/2, exact(every, 2), fmt.Sprintf("at one token in %v, the second call %v after the bucket was emptied", every, pause))
	}
	const calls, pause = 1000, 1900 * time.Nanosecond
	l := s.Bucket(1000, 1)
	for range calls {
		l.When("a")
		time.Sleep(pause)
	}
	t.Note("When %d times, with a pause of %v after each, of a bucket of 1000 a second and a burst of 1", calls, pause)
	waitsAbout(t, l, "a", calls*(time.Millisecond-pause), fmt.Sprintf("at 1000 a second, call %d, for as many tokens less what came in %d pauses of %v,", calls+1, calls, pause))
}

// dripping is slowly with tokens that take a quarter of an hour each: what is lost of a token is much time.
func dripping(t *conform.T, s Subject) {
	const calls, pause = 100, 1500 * time.Nanosecond
	l := s.Bucket(0.001, 1)
	for range calls {
		l.When("a")
		time.Sleep(pause)
	}
	t.Note("When %d times, with a pause of %v after each, of a bucket of 0.001 a second and a burst of 1", calls, pause)
	waitsAbout(t, l, "a", calls*(1000*time.Second-pause), fmt.Sprintf("at 0.001 a second, call %d, for as many tokens less what came in %d pauses of %v,", calls+1, calls, pause))
}

// exact is how exact the answer of a bucket has to be.
func exact(every time.Duration, tokens int) time.Duration {
	if every*time.Duration(tokens) > 48*time.Hour {
		return time.Millisecond
	}
	return time.Microsecond
}

// longWaits has tokens come over hours, days and years.
func longWaits(t *conform.T, s Subject) {
	for _, every := range []time.Duration{3601234567891, 90_000_500 * time.Millisecond, 1e6*time.Second + 1500*time.Millisecond, 1e9 * time.Second} {
		l := s.Bucket(1/every.Seconds(), 1)
		t.Note("a new bucket of one token in %v, and a burst of 1", every)
		when(t.Actor, l, "a")
		for k := 1; k <= 3; k++ {
			within(t, when(t.Actor, l, "a"), time.Duration(k)*every, exact(every, k), fmt.Sprintf("at one token in %v, call %d on an empty bucket", every, k))
		}
	}
}

// deepDebt asks for very many tokens at one moment.
func deepDebt(t *conform.T, s Subject, qps float64) {
	const calls = 70_000
	l := s.Bucket(qps, 1)
	l.When("a")
	for range calls - 1 {
		l.When("b")
	}
	t.Note("When %d times, of a bucket of %v a second", calls, qps)
	waitsAbout(t, l, "c", time.Duration(calls/qps*float64(time.Second)), fmt.Sprintf("at %v a second, call %d on an empty bucket", qps, calls))
	counts(t, l, "b", 0, "a bucket knows no items, however many calls wait")
}

// noneGivenBack calls Forget while many tokens are promised.
func noneGivenBack(t *conform.T, s Subject) {
	l := s.Bucket(10, 1)
	t.Note("a new bucket of 10 a second, and a burst of 1")
	for k := range 5 {
		waitsAbout(t, l, "a", time.Duration(k)*100*time.Millisecond, fmt.Sprintf("at 10 a second, with a burst of 1, call %d at one moment", k+1))
	}
	for range 3 {
		forget(t.Actor, l, "a")
	}
	waitsAbout(t, l, "b", 500*time.Millisecond, "Forget gives no token back, and at 10 a second, with a burst of 1, call 6 at one moment")
}

// almostThere asks for a token a moment before it comes.
func almostThere(t *conform.T, s Subject) {
	for _, every := range []time.Duration{100 * time.Millisecond, 1000 * time.Second, 10 * time.Hour} {
		for _, early := range []time.Duration{500 * time.Microsecond, 10 * time.Microsecond} {
			l := s.Bucket(1/every.Seconds(), 1)
			t.Note("a new bucket of one token in %v, and a burst of 1", every)
			waits(t, l, "a", 0, "a call within the burst of 1")
			time.Sleep(every - early)
			waitsAbout(t, l, "a", early, fmt.Sprintf("at one token in %v, a call %v before the next one comes", every, early))
		}
	}
}

// oddPauses has a part of a token come in one pause, which no unit of time divides.
func oddPauses(t *conform.T, s Subject) {
	const every = 100_000 * time.Second
	for _, about := range []time.Duration{0, 10 * time.Millisecond, time.Second, 20 * time.Second, 700 * time.Second, 2 * time.Hour, 20 * time.Hour} {
		pause := about + 987_654
		l := s.Bucket(1/every.Seconds(), 1)
		t.Note("a new bucket of one token in %v, and a burst of 1", every)
		waits(t, l, "a", 0, "a call within the burst of 1")
		time.Sleep(pause)
		waitsAbout(t, l, "a", every-pause, fmt.Sprintf("at one token in %v, a call %v after the bucket was emptied", every, pause))
	}
}

// oneByOne asks a bucket without any hurry, and so shows what is wrong with more than its lock.
func oneByOne(t *conform.T, s Subject, every time.Duration, burst, calls int) {
	l := s.Bucket(1/every.Seconds(), burst)
	for i := range calls {
		got := int(math.Round(when(t.Actor, l, "one").Seconds() / every.Seconds()))
		place := max(0, i+1-burst)
		t.Require(got == place, "One goroutine alone asked a bucket with a burst of %d, which gains one token in %v. Call %d should have the token that comes as number %d, and has number %d.", burst, every, i+1, place, got)
	}
}

// burstOf requires that a bucket, which is full as it says, has n tokens and no more. It gains qps a second.
func burstOf(t *conform.T, l Limiter, n, qps int, bucket string) {
	next := time.Second / time.Duration(qps)
	for range n {
		waits(t, l, "a", 0, fmt.Sprintf("a call within the burst of %d, of %s, at %d a second,", n, bucket, qps))
	}
	got := when(t.Actor, l, "a")
	if got > 0 {
		within(t, got, next, time.Microsecond, fmt.Sprintf("at %d a second, the first call after the burst", qps))
		return
	}
	const most = 100
	free := n + 1
	for free < most && l.When("a") == 0 {
		free++
	}
	t.Note("When(\"a\") again, until a call waits or %d have not", most)
	t.Fatalf("The bucket holds at most %d tokens, and %d calls at one moment had one: the next should have waited %v, at %d a second.", n, free, next, qps)
}
