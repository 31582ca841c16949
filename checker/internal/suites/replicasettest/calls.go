package replicasettest

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// expectations calls the subject's Expectations as one actor of the history.
type expectations struct {
	t *conform.T
	a *conform.Actor
	e Expectations
}

func expecting(t *conform.T, s Subject) expectations {
	x := expectations{t: t, a: t.Actor}
	t.Do(func() { x.e = s.NewExpectations() }, "NewExpectations()")
	return x
}

func (x expectations) expectCreations(key string, n int) {
	x.a.Do(func() { x.e.ExpectCreations(key, n) }, "ExpectCreations(%s, %d)", key, n)
}

func (x expectations) expectDeletions(key string, pods ...string) {
	x.a.Do(func() { x.e.ExpectDeletions(key, pods) }, "ExpectDeletions(%s, %v)", key, pods)
}

func (x expectations) created(key string) {
	x.a.Do(func() { x.e.CreationObserved(key) }, "CreationObserved(%s)", key)
}

func (x expectations) deleted(key, pod string) {
	x.a.Do(func() { x.e.DeletionObserved(key, pod) }, "DeletionObserved(%s, %s)", key, pod)
}

func (x expectations) delete(key string) {
	x.a.Do(func() { x.e.DeleteExpectations(key) }, "DeleteExpectations(%s)", key)
}

func (x expectations) get(key string) (adds, dels int, exists bool) {
	call := x.a.Call("GetExpectations(%s)", key)
	adds, dels, exists = x.e.GetExpectations(key)
	call.Returned("%d creations, %d deletions, exists %t", adds, dels, exists)
	return adds, dels, exists
}

func (x expectations) satisfied(key string) bool {
	return conform.Do(x.a, func() bool { return x.e.SatisfiedExpectations(key) }, "SatisfiedExpectations(%s)", key)
}

func (x expectations) requires(key string, want bool, why string) {
	got := x.satisfied(key)
	x.t.Require(got == want, "SatisfiedExpectations(%s) returned %t, and should have returned %t: %s.", key, got, want, why)
}

// outstanding demands what GetExpectations has to answer for a key with expectations.
func (x expectations) outstanding(key string, adds, dels int, why string) {
	gotAdds, gotDels, exists := x.get(key)
	x.t.Require(exists, "GetExpectations(%s) says that nothing was ever expected for that key, and something was: %s.", key, why)
	x.t.Require(gotAdds == adds && gotDels == dels, "GetExpectations(%s) says that %s and %s are outstanding, and it should be %d and %d: %s.",
		key, conform.Some(gotAdds, "creation"), conform.Some(gotDels, "deletion"), adds, dels, why)
}

// errRefused is the error of a call that fails.
var errRefused = errors.New("refused")

// batches is what SlowStartBatch calls. A call takes a second or two, one that fails half of one.
type batches struct {
	t    *conform.T
	a    *conform.Actor
	fail func(n int) bool // whether the n-th call fails, from 1 on; nil for none

	mu    sync.Mutex // guards began and ended
	began []time.Duration
	ended int
}

// counting makes an f of which calls fail as fail says.
func counting(t *conform.T, fail func(n int) bool) *batches {
	return &batches{t: t, a: t.Named("f"), fail: fail}
}

// run calls the subject.
func (b *batches) run(s Subject, calls, initial int) (int, error) {
	done, err := conform.Do2(b.t.Actor, func() (int, error) { return s.SlowStartBatch(calls, initial, b.f) }, "SlowStartBatch(%d, %d, f)", calls, initial)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Require(len(b.began) == b.ended, "SlowStartBatch had begun %s of f and returned when only %d of them had ended.", conform.Some(len(b.began), "call"), b.ended)
	return done, err
}

func (b *batches) f() error {
	n := b.begin()
	defer b.end()
	call := b.a.Call("f(), call %d", n)
	if b.fail != nil && b.fail(n) {
		time.Sleep(time.Second / 2)
		call.Returned("%v", errRefused)
		return errRefused
	}
	time.Sleep(time.Duration(1+n%2) * time.Second)
	call.Returned("nil")
	return nil
}

// begin says which call this is, from 1 on. No lock is held across the sleep: a bubble
// would stand still.
func (b *batches) begin() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.t.Elapsed()
	if n := len(b.began); n > 0 && now > b.began[n-1] {
		b.t.Assert(b.ended == n, "SlowStartBatch began a batch when only %d of the %d calls of f before it had returned: a batch begins when all calls of the one before have returned.", b.ended, n)
	}
	b.began = append(b.began, now)
	return len(b.began)
}

func (b *batches) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended++
}

// wants requires that calls began in these batches.
func (b *batches) wants(batches []int, why string) {
	got := b.sizes()
	b.t.Require(slices.Equal(got, batches), "SlowStartBatch called f in batches of %v, and should have called it in batches of %v: %s.", got, batches, why)
}

// sizes is how many calls began in each second in which one did.
func (b *batches) sizes() []int {
	var sizes []int
	for i, at := range b.began {
		if i > 0 && at == b.began[i-1] {
			sizes[len(sizes)-1]++
		} else {
			sizes = append(sizes, 1)
		}
	}
	return sizes
}
