package debouncetest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
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
			mergedToNil(t, open())
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

// amiss says in which way got is not the n updates in a row: lost, twice, out of order.
func amiss(got []int, n int) string {
	pushes := make([]int, n)
	for _, id := range got {
		pushes[id]++
	}
	var lost, twice []int
	for id, times := range pushes {
		if times == 0 {
			lost = append(lost, id)
		} else if times > 1 {
			twice = append(twice, id)
		}
	}
	switch {
	case len(lost) > 0 && len(twice) > 0:
		return fmt.Sprintf("Never pushed: %s. Pushed more than once: %s.", listed(lost), listed(twice))
	case len(lost) > 0:
		return fmt.Sprintf("Updates were lost, none was pushed twice. Never pushed: %s.", listed(lost))
	case len(twice) > 0:
		return fmt.Sprintf("No update was lost. Pushed more than once: %s.", listed(twice))
	}
	return "No update was lost or pushed twice: they were pushed in another order."
}

// nothings debounces updates that are nil.
func nothings(t *conform.T, s Subject) {
	updates := make(chan any, 3)
	updates <- nil
	close(updates)
	pushes, pushing := 0, t.Named("push")
	merge := func(batch, update any) any { return update }
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		pushes++
	}
	conform.Do(t.Actor, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any], with the update nil ready and updates closed")
	t.Require(pushes == 1, "A Debouncer[any] received one update, nil, and pushed %s: nil is an update like any other, and is pushed once.", conform.Count(pushes, "batch"))
}

// mergedToNil has merge return nil: the batch is nil from then on, and is still a batch.
func mergedToNil(t *conform.T, s Subject) {
	updates := make(chan any, 3)
	for i := range cap(updates) {
		updates <- i
	}
	close(updates)
	merged, batches, merges, pushing := "", []any{}, t.Named("merge"), t.Named("push")
	merge := func(batch, update any) any {
		merges.Note("merge(%v, %v) returns nil", batch, update)
		merged += fmt.Sprintf("merge(%v, %v) ", batch, update)
		return nil
	}
	push := func(_ context.Context, batch any) {
		defer pushing.Callback("push(%v)", batch).Returned("")
		batches = append(batches, batch)
	}
	conform.Do(t.Actor, func() error { return s.RunAny(t.Context(), quiet, longest, updates, merge, push) }, "Run of a Debouncer[any], with the updates 0, 1 and 2 ready and updates closed")
	t.Require(merged == "merge(0, 1) merge(<nil>, 2) ", "Updates 0, 1 and 2 came, and merge returned nil. The calls were: %s. They should have been merge(0, 1) and merge(<nil>, 2): what merge returns is the batch, nil included.", merged)
	t.Require(len(batches) == 1 && batches[0] == nil, "Updates 0, 1 and 2 were merged, merge returned nil, and %v was pushed: one batch should have been pushed, and it is nil.", batches)
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
// looks at it then is a race.
func owned(t *conform.T, s Subject) {
	const n = 20
	updates := make(chan *Update, n)
	for i := range n {
		updates <- &Update{[]int{i}}
	}
	close(updates)
	var writers sync.WaitGroup
	owns := func(u *Update) {
		writers.Go(func() {
			runtime.Gosched()
			u.IDs = nil
		})
	}
	merge := func(batch, update *Update) *Update {
		next := &Update{append(slices.Clone(batch.IDs), update.IDs...)}
		owns(batch)
		owns(update)
		return next
	}
	push := func(_ context.Context, batch *Update) { owns(batch) }
	err := conform.Do(t.Actor, func() error { return s.Run(t.Context(), time.Hour, 0, updates, merge, push) }, "Run of %d updates that are ready, and goroutines that write to what merge and push were given", n)
	writers.Wait()
	t.Require(err == nil, "updates was closed and everything pushed, and Run returned %s: it should have returned nil.", conform.Said(err))
}
