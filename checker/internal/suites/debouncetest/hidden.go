package debouncetest

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
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
			"An update that is ready at that very moment may go into this batch, whose Quiet may then begin again, or into the next. A batch that is due takes in a few such updates at most before it is pushed.",
			"Both waits are counted from when Run received the update, however long merge then takes.",
			"Each later update u is merged into the batch as soon as it is received, with merge(batch, u)",
			"While merge runs, Run may receive one more update, but not two; the waits of that one, too, are counted from when it was received.",
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
				got = play(t, open(), script{quiet: quiet, max: quiet, updates: ms(0, 50), closed: 5 * longest})
				got.pushed(t, "Updates came at 0ms and 50ms, with Quiet 100ms and Max 100ms.", at(100, 0, 1))
			})
			slowMerge(t, open(), time.Hour, quiet, "Max")
			ahead(t, open(), time.Hour, 3*quiet, false)
			queued(t, open())
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
			"Nothing that was received is lost or pushed twice.",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, updates: every(60, 400), closed: 30 * longest})
			got.pushed(t, "Without a Max, 400 updates came every 60ms.", at(24_040, 0, 399))
			got = play(t, s, script{quiet: quiet, max: -quiet, updates: every(60, 400), closed: 30 * longest})
			got.pushed(t, "With a Max below 0, 400 updates came every 60ms.", at(24_040, 0, 399))
			got = play(t, s, script{quiet: quiet, max: math.MinInt64, updates: ms(0, 60), closed: 5 * longest})
			got.pushed(t, "With the least Max that there is, far below 0, updates came at 0ms and 60ms, with Quiet 100ms.", at(160, 0, 1))
			got = play(t, s, script{quiet: math.MinInt64, max: longest, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With the least Quiet that there is, far below 0, updates came at 0ms and 10ms.", at(0, 0, 0), at(10, 1, 1))
			const day = 86_400_000
			got = play(t, s, script{quiet: 400 * 24 * time.Hour, updates: every(300*day, 3), closed: 2000 * 24 * time.Hour})
			got.pushed(t, "Without a Max, three updates came every 300 days (7200h), with a Quiet of 400 (9600h).", at(1000*day, 0, 2))
			got = play(t, s, script{quiet: time.Nanosecond, max: longest, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Quiet of 1ns, the least that is one, two updates came.", pushed{At: 1, IDs: []int{0}}, pushed{At: 10*time.Millisecond + 1, IDs: []int{1}})
			got = play(t, s, script{quiet: quiet, max: 2 * time.Nanosecond, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Max of 2ns, two updates came.", pushed{At: 2, IDs: []int{0}}, pushed{At: 10*time.Millisecond + 2, IDs: []int{1}})
			got = play(t, s, script{quiet: quiet, max: time.Nanosecond, updates: ms(0, 10), closed: 5 * longest})
			got.pushed(t, "With a Max of 2ns, two updates were pushed each by itself. With one of 1ns, the least that is one, two updates came.", pushed{At: 1, IDs: []int{0}}, pushed{At: 10*time.Millisecond + 1, IDs: []int{1}})
			got = play(t, s, script{quiet: -quiet, max: longest, updates: ms(0, 10, 20), closed: 5 * longest})
			got.pushed(t, "With a Quiet below 0, three updates came.", at(0, 0, 0), at(10, 1, 1), at(20, 2, 2))
			got = play(t, s, script{max: longest, updates: ms(0, 10, 20), closed: 5 * longest})
			got.pushed(t, "Without a Quiet, three updates came.", at(0, 0, 0), at(10, 1, 1), at(20, 2, 2))
			got = play(t, s, script{updates: ms(0, 10, 20, 60), took: ms(25), closed: 5 * longest})
			got.pushed(t, "Without Quiet and Max, two updates came during a push of 25ms.", at(0, 0, 0), at(25, 1, 2), at(60, 3, 3))
			got = play(t, s, script{updates: ms(0, 0, 0), took: ms(300), closed: 5 * longest})
			got.once(t, "Without Quiet and Max, three updates came at 0ms, and each push takes 300ms.")
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
			"Each later update u is merged into the batch as soon as it is received, with merge(batch, u)",
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
			ahead(t, open(), 3*quiet, 0, true)
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
			"If a later update has moved its due time past that moment, it is pushed at that time.",
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

// queued has twelve updates wait in a buffer, and a merge that takes longer than Max, on the real scheduler
// for the reason of slowMerge. Where the timer and updates are ready together select may take updates a few
// times; a Run that prefers them does so in each round.
func queued(t *conform.T, s Subject) {
	const rounds, few, wait = 8, 6, time.Millisecond
	least := few + 1
	for range rounds {
		least = min(least, queuedOnce(t, s, wait))
	}
	t.Require(least <= few, "Twelve updates were ready, with Max %v, and the first merge took %v, so the batch was due when that call returned. Run merged more than %d updates before it pushed, in each of %d rounds. A batch that is due is not held back for updates that are ready: a few of them may come first by chance, never more.", wait, 2*wait, few-1, rounds)
}

// queuedOnce returns how many updates were in the first push.
func queuedOnce(t *conform.T, s Subject, wait time.Duration) int {
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 12)
	for i := range cap(updates) {
		updates <- &Update{[]int{i}}
	}
	long, ready := takesLong(t, 2*wait, func() {}), -1
	merge := func(batch, update *Update) *Update {
		if ready < 0 {
			ready = len(updates)
		}
		return long(batch, update)
	}
	var first atomic.Int32
	push := recorded(t.Named("push"), func(_ context.Context, batch *Update) {
		first.CompareAndSwap(0, int32(len(batch.IDs)))
		cancel()
	})
	conform.Do(t.Actor, func() error { return s.Run(ctx, time.Hour, wait, updates, merge, push) }, "Run with Quiet 1h, Max %v, and 12 updates ready", wait)
	if ready >= 0 {
		mergedLate(t, cap(updates), ready)
	}
	t.Require(first.Load() > 0, "Run received updates, with Max %v, and returned without a push: updates was not closed, and ctx was not done.", wait)
	return int(first.Load())
}

// mergedLate fails for a Run that had received a list of n updates when it called merge for the first time. So many were left then.
func mergedLate(t *conform.T, n, left int) {
	t.Require(left >= n-3, "%d updates were ready, and Run had received %d of them when merge was called for the first time. Each is merged as soon as it is received: these are the two that are merged, and Run may receive one more while merge runs.", n, n-left)
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
	const runs = 100
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	meet := probe.Barrier(runs)
	for i := range runs {
		updates := make(chan *Update, 1)
		updates <- &Update{[]int{0}}
		pushing := t.Named("push of Run %d", i)
		push := recorded(pushing, func(context.Context, *Update) {
			pushing.Do(meet, "waits until all %d Runs push: none of them waits for another", runs)
			cancel()
		})
		t.Go(fmt.Sprintf("Run %d", i), func(a *conform.Actor) {
			conform.Do(a, func() error { return s.Run(ctx, time.Millisecond, 0, updates, inPlace(t), push) }, "Run with Quiet 1ms, and an update ready")
		})
	}
	t.Join()
}

// mergesMeet has many Runs whose merges wait for each other, on the real scheduler as well.
func mergesMeet(t *conform.T, s Subject) {
	const runs = 100
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	meet := probe.Barrier(runs)
	for i := range runs {
		updates := make(chan *Update, 2)
		updates <- &Update{[]int{0}}
		updates <- &Update{[]int{1}}
		merges := t.Named("merge of Run %d", i)
		merge := func(batch, update *Update) *Update {
			merges.Do(meet, "waits until all %d Runs merge: none of them waits for another", runs)
			cancel()
			return inPlace(t)(batch, update)
		}
		t.Go(fmt.Sprintf("Run %d", i), func(a *conform.Actor) {
			conform.Do(a, func() error {
				return s.Run(ctx, time.Hour, 0, updates, merge, recorded(a, func(context.Context, *Update) {}))
			}, "Run with Quiet 1h, and two updates ready")
		})
	}
	t.Join()
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
	var merging atomic.Bool
	long := takesLong(t, quiet, func() { tell(merged) })
	merge := func(batch, update *Update) *Update { merging.Store(true); return long(batch, update) }
	push := recorded(t.Named("push"), func(context.Context, *Update) { tell(begun); <-over })
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.Run(ctx, quiet, 0, updates, merge, push) }, "Run with Quiet %v, Max 0s", quiet)
	})
	send(t, updates, 0)
	<-begun
	send(t, updates, 1)
	send(t, updates, 2)
	t.Wait()
	t.Require(merging.Load(), "Run received updates 1 and 2 while a push ran, and did not call merge: each update after the first is merged into the batch as soon as it is received.")
	<-merged
	t.Do(func() { close(over) }, "lets the push return")
	t.Wait()
	t.Require(len(begun) == 1, "While a push ran, merge(1, 2) took %v, which is Quiet, so the batch was due when merge returned. Then the push returned, and the batch was not pushed: Quiet is counted from when Run received the update, not from the return of merge.", quiet)
	cancel()
	t.Join()
}
