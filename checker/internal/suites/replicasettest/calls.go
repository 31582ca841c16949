package replicasettest

import (
	"errors"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// expectations calls the subject's Expectations and writes every call down.
type expectations struct {
	t *conform.T
	a *conform.Actor
	e Expectations
}

func expecting(t *conform.T, s Subject) expectations {
	call := t.Call("NewExpectations()")
	e := s.NewExpectations()
	call.Returned("")
	return expectations{t, t.Actor, e}
}

func (x expectations) expectCreations(key string, n int) {
	call := x.a.Call("ExpectCreations(%s, %d)", key, n)
	x.e.ExpectCreations(key, n)
	call.Returned("")
}

func (x expectations) expectDeletions(key string, pods ...string) {
	call := x.a.Call("ExpectDeletions(%s, %v)", key, pods)
	x.e.ExpectDeletions(key, pods)
	call.Returned("")
}

func (x expectations) created(key string) {
	call := x.a.Call("CreationObserved(%s)", key)
	x.e.CreationObserved(key)
	call.Returned("")
}

func (x expectations) deleted(key, pod string) {
	call := x.a.Call("DeletionObserved(%s, %s)", key, pod)
	x.e.DeletionObserved(key, pod)
	call.Returned("")
}

func (x expectations) delete(key string) {
	call := x.a.Call("DeleteExpectations(%s)", key)
	x.e.DeleteExpectations(key)
	call.Returned("")
}

func (x expectations) get(key string) (adds, dels int, exists bool) {
	call := x.a.Call("GetExpectations(%s)", key)
	adds, dels, exists = x.e.GetExpectations(key)
	call.Returned("%d, %d, %t", adds, dels, exists)
	return adds, dels, exists
}

func (x expectations) satisfied(key string) bool {
	call := x.a.Call("SatisfiedExpectations(%s)", key)
	yes := x.e.SatisfiedExpectations(key)
	call.Returned("%t", yes)
	return yes
}

func (x expectations) requires(key string, want bool, why string) {
	require.Equal(x.t, want, x.satisfied(key), "SatisfiedExpectations(%s) is wrong: %s.", key, why)
}

// errRefused is the error of a call that fails.
var errRefused = errors.New("refused")

// batches is what SlowStartBatch calls. Each call takes a second, one that fails half of it.
type batches struct {
	t    *conform.T
	fail func(n int) bool // whether the n-th call fails, from 0 on; nil for none

	mu    sync.Mutex // guards began and ended
	began []time.Duration
	ended int
}

// run calls the subject.
func (b *batches) run(s Subject, count, initial int) (int, error) {
	call := b.t.Call("SlowStartBatch(%d, %d, f)", count, initial)
	done, err := s.SlowStartBatch(count, initial, b.f)
	call.Returned("%d, %v", done, err)
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Equal(b.t, len(b.began), b.ended, "SlowStartBatch returned while calls of its last batch were under way.")
	return done, err
}

func (b *batches) f() error {
	n := b.begin()
	defer b.end()
	if b.fail != nil && b.fail(n) {
		time.Sleep(time.Second / 2)
		return errRefused
	}
	time.Sleep(time.Second)
	return nil
}

// begin says the how-manieth call this is. No lock is held across the sleep: a bubble
// would stand still.
func (b *batches) begin() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began = append(b.began, b.t.Elapsed())
	return len(b.began) - 1
}

func (b *batches) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended++
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
