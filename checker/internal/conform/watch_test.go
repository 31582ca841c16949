package conform

import (
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWhatHasGrown(t *testing.T) {
	before := holding{heap: 2 << 20, goroutines: 5}
	assert.Empty(t, holding{heap: 60 << 20, goroutines: 900}.since(before), "so much is the work itself")
	assert.Equal(t, "the heap from 2 MB to 310 MB, the number of goroutines from 5 to 12000", holding{heap: 310 << 20, goroutines: 12000}.since(before))
}

// TestARunGoesOnInOneInstantOfVirtualTime: a subject that calls a fake again and again in one
// instant gets on, although its clock stands still.
func TestARunGoesOnInOneInstantOfVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		scenario := &T{Actor: &Actor{start: time.Now()}}
		r := &run{live: []*T{scenario}}
		fake := scenario.Named("fake")
		began := realTime() - time.Hour
		assert.False(t, r.goesOn(began), "there was no call yet")
		fake.Do(func() {}, "Get()")
		assert.True(t, r.goesOn(began), "there was one in the last tenth of the hour")
		for end := realTime() + time.Millisecond; realTime() < end; {
		}
		assert.False(t, r.goesOn(realTime()), "there was none since")
	})
}

// TestCopiesDoNotWaitForEachOther: on the real clock several copies of a scenario may wait
// until everybody else is at rest, at the same time.
func TestCopiesDoNotWaitForEachOther(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	go func() {
		close(begun)
		<-end // at rest
	}()
	<-begun
	var all sync.WaitGroup
	for range 4 {
		all.Go(settle)
	}
	all.Wait()
	close(end)
}

// TestAnIteratorThatNobodyAsksIsAtRest: a subject may hold an iterator of iter.Pull while it waits,
// and its coroutine can only be woken by somebody else.
func TestAnIteratorThatNobodyAsksIsAtRest(t *testing.T) {
	next, stop := iter.Pull(slices.Values([]int{1, 2}))
	defer stop()
	first, _ := next()
	settle()
	second, _ := next()
	assert.Equal(t, []int{1, 2}, []int{first, second})
}

// TestWhatPollsIsNotAtRestForGood: looks count for as long as no call begins or returns, and a
// sleep of any length alone is no polling.
func TestWhatPollsIsNotAtRestForGood(t *testing.T) {
	var q quiet
	for range 50 {
		assert.Zero(t, q.add("sleeps", 1).returns, "it has not been seen awake")
	}
	q.add("", 1)
	q.add("sleeps elsewhere", 1)
	q.add("", 1)
	assert.Equal(t, rest{looks: 51, returns: 1}, q.add("sleeps", 1))
	assert.Equal(t, "for 14s whatever woke up in the case went back to wait at the same place", q.String())
	assert.Equal(t, rest{looks: 1}, q.add("sleeps", 2), "a call has begun")
}
