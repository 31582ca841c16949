package debouncetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// script is what happens to a Run, all times counted from its beginning. Update i
// carries the number i.
type script struct {
	quiet, max time.Duration
	updates    []time.Duration // when each is sent, rising
	took       []time.Duration // how long each push takes; the last one stands for the rest
	closed     time.Duration   // when updates is closed, after the last update
	cancelled  time.Duration   // when ctx is cancelled instead, 0 for never
	none       bool            // updates is a nil channel
}

// pushed is one push: when it began and what was in it.
type pushed struct {
	At  time.Duration
	IDs []int

	because string // in one that should be: why then, a sentence or ""
}

// outcome is what came of a script.
type outcome struct {
	pushes   []pushed
	most     int             // pushes that ran at once
	sent     []time.Duration // when each update was sent
	taken    []time.Duration // when Run took each update
	returned time.Duration
	err      error

	until    string // when the script ended, and how
	contrast string // what another script has shown; "" if there was none
}

// pushed requires these pushes and no others of what story tells.
func (o outcome) pushed(t *conform.T, story string, want ...pushed) {
	wrong := o.wrong(want)
	t.Require(wrong == "", "%s %s %s%s", story, wrong, o.all(), o.contrast)
}

// wrong says what is wrong about the first push that is not as it should be; "" if all are right.
func (o outcome) wrong(want []pushed) string {
	for i, w := range want {
		if i >= len(o.pushes) {
			return fmt.Sprintf("Updates %s should have been pushed at %v, and were not.%s", listed(w.IDs), w.At, w.because)
		}
		switch got := o.pushes[i]; {
		case !slices.Equal(got.IDs, w.IDs):
			return fmt.Sprintf("Push %d was of updates %s at %v, and should have been of updates %s at %v.%s%s", i+1, listed(got.IDs), got.At, listed(w.IDs), w.At, w.because, o.received(got.IDs, w.IDs))
		case got.At < w.At:
			return fmt.Sprintf("Push %d, of updates %s, began at %v, too early: it should have begun at %v.%s", i+1, listed(w.IDs), got.At, w.At, w.because)
		case got.At > w.At:
			return fmt.Sprintf("Push %d, of updates %s, began at %v, too late: it should have begun at %v.%s", i+1, listed(w.IDs), got.At, w.At, w.because)
		}
	}
	if more := o.pushes[len(want):]; len(more) > 0 {
		return fmt.Sprintf("Updates %s were pushed at %v, and nothing should have been pushed then.", listed(more[0].IDs), more[0].At)
	}
	return ""
}

// received says when Run received the first update that is missing from a push; "" if none is.
func (o outcome) received(got, want []int) string {
	for _, id := range want {
		switch {
		case slices.Contains(got, id):
		case id >= len(o.taken):
			return fmt.Sprintf(" Run had returned when update %d was sent.", id)
		case o.taken[id] > o.sent[id]:
			return fmt.Sprintf(" Update %d was sent at %v, and Run received it at %v: its sender had to wait.", id, o.sent[id], o.taken[id])
		default:
			return fmt.Sprintf(" Run received update %d at %v.", id, o.taken[id])
		}
	}
	return ""
}

// once requires that each update was pushed once, in the order in which they were sent.
func (o outcome) once(t *conform.T, story string) {
	var got []int
	for _, p := range o.pushes {
		got = append(got, p.IDs...)
	}
	n := len(o.taken)
	each := make([]int, n)
	for i := range each {
		each[i] = i
	}
	t.Require(slices.Equal(got, each), "%s %s %s Nothing that was received is lost or pushed twice.", story, amiss(got, n), o.all())
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

// all lists the pushes, and the updates that Run received and never pushed.
func (o outcome) all() string {
	if len(o.pushes) == 0 {
		return "Nothing was pushed."
	}
	said, in := make([]string, len(o.pushes)), map[int]bool{}
	for i, p := range o.pushes {
		said[i] = fmt.Sprintf("%s at %v", listed(p.IDs), p.At)
		for _, id := range p.IDs {
			in[id] = true
		}
	}
	var lost []int
	for id := range o.taken {
		if !in[id] {
			lost = append(lost, id)
		}
	}
	never := "None was lost."
	if len(lost) > 0 {
		never = fmt.Sprintf("Never pushed: %s, not even %s.", listed(lost), o.until)
	}
	return fmt.Sprintf("Pushed: %s. %s", conform.Listed(said), never)
}

// listed names updates, those in a row by the first and the last of them: [0 to 16, 18].
func listed(ids []int) string {
	var parts []string
	for i := 0; i < len(ids); {
		end := i + 1
		for end < len(ids) && ids[end] == ids[end-1]+1 {
			end++
		}
		if end-i > 2 {
			parts = append(parts, fmt.Sprintf("%d to %d", ids[i], ids[end-1]))
			i = end
			continue
		}
		parts = append(parts, strconv.Itoa(ids[i]))
		i++
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// ended requires that Run returned want itself, at the moment of which when tells.
func (o outcome) ended(t *conform.T, want error, at time.Duration, when string) {
	t.OnTime("Counted from its call, Run returned", o.returned, at, when)
	t.Require(o.err == want, "Run returned %s when %s, and should have returned %s.", conform.Said(o.err), when, conform.Said(want))
}

// errCause is the cause of contexts that end: ctx.Err() never returns it.
var errCause = errors.New("the cause of the context's end")

// play puts a Run through a script, in a bubble, and returns what came of it.
func play(t *conform.T, s Subject, p script) outcome {
	ctx, stop := context.WithCancelCause(t.Context())
	cancel := func() { stop(errCause) }
	defer cancel()
	begin := time.Now()
	w := &watcher{t: t, begin: begin, took: p.took, ends: p.cancelled > 0, actor: t.Named("push"), merging: t.Named("merge"), handed: map[*Update]bool{}, became: map[*Update][]int{}}
	o := outcome{sent: p.updates}
	updates, returned, from := make(chan *Update), make(chan struct{}), ""
	if p.none {
		updates, from = nil, ", updates a nil channel"
	}
	t.Go("Run", func(a *conform.Actor) {
		defer close(returned)
		o.err = conform.Do(a, func() error { return s.Run(ctx, p.quiet, p.max, updates, w.merge, w.push) }, "Run with Quiet %v, Max %v%s", p.quiet, p.max, from)
		o.returned = time.Since(begin)
	})
	for i, at := range p.updates {
		time.Sleep(at - time.Since(begin))
		call := t.Call("updates <- %d", i)
		select {
		case updates <- &Update{IDs: []int{i}}:
			o.taken = append(o.taken, time.Since(begin))
			call.Returned("received")
		case <-returned:
			call.Returned("not received: Run has returned")
		}
	}
	p.end(t, begin, cancel, updates)
	<-returned
	time.Sleep(min(p.quiet, time.Hour) + min(p.max, time.Hour) + time.Second) // what comes late shows now
	t.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	o.pushes, o.most = w.pushes, w.most
	o.until = fmt.Sprintf("at the close, %v", p.closed)
	if p.cancelled > 0 {
		o.until = fmt.Sprintf("until the cancel, %v", p.cancelled)
	}
	return o
}

// end closes updates, or cancels, when the script says so.
func (p script) end(t *conform.T, begin time.Time, cancel func(), updates chan *Update) {
	if p.cancelled > 0 {
		time.Sleep(p.cancelled - time.Since(begin))
		t.Do(cancel, "cancel()")
		return
	}
	time.Sleep(p.closed - time.Since(begin))
	t.Do(func() { close(updates) }, "close(updates)")
}

// watcher is a merge and a push that note what they see.
type watcher struct {
	t     *conform.T
	begin time.Time
	took  []time.Duration
	actor *conform.Actor // of push
	ends  bool           // Run's context does, before the updates

	merging *conform.Actor

	mu      sync.Mutex // guards what follows
	pushes  []pushed
	running int
	most    int
	merges  int
	handed  map[*Update]bool  // to push
	became  map[*Update][]int // what merge returned in the place of an argument
}

// merge returns a new batch, its second argument or its first, in turn: the contract allows each.
func (w *watcher) merge(batch, update *Update) *Update {
	if batch == nil || update == nil {
		return inPlace(w.t)(batch, update)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call := fmt.Sprintf("merge(%s, %s)", listed(batch.IDs), listed(update.IDs))
	w.t.Assert(!w.handed[batch], "%s was called with a batch that had been handed to push: from the beginning of a push on its batch is push's own, and the next update begins a new one.", call)
	result, old := w.became[batch]
	w.t.Assert(!old, "%s was called when merge had returned a batch of the updates %s in the place of %s: what merge returns is the batch from then on, and not what it was given.", call, listed(result), listed(batch.IDs))
	if len(batch.IDs) > 0 && len(update.IDs) > 0 {
		w.t.Assert(batch.IDs[0] <= update.IDs[0], "%s was called: its first argument is the batch, whose updates came earlier, and its second the update that was received just now.", call)
	}
	next, what := w.result(batch, update)
	w.merging.Note("%s returns %s", call, what)
	return next
}

// result is what a merge returns, and says what that is. The caller holds mu.
func (w *watcher) result(batch, update *Update) (next *Update, what string) {
	all := append(slices.Clone(batch.IDs), update.IDs...)
	switch w.merges++; w.merges % 3 {
	case 0:
		next, what = batch, "its first argument, changed"
	case 1:
		next, what = &Update{}, "a new batch"
	case 2:
		next, what = update, "its second argument, changed"
	}
	w.became[batch], w.became[update] = all, all
	delete(w.became, next)
	next.IDs = all
	return next, what
}

func (w *watcher) push(ctx context.Context, batch *Update) {
	if !w.t.Assert(batch != nil, "push was called with nil, a batch that nobody sent.") {
		return
	}
	w.mu.Lock()
	n := len(w.pushes)
	w.handed[batch] = true
	result, old := w.became[batch]
	w.t.Assert(!old, "push(%s) was called with a batch in whose place merge had returned one of the updates %s. What merge returns is the batch from then on; and from the beginning of a push on nothing is merged into its batch.", listed(batch.IDs), listed(result))
	w.pushes = append(w.pushes, pushed{At: time.Since(w.begin), IDs: slices.Clone(batch.IDs)})
	w.running++
	w.most = max(w.most, w.running)
	running := w.running
	w.mu.Unlock()
	call := w.actor.Call("push(%s)", listed(batch.IDs))
	if running > 1 {
		w.actor.Breaks("%d pushes run at once", running)
	}
	w.goesOn(ctx, n, "began")
	if len(w.took) > 0 {
		time.Sleep(w.took[min(n, len(w.took)-1)])
	}
	w.goesOn(ctx, n, "returned")
	call.Returned("")
	w.mu.Lock()
	w.running--
	w.mu.Unlock()
}

// goesOn requires that the context of the push after n others has not ended, where Run's does not.
func (w *watcher) goesOn(ctx context.Context, n int, when string) {
	if ctx != nil && !w.ends {
		w.t.Assert(ctx.Err() == nil, "When push %d %s, its context had ended, and Run's had not. The context of a push is done when ctx is and, as long as push runs, not before.", n+1, when)
	}
}

// inPlace is a merge that changes its first argument, as the contract allows.
func inPlace(t *conform.T) Merge {
	return func(batch, update *Update) *Update {
		if !t.Assert(batch != nil, "merge was called with a nil batch: the first update of a batch is taken as it is, and merge is called for those after it.") ||
			!t.Assert(update != nil, "merge was called with a nil update, which nobody sent.") {
			return &Update{}
		}
		batch.IDs = append(batch.IDs, update.IDs...)
		return batch
	}
}

// takesLong is a merge that takes so long, and calls over then.
func takesLong(t *conform.T, long time.Duration, over func()) func(batch, update *Update) *Update {
	merges := t.Named("merge")
	return func(batch, update *Update) *Update {
		call := merges.Call("merge(%v, %v)", listed(ids(batch)), listed(ids(update)))
		time.Sleep(long)
		call.Returned("after %v", long)
		over()
		return inPlace(t)(batch, update)
	}
}

// slowMerge has a merge take a little longer than a batch may wait, which is Quiet or Max, on the real
// scheduler: a Run that merges under a lock would stop the clock of a bubble.
func slowMerge(t *conform.T, s Subject, quiet, longest time.Duration, which string) {
	const wait = 100 * time.Millisecond
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 2)
	updates <- &Update{[]int{0}}
	updates <- &Update{[]int{1}}
	merged, begun, returned := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
	var merging, pushed atomic.Bool
	long := takesLong(t, wait+wait/5, func() {
		merging.Store(false)
		_ = pushed.Load() // a push that began too early has read the batch before this merge changes it
		tell(merged)
	})
	merge := func(batch, update *Update) *Update { merging.Store(true); return long(batch, update) }
	push := recorded(t.Named("push"), func(_ context.Context, batch *Update) {
		t.Assert(!merging.Load(), "push(%s) was called while merge(0, 1) ran: a batch that becomes due while merge runs is pushed when that call returns.", listed(ids(batch)))
		pushed.Store(true)
		tell(begun)
	})
	t.Go("Run", func(a *conform.Actor) {
		defer close(returned)
		conform.Do(a, func() error { return s.Run(ctx, quiet, longest, updates, merge, push) }, "Run with Quiet %v, Max %v, updates 0 and 1 ready", quiet, longest)
	})
	select {
	case <-merged:
		t.Wait()
		t.Require(len(begun) == 1, "merge(0, 1) took %v, which is longer than %s, so the batch was due when it returned, and it was not pushed then: %s is counted from when Run received the update, not from the return of merge, and whether it has passed is for the clock to say when merge has returned.", wait+wait/5, which, which)
	case <-begun: // update 0 alone: the machine took its time before Run could receive update 1
	case <-returned:
		t.Errorf("Run received two updates and returned: updates was not closed, and ctx was not done.")
	}
	cancel()
	t.Join()
}

// ahead sends an update while merge runs, on the real scheduler for the reason of slowMerge. Where Run receives it
// then, merge goes on until it, too, has waited long enough: what came is due when merge has returned, or when the
// push has that runs meanwhile.
func ahead(t *conform.T, s Subject, quiet, longest time.Duration, pushRuns bool) {
	const wait = 3 * 100 * time.Millisecond // the lesser of quiet and longest, and much longer than three looks at rest
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	a := &aheadOf{t: t, ctx: ctx, updates: make(chan *Update), begun: make(chan struct{}, 9), merging: make(chan struct{}, 9), merged: make(chan struct{}), over: make(chan struct{})}
	if !pushRuns {
		close(a.over)
	}
	push := recorded(t.Named("push"), a.push)
	t.Go("Run", func(actor *conform.Actor) {
		defer cancel()
		conform.Do(actor, func() error { return s.Run(ctx, quiet, longest, a.updates, a.merge(), push) }, "Run with Quiet %v, Max %v", quiet, longest)
	})
	sent, which, story := 0, "Quiet", "merge"
	if longest > 0 {
		which = "Max"
	}
	if pushRuns {
		a.send(t.Actor, sent)
		a.either(a.begun, nil)
		sent, story = 1, "merge and then a push that ran meanwhile"
	}
	a.send(t.Actor, sent)
	a.send(t.Actor, sent+1)
	early := a.begun // a push of one update: the machine took its time before Run could receive the other
	if pushRuns {
		early = nil
	}
	if a.either(a.merging, early) {
		t.Go("sender", func(actor *conform.Actor) { a.send(actor, sent+2) })
		t.Wait()
		received := int(a.received.Load())
		if received == sent+3 {
			t.Do(func() { time.Sleep(wait + wait/4) }, "lets merge go on for %v", wait+wait/4)
		}
		a.judge(pushRuns, received, received == sent+3, fmt.Sprintf("Run received update %d while merge(%d, %d) ran, and %v later, which is longer than %s, %s returned. So all updates were due then", sent+2, sent, sent+1, wait+wait/4, which, story), which)
	}
	cancel()
	t.Join()
}

// aheadOf is what ahead and the calls of its Run share.
type aheadOf struct {
	t       *conform.T
	ctx     context.Context
	updates chan *Update
	begun   chan struct{} // a push
	merging chan struct{} // merge has been called
	merged  chan struct{} // closed: merge may return
	over    chan struct{} // closed: push may return

	received, pushed atomic.Int32 // updates
	inMerge          atomic.Bool
}

// either waits for one of two, and reports whether it was the first. So it ends with ctx as well, and that is not the first.
func (a *aheadOf) either(first, second chan struct{}) bool {
	select {
	case <-first:
		return true
	case <-second:
	case <-a.ctx.Done():
	}
	return false
}

func (a *aheadOf) send(actor *conform.Actor, i int) {
	actor.Do(func() {
		select {
		case a.updates <- &Update{[]int{i}}:
			a.received.Add(1)
		case <-a.ctx.Done():
		}
	}, "updates <- %d", i)
}

func (a *aheadOf) merge() Merge {
	merges := a.t.Named("merge")
	return func(batch, update *Update) *Update {
		call := merges.Call("merge(%v, %v)", listed(ids(batch)), listed(ids(update)))
		a.inMerge.Store(true)
		tell(a.merging)
		a.either(a.merged, nil)
		a.inMerge.Store(false)
		_ = a.pushed.Load() // as in slowMerge
		call.Returned("")
		return inPlace(a.t)(batch, update)
	}
}

func (a *aheadOf) push(_ context.Context, batch *Update) {
	a.t.Assert(!a.inMerge.Load(), "push(%s) was called while merge ran: a batch that becomes due while merge runs is pushed when that call returns.", listed(ids(batch)))
	a.pushed.Add(int32(len(ids(batch))))
	tell(a.begun)
	a.either(a.over, nil)
}

// judge lets merge return, and push if it runs, and then requires that n updates have been pushed.
func (a *aheadOf) judge(pushRuns bool, n int, due bool, story, which string) {
	a.t.Do(func() { close(a.merged) }, "lets merge return")
	if pushRuns {
		a.t.Wait()
		a.t.Do(func() { close(a.over) }, "lets the push return")
	}
	for range 3 {
		a.t.Wait()
		if !due || int(a.pushed.Load()) == n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	a.t.Errorf("%s, and only %d of the %d had been pushed: %s is counted from when Run received an update, not from when it is merged, also for one that Run receives while merge runs.", story, a.pushed.Load(), n, which)
}

// leavesNothing looks for goroutines at the moment at which Run returns, after a push: at the close of updates, or at
// a cancel while that push runs.
func leavesNothing(t *conform.T, s Subject, closed bool) {
	before, took, wait := t.Waiting(), longest, quiet
	ctx, cancel := conform.Foreign(t.Context(), context.Canceled)
	cancel = sync.OnceFunc(cancel)
	defer cancel()
	story, end := "ctx was cancelled while a push ran", cancel
	updates := make(chan *Update)
	if closed {
		story, end, took, wait = "updates was closed", func() { close(updates) }, 0, 48*time.Hour
	}
	push := recorded(t.Named("push"), func(context.Context, *Update) { time.Sleep(took) })
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.Run(ctx, wait, 0, updates, inPlace(t), push) }, "Run with Quiet %v and a ctx of a type of the caller's own", wait)
	})
	send(t, updates, 0)
	time.Sleep(2 * quiet)
	t.Do(end, "the end: %s", story)
	t.Join()
	t.Wait()
	left := t.Waiting() - before
	time.Sleep(time.Hour)
	late := t.Waiting() - before
	cancel()
	time.Sleep(time.Hour)
	if t.Waiting() > before {
		return // it has leaked, and the end of the case says where it is
	}
	t.Require(late <= 0, "%s, and Run returned. An hour later %s still waited for the end of ctx: one that Run started, or one that package context did, which starts one for each context that is derived from a ctx of a type that it does not know, as here, and ends it when that context is cancelled. When Run returns, no goroutine that it started is left.", story, conform.Count(late, "goroutine"))
	t.Require(left <= 0, "%s, and Run returned. At that moment %s of Run did not end but waited, and ended within the hour. When Run returns, no goroutine that it started is left.", story, conform.Count(left, "goroutine"))
}

// closedEarly closes updates long before a batch is due. The context never ends: a goroutine that waits for one
// of the two is left.
func closedEarly(t *conform.T, s Subject) {
	updates, pushes := make(chan *Update), 0
	push := recorded(t.Named("push"), func(context.Context, *Update) { pushes++ })
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.Run(context.Background(), 48*time.Hour, 0, updates, inPlace(t), push) }, "Run with Quiet 48h and context.Background()")
	})
	send(t, updates, 0)
	time.Sleep(quiet)
	t.Do(func() { close(updates) }, "close(updates)")
	t.Join()
	t.Require(pushes == 1, "One update came, with Quiet 48h, and updates was closed after %v. Run returned after %s: there should have been one.", quiet, conform.Count(pushes, "push", "pushes"))
}

// tell puts a word into c, if c has room.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// recorded is push with each of its calls an event.
func recorded(a *conform.Actor, push Push) Push {
	return func(ctx context.Context, batch *Update) {
		a.Do(func() { push(ctx, batch) }, "push(%s)", listed(ids(batch)))
	}
}

// ids are the updates in u, none if it is nil.
func ids(u *Update) []int {
	if u == nil {
		return nil
	}
	return slices.Clone(u.IDs)
}

// send sends update i.
func send(t *conform.T, updates chan<- *Update, i int) {
	t.Do(func() { updates <- &Update{[]int{i}} }, "updates <- %d", i)
}

// ms spells out milliseconds.
func ms(values ...int) []time.Duration {
	ds := make([]time.Duration, len(values))
	for i, v := range values {
		ds[i] = time.Duration(v) * time.Millisecond
	}
	return ds
}

// every are the times of n updates, the given number of milliseconds apart.
func every(gap, n int) []time.Duration {
	ds := make([]time.Duration, n)
	for i := range ds {
		ds[i] = time.Duration(i*gap) * time.Millisecond
	}
	return ds
}

// at is a push at the given millisecond, of the updates from first to last.
func at(begun, first, last int) pushed {
	p := pushed{At: time.Duration(begun) * time.Millisecond}
	for id := first; id <= last; id++ {
		p.IDs = append(p.IDs, id)
	}
	return p
}
