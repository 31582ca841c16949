package debouncetest

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = append(append(hiddenTimes, hiddenEnds...), hiddenValues...)

var hiddenTimes = []conform.Case[Subject]{
	{
		Name:   "max-bounds-the-wait",
		Points: 7,
		Func:   "Debouncer.Run",
		Rule:   "However many updates follow, a batch is pushed when Max has passed since its first update.",
		Why:    "A cluster that is never quiet is the normal case: without the bound its sidecars would never get an update.",
		Hint: []string{
			"Updates come every 60 ms here, and Quiet is 100 ms. When is it quiet?",
			"Remember when the first update of the batch came. The deadline is the earlier of last + Quiet and first + Max.",
			"Set the timer to that deadline. If you look at Max only when the quiet timer fires, you are late.",
		},
		Contract: []string{
			"Max is how long a batch waits at most, counted from its first update, however many updates follow.",
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier. It is pushed at the moment it is due or, if merge runs then, when that call returns",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce, debounceMax (PILOT_DEBOUNCE_MAX, 10 s)",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				got := play(t, open(), script{quiet: quiet, max: longest, updates: every(60, 51), closed: 5 * longest})
				got.pushed(t, "An update came every 60ms, with Quiet 100ms and Max 1s.", at(1000, 0, 16), at(2020, 17, 33), at(3040, 34, 50))
				t.Note("Max bounds the wait of an update after which others come: now of one that comes alone")
				alone := play(t, open(), script{quiet: 5 * longest, max: longest, updates: ms(0), closed: 10 * longest})
				alone.pushed(t, "One update came, with Quiet 5s and Max 1s.", at(1000, 0, 0))
				alone = play(t, open(), script{quiet: math.MaxInt64, max: longest, updates: ms(0, 3000), closed: 10 * longest})
				alone.pushed(t, "An update came at 0ms and one at 3s, with the largest Quiet that there is and Max 1s. With Quiet 5s the first was pushed at 1s.", at(1000, 0, 0), at(4000, 1, 1))
				got = play(t, open(), script{quiet: quiet, max: math.MaxInt64, updates: ms(0, 50, 500, 550), closed: 10 * longest})
				got.pushed(t, "Two bursts came that ended at 50ms and 550ms, with Quiet 100ms and the largest Max that there is.", at(150, 0, 1), at(650, 2, 3))
				const hour = 3_600_000
				got = play(t, open(), script{quiet: 3 * time.Hour, max: 7 * time.Hour, updates: ms(0, 2*hour, 4*hour, 6*hour, 8*hour), closed: 24 * time.Hour})
				got.pushed(t, "An update came every 2h, with Quiet 3h and Max 7h.", at(7*hour, 0, 3), at(11*hour, 4, 4))
			})
			endless(t, open())
		},
	},
	{
		Name:   "zero-means-none",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "With Max <= 0 the wait has no bound; with Quiet <= 0 a batch does not wait at all.",
		Why:    "An option that is not set must switch a thing off, not turn it into zero seconds.",
		Hint: []string{
			"What is first + Max when Max is 0?",
			"With Quiet 0 the deadline is now. Still one push at a time.",
		},
		Contract: []string{
			"With Quiet <= 0 it is due at once.",
			"With Max <= 0 there is no such bound.",
			"Max is how long a batch waits at most, counted from its first update",
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, updates: every(60, 400), closed: 30 * longest})
			got.pushed(t, "Without a Max, 400 updates came every 60ms.", at(24_040, 0, 399))
			got = play(t, s, script{quiet: quiet, max: -quiet, updates: every(60, 400), closed: 30 * longest})
			got.pushed(t, "With a Max below 0, 400 updates came every 60ms.", at(24_040, 0, 399))
			const day = 86_400_000
			got = play(t, s, script{quiet: 400 * 24 * time.Hour, updates: every(300*day, 3), closed: 2000 * 24 * time.Hour})
			got.pushed(t, "Without a Max, three updates came every 300 days (7200h), with a Quiet of 400 (9600h).", at(1000*day, 0, 2))
			got = play(t, s, script{quiet: time.Nanosecond, max: longest, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Quiet of 1ns, the least that is one, two updates came.", pushed{1, []int{0}}, pushed{10*time.Millisecond + 1, []int{1}})
			got = play(t, s, script{quiet: quiet, max: 2 * time.Nanosecond, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Max of 2ns, two updates came.", pushed{2, []int{0}}, pushed{10*time.Millisecond + 2, []int{1}})
			got = play(t, s, script{quiet: quiet, max: time.Nanosecond, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Max of 2ns, two updates were pushed each by itself. With one of 1ns, the least that is one, two updates came.", pushed{1, []int{0}}, pushed{10*time.Millisecond + 1, []int{1}})
			got = play(t, s, script{quiet: -quiet, max: longest, updates: ms(0, 10, 20), closed: 5 * longest})
			got.pushed(t, "With a Quiet below 0, three updates came.", at(0, 0, 0), at(10, 1, 1), at(20, 2, 2))
			got = play(t, s, script{max: longest, updates: ms(0, 10, 20), closed: 5 * longest})
			got.pushed(t, "Without a Quiet, three updates came.", at(0, 0, 0), at(10, 1, 1), at(20, 2, 2))
			got = play(t, s, script{updates: ms(0, 10, 20, 60), took: ms(25), closed: 5 * longest})
			got.pushed(t, "Without Quiet and Max, two updates came during a push of 25ms.", at(0, 0, 0), at(25, 1, 2), at(60, 3, 3))
		},
	},
	{
		Name:   "one-push-at-a-time",
		Points: 7,
		Func:   "Debouncer.Run",
		Rule:   "A push begins only after the one before it has returned. A push of another Run does not count.",
		Why:    "Two pushes at once can arrive in the wrong order, and the older configuration stays; istiod also ran out of memory that way (istio#16433).",
		Hint: []string{
			"What if a batch becomes due while push is still running?",
			"Remember that a push is running. Let the goroutine that pushes report when it has ended.",
			"Where do you remember it? Each Run has its own pushes: two Runs may push at the same time.",
		},
		Contract: []string{
			"A batch that becomes due meanwhile goes on growing and is pushed as soon as the running push has returned",
			"after the running push if there is one",
			"any number of Runs may use the same one at the same time, and none of them waits for another.",
		},
		Source: "istio#16433: synchronously push after debounce to prevent oom",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := open()
				got := play(t, s, script{quiet: quiet, max: longest, updates: every(210, 20), took: ms(1500), closed: 5 * longest})
				t.Require(got.most == 1, "%d pushes ran at once: a push begins only when the one before it has returned.", got.most)
				got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 300), took: ms(1500), closed: 350 * time.Millisecond})
				t.Require(got.most == 1, "When updates was closed %d pushes ran at once: the last one, too, begins only when the one before it has returned.", got.most)
				got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 7_200_000), took: ms(86_400_000), closed: 100 * time.Hour})
				t.Require(got.most == 1, "A push took 24h, an update came after 2h, and %d pushes ran at once: a push may take as long as it likes.", got.most)
			})
			sideBySide(t, open())
			mergesMeet(t, open())
		},
	},
	{
		Name:   "senders-never-wait",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "Run receives at once, also while a push is running.",
		Why:    "The sender is an informer's event handler: while it is blocked, that handler gets no further event.",
		Hint: []string{
			"In which goroutine does push run? Who receives meanwhile?",
			"Run the push in a goroutine that reports its end on a channel; your select listens to that channel too.",
		},
		Contract: []string{"While push runs, Run goes on receiving, at once, so the sender of updates never waits for a push"},
		Source:   "istio pilot/pkg/xds/discovery.go: ConfigUpdate (a send into pushChannel from every handler)",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			takenAtOnce(t, open(), every(130, 30))
			takenAtOnce(t, open(), append(ms(0), slices.Repeat(ms(200), 1500)...))
		},
	},
	{
		Name:   "due-during-a-push",
		Points: 7,
		Func:   "Debouncer.Run",
		Rule:   "A batch that becomes due during a push is pushed as soon as that push has returned, with all that came meanwhile.",
		Why:    "The update lost here is a fix that somebody applied while the mesh was busy; no later event brings it back.",
		Hint: []string{
			"The timer fired during the push. What checks the batch when the push ends?",
			"When a push ends, ask the same question as when the timer fires: is there a batch, and is it due?",
		},
		Contract: []string{
			"A batch that becomes due meanwhile goes on growing and is pushed as soon as the running push has returned",
			"Both waits are counted from when Run received the update, however long merge then takes.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (case <-freeCh calls pushWorker)",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := open()
				got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 200, 350), took: ms(500), closed: 5 * longest})
				want := []pushed{at(100, 0, 0), at(600, 1, 2)}
				if got.wrong(want) != "" {
					t.Note("the same once more, with a batch that is not due yet when the push returns")
					other := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 550), took: ms(500), closed: 5 * longest})
					got.contrast = " The same with one update, of 550ms, not due when the push returned. " + other.all()
				}
				got.pushed(t, "A push ran until 600ms, and updates of 200ms and 350ms were due meanwhile.", want...)
			})
			slowMergeDuringPush(t, open())
			starved(t, open())
		},
	},
	{
		Name:   "not-yet-due-after-a-push",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "A batch that is not due when a push ends waits until it is.",
		Why:    "Otherwise the slowest moment, just after a push, is when the debouncer stops debouncing.",
		Hint: []string{
			"The end of a push is no reason to push. What is?",
			"last + Quiet or first + Max, whichever is earlier; compare it with the clock.",
		},
		Contract: []string{
			"If an update has made it wait for quiet again by then, it is pushed when it is due",
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (pushWorker sets the timer again for what is left of the quiet time)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 550), took: ms(500), closed: 5 * longest})
			got.pushed(t, "A push ran until 600ms, and an update came at 550ms, with Quiet 100ms.", at(100, 0, 0), at(650, 1, 1))
			got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 200, 580), took: ms(500), closed: 5 * longest})
			got.pushed(t, "A push ran until 600ms, and the last update of a batch came at 580ms.", at(100, 0, 0), at(680, 1, 2))
			got = play(t, s, script{quiet: quiet, max: 300 * time.Millisecond, updates: ms(0, 200, 580), took: ms(500), closed: 5 * longest})
			got.pushed(t, "A push ran until 600ms, and a batch had waited for its Max by 500ms.", at(100, 0, 0), at(600, 1, 2))
		},
	},
}

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

// endless sends an update with each merge, so that another one is ready whenever Run looks,
// on the real scheduler. That goes on until the batch is pushed, or until very many updates
// have been merged into it after its Max had passed.
func endless(t *conform.T, s Subject) {
	const many = 200_000
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 2)
	updates <- &Update{}
	updates <- &Update{}
	var begun atomic.Bool
	var passed <-chan time.Time // Max has passed, by a clock that begins later than that of the batch
	over, late := false, 0
	merge := func(batch, update *Update) *Update {
		if passed == nil {
			passed = time.After(time.Millisecond)
		}
		select {
		case <-passed:
			over = true
		default:
		}
		if over {
			late++
		}
		switch {
		case begun.Load():
		case late < many:
			updates <- update // there is room: no more than two are under way
		default:
			t.Breaks("the batch is not pushed")
			cancel()
		}
		runtime.Gosched()
		return batch
	}
	push := recorded(t.Named("push"), func(context.Context, *Update) { begun.Store(true); cancel() })
	conform.Do(t.Actor, func() error { return s.Run(ctx, time.Hour, time.Millisecond, updates, merge, push) }, "Run with Quiet 1h, Max 1ms, and the next update ready whenever Run has received one")
	t.Require(late < many, "A batch had waited for its Max of 1ms, and Run merged %d more updates into it, and did not push it: it went on as long as updates were ready. It is pushed at the moment it is due.", late)
	t.Require(begun.Load(), "Run received updates without end, with Max 1ms, and returned without a push.")
}

// starved has a batch that is due wait for a push, and another update ready whenever Run looks, on the
// real scheduler. That goes on until the batch is pushed, or until very many updates have been merged
// into it after that push had returned.
func starved(t *conform.T, s Subject) {
	const many = 200_000
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 3)
	updates <- &Update{}
	over := make(chan struct{})
	var pushes atomic.Int32
	merges := 0
	merge := func(batch, update *Update) *Update {
		switch merges++; {
		case merges == 10:
			close(over)
		case merges == many:
			t.Breaks("the batch is not pushed")
			cancel()
		}
		if pushes.Load() == 1 && merges < many {
			updates <- update // there is room
		}
		runtime.Gosched()
		return batch
	}
	push := recorded(t.Named("push"), func(context.Context, *Update) {
		if pushes.Add(1) > 1 {
			cancel()
			return
		}
		updates <- &Update{}
		updates <- &Update{}
		<-over
	})
	conform.Do(t.Actor, func() error { return s.Run(ctx, 0, 0, updates, merge, push) }, "Run with Quiet 0s, and the next update ready whenever Run has received one")
	t.Require(merges < many, "A batch was due when the running push returned, and Run merged %d more updates into it, and did not push it: it went on as long as updates were ready. It is pushed as soon as the push has returned.", many-10)
}

// sideBySide has many Runs whose pushes wait for each other, on the real scheduler: a push that
// waits for a lock would stop the clock of a bubble.
func sideBySide(t *conform.T, s Subject) {
	const runs = 20
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	meet := probe.Barrier(runs)
	for i := range runs {
		updates := make(chan *Update, 1)
		updates <- &Update{[]int{0}}
		pushing := t.Named("push of Run %d", i)
		push := recorded(pushing, func(context.Context, *Update) {
			pushing.Do(meet, "waits until all %d Runs push", runs)
			cancel()
		})
		t.Go(fmt.Sprintf("Run %d", i), func(a *conform.Actor) {
			conform.Do(a, func() error { return s.Run(ctx, time.Millisecond, 0, updates, inPlace(t), push) }, "Run with Quiet 1ms, and an update ready")
		})
	}
	t.Join()
}

// mergesMeet has two Runs whose merges wait for each other, on the real scheduler as well.
func mergesMeet(t *conform.T, s Subject) {
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	meet := probe.Barrier(2)
	for _, name := range []string{"one", "the other"} {
		updates := make(chan *Update, 2)
		updates <- &Update{[]int{0}}
		updates <- &Update{[]int{1}}
		merges := t.Named("merge of %s", name)
		merge := func(batch, update *Update) *Update {
			merges.Do(meet, "merge waits until both Runs merge")
			cancel()
			return inPlace(t)(batch, update)
		}
		t.Go("Run "+name, func(a *conform.Actor) {
			conform.Do(a, func() error {
				return s.Run(ctx, time.Hour, 0, updates, merge, recorded(a, func(context.Context, *Update) {}))
			}, "Run with Quiet 1h, and two updates ready")
		})
	}
	t.Join()
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

// takenAtOnce requires that each update is received when it is sent, during a push of 5s.
func takenAtOnce(t *conform.T, s Subject, times []time.Duration) {
	got := play(t, s, script{quiet: quiet, max: longest, updates: times, took: ms(5000), closed: 5 * longest})
	t.Require(len(got.pushes) > 0, "Run received %s and pushed none of them.", conform.Count(len(got.taken), "update"))
	for i, taken := range got.taken {
		t.Require(taken == times[i], "Update %d was sent at %v and received at %v: its sender had to wait. The first push ran from %v to %v.", i, times[i], taken, got.pushes[0].At, got.pushes[0].At+5*time.Second)
	}
	t.Require(len(got.taken) == len(times), "Run returned when it had received %d of %d updates.", len(got.taken), len(times))
}

// slowMergeDuringPush has a merge take as long as Quiet while a push runs, on the real
// scheduler, for the reason of slowMerge.
func slowMergeDuringPush(t *conform.T, s Subject) {
	const quiet = 100 * time.Millisecond
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update)
	begun, merged, over := make(chan struct{}, 2), make(chan struct{}, 1), make(chan struct{})
	merge := takesLong(t, quiet, merged)
	push := recorded(t.Named("push"), func(context.Context, *Update) { tell(begun); <-over })
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.Run(ctx, quiet, 0, updates, merge, push) }, "Run with Quiet %v, Max 0s", quiet)
	})
	send(t, updates, 0)
	<-begun
	send(t, updates, 1)
	send(t, updates, 2)
	<-merged
	t.Do(func() { close(over) }, "lets the push return")
	t.Wait()
	t.Require(len(begun) == 1, "While a push ran, merge(1, 2) took %v, which is Quiet, so the batch was due when merge returned. Then the push returned, and the batch was not pushed: Quiet is counted from when Run received the update, not from the return of merge.", quiet)
	cancel()
	t.Join()
}
