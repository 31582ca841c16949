package debouncetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
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
}

// outcome is what came of a script.
type outcome struct {
	pushes   []pushed
	most     int             // pushes that ran at once
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
			return fmt.Sprintf("Updates %s should have been pushed at %v, and were not.", listed(w.IDs), w.At)
		}
		switch got := o.pushes[i]; {
		case !slices.Equal(got.IDs, w.IDs):
			return fmt.Sprintf("Push %d was of updates %s at %v, and should have been of updates %s at %v.", i+1, listed(got.IDs), got.At, listed(w.IDs), w.At)
		case got.At < w.At:
			return fmt.Sprintf("Push %d, of updates %s, began at %v, too early: it should have begun at %v.", i+1, listed(w.IDs), got.At, w.At)
		case got.At > w.At:
			return fmt.Sprintf("Push %d, of updates %s, began at %v, too late: it should have begun at %v.", i+1, listed(w.IDs), got.At, w.At)
		}
	}
	if more := o.pushes[len(want):]; len(more) > 0 {
		return fmt.Sprintf("Updates %s were pushed at %v, and nothing should have been pushed then.", listed(more[0].IDs), more[0].At)
	}
	return ""
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
	w := &watcher{t: t, begin: begin, took: p.took, actor: t.Named("push")}
	var o outcome
	updates, returned, from := make(chan *Update), make(chan struct{}), ""
	if p.none {
		updates, from = nil, ", updates a nil channel"
	}
	t.Go("Run", func(a *conform.Actor) {
		defer close(returned)
		o.err = conform.Do(a, func() error { return s.Run(ctx, p.quiet, p.max, updates, inPlace(t), w.push) }, "Run with Quiet %v, Max %v%s", p.quiet, p.max, from)
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

// watcher is a push that notes what it sees.
type watcher struct {
	t     *conform.T
	begin time.Time
	took  []time.Duration
	actor *conform.Actor

	mu      sync.Mutex // guards what follows
	pushes  []pushed
	running int
	most    int
}

func (w *watcher) push(_ context.Context, batch *Update) {
	if !w.t.Assert(batch != nil, "push was called with nil, a batch that nobody sent.") {
		return
	}
	w.mu.Lock()
	n := len(w.pushes)
	w.pushes = append(w.pushes, pushed{time.Since(w.begin), slices.Clone(batch.IDs)})
	w.running++
	w.most = max(w.most, w.running)
	running := w.running
	w.mu.Unlock()
	call := w.actor.Call("push(%s)", listed(batch.IDs))
	if running > 1 {
		w.actor.Breaks("%d pushes run at once", running)
	}
	if len(w.took) > 0 {
		time.Sleep(w.took[min(n, len(w.took)-1)])
	}
	call.Returned("")
	w.mu.Lock()
	w.running--
	w.mu.Unlock()
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

// takesLong is a merge that takes so long, and tells when that is over.
func takesLong(t *conform.T, long time.Duration, over chan struct{}) func(batch, update *Update) *Update {
	merges := t.Named("merge")
	return func(batch, update *Update) *Update {
		call := merges.Call("merge(%v, %v)", listed(ids(batch)), listed(ids(update)))
		time.Sleep(long)
		call.Returned("after %v", long)
		tell(over)
		return inPlace(t)(batch, update)
	}
}

// slowMerge has a merge take as long as a batch may wait, which is Quiet or Max, on the real
// scheduler: a Run that merges under a lock would stop the clock of a bubble.
func slowMerge(t *conform.T, s Subject, quiet, longest time.Duration, which string) {
	const wait = 100 * time.Millisecond
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 2)
	updates <- &Update{[]int{0}}
	updates <- &Update{[]int{1}}
	merged, begun, returned := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
	merge := takesLong(t, wait, merged)
	push := recorded(t.Named("push"), func(context.Context, *Update) { tell(begun) })
	t.Go("Run", func(a *conform.Actor) {
		defer close(returned)
		conform.Do(a, func() error { return s.Run(ctx, quiet, longest, updates, merge, push) }, "Run with Quiet %v, Max %v, updates 0 and 1 ready", quiet, longest)
	})
	select {
	case <-merged:
		t.Wait()
		t.Require(len(begun) == 1, "merge(0, 1) took %v, which is %s, so the batch was due when it returned, and it was not pushed: %s is counted from when Run received the update, not from the return of merge.", wait, which, which)
	case <-begun: // update 0 alone: the machine took its time before Run could receive update 1
	case <-returned:
		t.Errorf("Run received two updates and returned: updates was not closed, and ctx was not done.")
	}
	cancel()
	t.Join()
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
