package conform

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func actors(names ...string) []*Actor {
	start := time.Now()
	var all []*Actor
	for _, n := range names {
		all = append(all, &Actor{who: n, start: start})
	}
	return all
}

func TestHistoryMergesByTime(t *testing.T) {
	all := actors("a", "b")
	first := all[1].Call("Get()")
	all[0].Note("meanwhile")
	first.Returned("%q", "x")
	h := history(all)
	require.Len(t, h, 2)
	assert.Equal(t, "b", h[0].Who)
	assert.Equal(t, `"x"`, h[0].Result)
	assert.False(t, h[0].Open)
	assert.Equal(t, "meanwhile", h[1].What)
}

func TestHistoryKeepsTheEndAndWhatNeverReturned(t *testing.T) {
	all := actors("a", "b")
	all[0].Call("Get()") // never returns
	for i := range 100 {
		all[1].Note("step %d", i)
	}
	h := history(all)
	assert.Equal(t, "Get()", h[0].What)
	assert.True(t, h[0].Open)
	assert.Equal(t, "step 99", h[len(h)-1].What)
	assert.LessOrEqual(t, len(h), maxHistory+maxHistory/2)
}

func TestALogIsBounded(t *testing.T) {
	a := actors("a")[0]
	old := a.Call("Add(1)")
	for i := range 10 * maxActorEvents {
		a.Note("step %d", i)
	}
	old.Returned("") // trimmed long ago
	assert.LessOrEqual(t, len(a.events), 2*maxActorEvents)
}

// Without its return a call would be shown to a learner as one that did not return.
func TestACallReturnsInATrimmedLog(t *testing.T) {
	a := actors("a")[0]
	for i := range maxActorEvents + 50 {
		a.Note("before %d", i)
	}
	call := a.Call("Get()")
	for i := range maxActorEvents + 50 {
		a.Note("after %d", i)
	}
	call.Returned("x")
	i := slices.IndexFunc(a.events, func(e event) bool { return e.What == "Get()" })
	require.GreaterOrEqual(t, i, 0)
	assert.False(t, a.events[i].Open, "the call is shown as one that never returned")
	assert.Equal(t, "x", a.events[i].Result)
	assert.False(t, slices.ContainsFunc(a.events, func(e event) bool { return e.What != "Get()" && e.Result != "" }), "another event has its result")
}

func TestActorsDoNotDisturbEachOther(t *testing.T) {
	const calls = maxActorEvents
	all := actors("a", "b", "c")
	var wg sync.WaitGroup
	for _, a := range all {
		wg.Go(func() {
			for i := range calls {
				a.Call("f(%d)", i).Returned("%s%d", a.who, i)
			}
		})
	}
	for range 10 { // as a failing case does, while others go on
		for i, e := range history(all) {
			assert.Contains(t, []string{"a", "b", "c"}, e.Who, "event %d", i)
		}
	}
	wg.Wait()
	for _, a := range all {
		require.Len(t, a.events, calls)
		for i, e := range a.events {
			assert.Equal(t, []any{a.who, fmt.Sprintf("f(%d)", i), fmt.Sprintf("%s%d", a.who, i), false}, []any{e.Who, e.What, e.Result, e.Open})
		}
	}
}

// texts is the half of a *T that testify needs.
type texts struct{ message, detail string }

func (x *texts) Errorf(format string, args ...any) {
	x.message, x.detail = split(fmt.Sprintf(format, args...))
}
func (x *texts) FailNow() {}

func TestSplitTakesTestifyApart(t *testing.T) {
	var x texts
	require.Equal(&x, 1, 2, "Len counts items that are being worked on.")
	assert.Equal(t, "Len counts items that are being worked on.", x.message)
	assert.Contains(t, x.detail, "expected: 1")
	assert.NotContains(t, x.detail, "Error Trace")

	require.True(&x, false)
	assert.Equal(t, "Should be true", x.message, "without a message testify's own words are better than none")

	message, detail := split("A plain sentence.")
	assert.Equal(t, "A plain sentence.", message)
	assert.Empty(t, detail)
}

func TestSeedsOfCopiesDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(10) {
		for n := range uint64(64) {
			s := mix(seed, n)
			assert.False(t, seen[s])
			seen[s] = true
		}
	}
}
