package reconcilertest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// job is a Reconciler that does what a case says and writes down when.
type job struct {
	a   *conform.Actor
	now func() time.Duration
	do  func(ctx context.Context, name string, nth int) (kit.Result, error) // nth call for this name, from 1

	mu      sync.Mutex // guards everything below
	at      map[string][]time.Duration
	calls   int
	running map[string]int
	last    map[string]string // what the latest reconcile has returned
	busy    int
	most    int // the greatest busy there was
	doubled bool

	limit  int    // more than so many at once are marked; 0 for no limit
	mayNot string // why none is to be reconciled, which is marked; "" if there is no reason
	marked bool
	due    map[string][]time.Duration
	broken map[string]string // how the first reconcile that was not due differs
}

func newJob(t *conform.T, do func(ctx context.Context, name string, nth int) (kit.Result, error)) *job {
	return &job{
		a: t.Named("reconciler"), now: t.Elapsed, do: do,
		at: map[string][]time.Duration{}, running: map[string]int{}, last: map[string]string{},
		due: map[string][]time.Duration{}, broken: map[string]string{},
	}
}

// taking is a job that takes its time and succeeds.
func taking(t *conform.T, d time.Duration) *job {
	return newJob(t, func(context.Context, string, int) (kit.Result, error) {
		time.Sleep(d)
		return kit.Result{}, nil
	})
}

func (j *job) Reconcile(ctx context.Context, r kit.Request) (kit.Result, error) {
	call, back := j.a.Callback("Reconcile(ctx, %v)", r), "panics"
	nth := j.begin(r.Name)
	defer func() {
		j.end(r.Name, back)
		call.Returned("%s", back)
	}()
	j.slowDown(r.Name)
	result, err := j.do(ctx, r.Name, nth)
	back = fmt.Sprintf("%s, %v", said(result), err)
	return result, err
}

func (j *job) begin(name string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls++
	j.at[name] = append(j.at[name], j.now())
	j.running[name]++
	j.busy++
	j.most = max(j.most, j.busy)
	if j.running[name] > 1 {
		j.doubled = true
		j.mark("Two reconciles of %v are under way at once.", named(name))
	}
	if j.limit > 0 && j.busy > j.limit {
		j.mark("%d reconciles are under way at once, and %d are allowed.", j.busy, j.limit)
	}
	if j.mayNot != "" {
		j.mark("%v is reconciled, and %s.", named(name), j.mayNot)
	}
	j.compare(name)
	return len(j.at[name])
}

// mark marks a breach, if it is the first. The caller holds mu.
func (j *job) mark(format string, args ...any) {
	if !j.marked {
		j.marked = true
		j.a.Breaks(format, args...)
	}
}

// compare marks the latest reconcile of a request if it was not due. The caller holds mu.
func (j *job) compare(name string) {
	want, planned := j.due[name]
	if !planned || j.broken[name] != "" {
		return
	}
	n := len(j.at[name])
	at, it := j.at[name][n-1], fmt.Sprintf("Reconcile %d of %v", n, named(name))
	switch {
	case n > len(want):
		j.broken[name] = fmt.Sprintf("%s came after %v, and no more were due", it, at)
	case at < want[n-1]:
		j.broken[name] = fmt.Sprintf("%s came after %v, too early: %v was due", it, at, want[n-1])
	case at > want[n-1]:
		j.broken[name] = fmt.Sprintf("%s came after %v, too late: %v was due", it, at, want[n-1])
	default:
		return
	}
	if n > 1 && j.running[name] == 1 {
		j.broken[name] += fmt.Sprintf(". The one before it ended with: %s", j.last[name])
	}
	j.mark("%s.", j.broken[name])
}

// expect says when a request is to be reconciled.
func (j *job) expect(name string, at ...time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.due[name] = at
}

// asExpected ends the case if a request was not reconciled when expect has said. The sentence
// says what was to be.
func (j *job) asExpected(t *conform.T, name, sentence string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	wrong, n := j.broken[name], len(j.at[name])
	if want := j.due[name]; wrong == "" && n < len(want) {
		wrong = fmt.Sprintf("Reconcile %d of %v was due after %v, and did not come", n+1, named(name), want[n])
		if n > 0 {
			wrong += fmt.Sprintf(". The one before it ended with: %s", j.last[name])
		}
	}
	if wrong != "" {
		t.Fatalf("%s. %s", wrong, sentence)
	}
}

// not says why nothing is to be reconciled from now on; "" ends that.
func (j *job) not(why string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.mayNot = why
}

// slowDown has a request that comes without end take an hour each time. Where it comes at once, again and again, the
// clock of a bubble stands still, and the case would not get as far as saying so.
func (j *job) slowDown(name string) {
	const enough = 200
	j.mu.Lock()
	more := len(j.at[name]) - len(j.due[name])
	j.mu.Unlock()
	if more > enough {
		time.Sleep(time.Hour)
	}
}

func (j *job) end(name, back string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last[name] = back
	j.running[name]--
	j.busy--
}

// times is when a request was reconciled.
func (j *job) times(name string) []time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]time.Duration{}, j.at[name]...)
}

func (j *job) total() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.calls
}

// load is how many reconciles are under way, and how many there were at most.
func (j *job) load() (now, most int, doubled bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.busy, j.most, j.doubled
}
