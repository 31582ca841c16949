package debouncetest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var hiddenValues = []conform.Case[Subject]{
	{
		Name:   "merges-in-order",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "merge gets the batch first and the update second, in the order of arrival, and what it returns is the batch from then on.",
		Why:    "The later change wins: merged the wrong way round, a rolled-back route comes back to life.",
		Hint: []string{
			"Which argument is the older one?",
			"Do not merge the first update with anything: there is no batch yet, and a zero value is not an empty batch.",
		},
		Contract: []string{
			"it is taken as it is. Each later update u is merged into the batch as soon as it is received, with merge(batch, u); what merge returns, nil included, is the batch from then on.",
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
			"Nothing that was received is lost or pushed twice.",
		},
		Source: "istio pilot/pkg/model/push_context.go: PushRequest.Merge (the receiver is the older request)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			updates := make(chan *Update)
			sent := []*Update{{[]int{0}}, {[]int{1}}, {[]int{2}}, {[]int{3}}}
			batch, next, pushes := sent[0], 1, 0
			merges, pushing := t.Named("merge"), t.Named("push")
			merge := func(b, u *Update) *Update {
				merges.Note("merge(%v, %v)", ids(b), ids(u))
				if next > 2 || b != batch || u != sent[next] {
					t.Errorf("merge was called with %v and %v, and should have been called with the batch %v and then the update %v.", ids(b), ids(u), ids(batch), ids(sent[min(next, 3)]))
					return b
				}
				next++
				batch = &Update{append(slices.Clone(b.IDs), u.IDs...)}
				return batch
			}
			push := func(_ context.Context, b *Update) {
				want := []*Update{batch, sent[3]}[min(pushes, 1)]
				if b != want {
					t.Errorf("What was pushed has updates %v, and should have been %v itself: what merge returned last, or an update that came alone.", ids(b), ids(want))
				}
				pushes++
			}
			t.Go("Run", func(a *conform.Actor) {
				conform.Do(a, func() error { return open().Run(t.Context(), quiet, longest, updates, merge, recorded(pushing, push)) }, "Run with Quiet %v, Max %v", quiet, longest)
			})
			for i, u := range sent {
				if i == 3 {
					time.Sleep(longest)
				}
				t.Do(func() { updates <- u }, "updates <- %d", i)
			}
			t.Do(func() { close(updates) }, "close(updates)")
			t.Join()
			t.Require(pushes == 2, "Three updates came at once and one a second later: that is two pushes, and there were %d.", pushes)
			nothings(t, open())
			maps(t, open())
			mergedToNil(t, open())
			replaced(t, open())
			nilsWait(t, open(), false)
			nilsWait(t, open(), true)
			sameAgain(t, open())
			samePushed(t, open())
		},
	},
	{
		Name:   "batch-is-handed-over",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "What was given to push is push's own: no later update is merged into it, and nothing is lost or repeated between two batches.",
		Why:    "A push reads the request for seconds; merging into it meanwhile is a data race on the configuration of the whole mesh.",
		Hint: []string{
			"push runs in another goroutine. Which variable do both goroutines still use?",
			"Take the batch out of the variable before the go statement: the next update must find no batch there.",
		},
		Contract: []string{
			"once a batch was handed to push or to merge, Run neither reads nor changes it again",
			"what merge returns, nil included, is the batch from then on.",
			"Nothing that was received is lost or pushed twice.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (req = nil as soon as the push is begun); The Go Memory Model, Goroutine creation",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const n = 200
			updates := make(chan *Update, t.Rand().IntN(4))
			go func() {
				defer close(updates)
				for i := range n {
					updates <- &Update{[]int{i}}
				}
			}()
			// No lock and no atomic here: pushes follow each other and then Run
			// returns, and all of that the subject has to order.
			var got []int
			push := func(_ context.Context, b *Update) {
				for range 3 {
					runtime.Gosched()
					got = append(got, b.IDs...)
					got = got[:len(got)-len(b.IDs)]
				}
				got = append(got, b.IDs...)
				b.IDs = nil
			}
			err := conform.Do(t.Actor, func() error { return open().Run(t.Context(), 0, 0, updates, inPlace(t), push) }, "Run with Quiet 0 and %d updates as fast as they can", n)
			t.Require(err == nil, "updates was closed and everything pushed, and Run returned %s: it should have returned nil.", conform.Said(err))
			for i, id := range got {
				t.Require(id == i, "Update %d was pushed where update %d was next. %s", id, i, amiss(got, n))
			}
			t.Require(len(got) == n, "%d updates were sent, and %d were pushed: updates %d and later were lost.", n, len(got), len(got))
			owned(t, open())
		},
	},
}

// nothings debounces updates that are nil.
func nothings(t *conform.T, s Subject) {
	updates := make(chan any, 3)
	updates <- nil
	close(updates)
	pushes, pushing := 0, t.Named("push")
	merge := func(_, update any) any { return update }
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		pushes++
	}
	conform.Do(t.Actor, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any], with the update nil ready and updates closed")
	t.Require(pushes == 1, "A Debouncer[any] received one update, nil, and pushed %s: nil is an update like any other, and is pushed once.", conform.Count(pushes, "batch", "batches"))
}

// maps debounces values that cannot be compared: a comparison of two of them compiles where their type is a
// parameter, and panics. A nil map is one like any other.
func maps(t *conform.T, s Subject) {
	updates, batches, merges, pushing := make(chan map[string]int), []string{}, t.Named("merge"), t.Named("push")
	merge := func(batch, update map[string]int) map[string]int {
		merges.Note("merge(%v, %v)", batch, update)
		return map[string]int{"sum": batch["sum"] + update["sum"]}
	}
	push := func(_ context.Context, batch map[string]int) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		batches = append(batches, fmt.Sprint(batch))
	}
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.RunMaps(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[map[string]int] with Quiet %v", quiet)
	})
	for _, burst := range [][]map[string]int{{nil}, {nil, {"sum": 1}}, {{"sum": 1}, {"sum": 1}}, {{"sum": 2}}, {{"sum": 2}, nil}} {
		for _, u := range burst {
			t.Do(func() { updates <- u }, "updates <- %v", u)
		}
		time.Sleep(longest)
	}
	t.Do(func() { close(updates) }, "close(updates)")
	t.Join()
	want := []string{"map[]", "map[sum:1]", "map[sum:2]", "map[sum:2]", "map[sum:2]"}
	t.Require(slices.Equal(batches, want), "A Debouncer[map[string]int] received bursts of one or two maps, nil among them, a second apart, and merge adds two of them up. Pushed: %s. It should have been: %s.", conform.Listed(batches), conform.Listed(want))
}

// mergedToNil has merge return nil: the batch is nil from then on, and is still a batch.
func mergedToNil(t *conform.T, s Subject) {
	updates := make(chan any, 3)
	for i := range cap(updates) {
		updates <- i
	}
	close(updates)
	calls, batches, merges, pushing := []string{}, []any{}, t.Named("merge"), t.Named("push")
	merge := func(batch, update any) any {
		merges.Note("merge(%v, %v) returns nil", batch, update)
		calls = append(calls, fmt.Sprintf("merge(%v, %v)", batch, update))
		return nil
	}
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		batches = append(batches, batch)
	}
	conform.Do(t.Actor, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any], with the updates 0, 1 and 2 ready and updates closed")
	t.Require(slices.Equal(calls, []string{"merge(0, 1)", "merge(<nil>, 2)"}), "Updates 0, 1 and 2 came, and merge returned nil. The calls were: %s. They should have been merge(0, 1) and merge(<nil>, 2): what merge returns is the batch, nil included.", conform.Listed(calls))
	t.Require(len(batches) == 1 && batches[0] == nil, "Updates 0, 1 and 2 were merged, merge returned nil, and %v was pushed: one batch should have been pushed, and it is nil.", batches)
}

// nilsWait has updates and batches that are nil wait until they are due, while a push of another batch runs or without.
func nilsWait(t *conform.T, s Subject, pushRuns bool) {
	first := func(batch, _ any) any { return batch }
	second := func(_, update any) any { return update }
	none := func(any, any) any { return nil }
	for _, c := range []struct {
		updates []any
		merge   func(batch, update any) any
		rule    string
		calls   []string
		batch   any
	}{
		{[]any{nil}, second, "", nil, nil},
		{[]any{nil, 2}, second, "merge returns the update. ", []string{"merge(<nil>, 2)"}, 2},
		{[]any{2, nil}, first, "merge returns the batch. ", []string{"merge(2, <nil>)"}, 2},
		{[]any{2, 3}, none, "merge returns nil. ", []string{"merge(2, 3)"}, nil},
		{[]any{2, 3, 4}, none, "merge returns nil. ", []string{"merge(2, 3)", "merge(<nil>, 4)"}, nil},
	} {
		calls, batches := anything(t, s, pushRuns, c.updates, c.merge)
		story, want := "", []string{fmt.Sprint(c.batch)}
		if pushRuns {
			story, want = " while the push of another batch, 1, ran", append([]string{"1"}, want...)
		}
		story = fmt.Sprintf("A Debouncer[any] received the updates %v%s. %s", c.updates, story, c.rule)
		t.Require(slices.Equal(calls, c.calls), "%sThe calls of merge were: %s. They should have been: %s. nil is an update and a batch like any other.", story, conform.Listed(calls), conform.Listed(c.calls))
		t.Require(slices.Equal(batches, want), "%sPushed: %s. It should have been: %s. nil is an update and a batch like any other.", story, conform.Listed(batches), conform.Listed(want))
	}
}

// anything debounces updates, during a push of the update 1 or without, and returns the calls of merge and what was pushed.
func anything(t *conform.T, s Subject, pushRuns bool, all []any, merge func(batch, update any) any) (calls, batches []string) {
	updates, merges, pushing := make(chan any), t.Named("merge"), t.Named("push")
	noted := func(batch, update any) any {
		result := merge(batch, update)
		merges.Note("merge(%v, %v) returns %v", batch, update, result)
		calls = append(calls, fmt.Sprintf("merge(%v, %v)", batch, update))
		return result
	}
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		batches = append(batches, fmt.Sprint(batch))
		time.Sleep(longest)
	}
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.RunAny(t.Context(), quiet, 0, updates, noted, push) }, "Run of a Debouncer[any] with Quiet %v, and pushes of %v", quiet, longest)
	})
	if pushRuns {
		t.Do(func() { updates <- 1 }, "updates <- 1")
		time.Sleep(2 * quiet)
	}
	for _, u := range all {
		t.Do(func() { updates <- u }, "updates <- %v", u)
	}
	time.Sleep(3 * longest)
	t.Do(func() { close(updates) }, "close(updates)")
	t.Join()
	return calls, batches
}

// replaced has batches merged before the first push, while it runs, after it, and before a close. What merge returns
// is a new batch, or one of its arguments: play fails where Run goes on with another.
func replaced(t *conform.T, s Subject) {
	for range 3 {
		got := play(t, s, script{quiet: quiet, updates: ms(0, 10, 20, 200, 210, 220, 1000, 1010, 1020, 2000, 2010, 2020), took: ms(500), closed: 2050 * time.Millisecond})
		got.pushed(t, "Updates came in bursts of three: before the first push, while it ran until 620ms, after it, and before the close at 2.05s.", at(120, 0, 2), at(620, 3, 5), at(1120, 6, 8), at(2050, 9, 11))
	}
}

// sameAgain sends updates that are like the one before, or that change nothing, among others:
// each of them is merged, and the batch waits for quiet after it.
func sameAgain(t *conform.T, s Subject) {
	updates, began := make(chan any), time.Now()
	merged, batches, merges, pushing := 0, []string{}, t.Named("merge"), t.Named("push")
	merge := func(batch, update any) any {
		merges.Note("merge(%v, %v)", batch, update)
		merged++
		return max(batch.(int), update.(int))
	}
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		batches = append(batches, fmt.Sprintf("%v at %v", batch, time.Since(began)))
	}
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any] whose merge keeps the greater number, with Quiet %v", quiet)
	})
	for _, n := range []int{1, 1, 5, 5, 2} {
		t.Do(func() { updates <- n }, "updates <- %d", n)
		time.Sleep(60 * time.Millisecond)
	}
	time.Sleep(longest)
	t.Do(func() { close(updates) }, "close(updates)")
	t.Join()
	const story = "The numbers 1, 1, 5, 5, 2 came every 60ms, the last at 240ms. merge keeps the greater one, and Quiet is 100ms."
	t.Require(slices.Equal(batches, []string{"5 at 340ms"}), "%s Pushed: %s. It should have been 5 at 340ms: an update counts, also where it is like the one before or changes nothing.", story, conform.Listed(batches))
	t.Require(merged == 4, "%s merge was called %d times, and should have been called for each update after the first: 4 times.", story, merged)
}

// samePushed sends the same number twice, in two batches.
func samePushed(t *conform.T, s Subject) {
	updates := make(chan any)
	pushes, pushing := 0, t.Named("push")
	merge := func(batch, update any) any { return update }
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		pushes++
	}
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any] with Quiet %v", quiet)
	})
	for range 2 {
		t.Do(func() { updates <- 7 }, "updates <- 7")
		time.Sleep(longest)
	}
	t.Do(func() { close(updates) }, "close(updates)")
	t.Join()
	t.Require(pushes == 2, "The number 7 came, and again a second later, with Quiet 100ms. That is two batches, each of which is pushed, also where it is like the one before; %s pushed.", conform.Count(pushes, "batch was", "batches were"))
}

// owned has goroutines of merge and push write to what they were given when these have returned: a Run that
// looks at it then is a race. Updates are merged before the first push, and while the first two run.
func owned(t *conform.T, s Subject) {
	const n = 20
	updates := make(chan *Update, n)
	for i := range n {
		updates <- &Update{[]int{i}}
	}
	o := &owner{t: t, gone: map[*Update]bool{}, merged: make(chan struct{}, 2*n)}
	pushes := 0 // they follow each other
	push := func(_ context.Context, batch *Update) {
		o.owns(batch)
		switch pushes++; {
		case pushes > 2:
			return
		case pushes == 2:
			defer close(updates)
		}
		for len(o.merged) > 0 {
			<-o.merged
		}
		for i := range 3 {
			updates <- &Update{[]int{i}}
		}
		<-o.merged
		<-o.merged
	}
	err := conform.Do(t.Actor, func() error { return s.Run(t.Context(), time.Millisecond, 0, updates, o.merge, push) }, "Run of %d updates that are ready and 3 that come during each of two pushes, and goroutines that write to what merge and push were given", n)
	o.writers.Wait()
	t.Require(err == nil, "updates was closed and everything pushed, and Run returned %s: it should have returned nil.", conform.Said(err))
}

// owner writes to what it is given. No lock: Run orders its calls of merge.
type owner struct {
	t       *conform.T
	writers sync.WaitGroup
	merged  chan struct{}    // has room
	gone    map[*Update]bool // what merge has replaced
	dropped atomic.Bool      // merge was given that again: it says so, and nobody writes to it twice
}

func (o *owner) owns(u *Update) {
	if o.dropped.Load() {
		return
	}
	o.writers.Go(func() {
		runtime.Gosched()
		u.IDs = nil
	})
}

func (o *owner) merge(batch, update *Update) *Update {
	defer func() { o.merged <- struct{}{} }()
	if o.gone[batch] {
		o.dropped.Store(true)
		o.t.Errorf("merge was called with a batch in whose place it had returned another one: what merge returns is the batch from then on, and not what it was given.")
		return batch
	}
	o.gone[batch] = true
	next := &Update{append(slices.Clone(batch.IDs), update.IDs...)}
	o.owns(batch)
	o.owns(update)
	return next
}
