package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
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
	a.Breaks("too early")
	a.Call("Start()") // never returns
	old := a.Call("Add(1)")
	old.Returned("")
	for i := range 10 * maxActorEvents {
		a.Note("step %d", i)
	}
	events := a.log.events()
	require.Len(t, events, maxActorEvents)
	assert.Equal(t, "too early", events[0].What, "a breach is kept")
	assert.Equal(t, "Start()", events[1].What, "and a call that has not returned")
	assert.Equal(t, fmt.Sprintf("step %d", 10*maxActorEvents-maxActorEvents+2), events[2].What)
	old.Returned("forgotten long ago")
}

// A class of hundreds keeps a history for each case that failed.
func TestAHistoryIsBounded(t *testing.T) {
	all := actors("a", "b")
	all[0].Breaks("too early")
	for range maxActorEvents {
		all[0].Call("never returns")
		all[1].Call("%s", strings.Repeat("<", 1000)).Returned("%s", strings.Repeat("\x01", 1000))
	}
	events := history(all)
	text, err := json.Marshal(events)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(text), maxHistoryBytes)
	assert.LessOrEqual(t, len(events), maxHistory)
	assert.True(t, events[0].Broke, "the breach is kept")
	assert.True(t, slices.ContainsFunc(events, func(e wire.Event) bool { return e.Who == "b" }), "and the newest of what returned")
}

func TestAHistoryKeepsWhatMadeTheSubject(t *testing.T) {
	a := actors("test")[0]
	for i := range 4 {
		a.Call("New(max %d)", i).Returned("")
	}
	for i := range maxHistory {
		a.Note("step %d", i)
	}
	h := history([]*Actor{a})
	require.Len(t, h, maxHistory-maxHistory/4+maxMade, "the newest, and what older events may have of the room")
	assert.Equal(t, "New(max 2)", h[0].What)
	assert.Equal(t, "New(max 3)", h[1].What)
}

// A case says in a note what it does, and then does it thousands of times.
func TestAHistoryKeepsTheLastNotes(t *testing.T) {
	a := actors("test")[0]
	for i := range 6 {
		a.Note("scene %d", i)
	}
	for i := range 2 * maxHistory {
		a.Call("Add(%d)", i).Returned("")
	}
	h := history([]*Actor{a})
	require.Greater(t, len(h), maxHistory/2)
	assert.NotContains(t, h[maxNotes].What, "scene", "and no older ones")
	for i, e := range h[:maxNotes] {
		assert.Equal(t, fmt.Sprintf("scene %d", 6-maxNotes+i), e.What)
	}
}

func TestActorsOfOneNameAreNumbered(t *testing.T) {
	all := actors("waiter", "test", "waiter")
	for _, a := range all {
		a.Note("here")
	}
	var who []string
	for _, e := range history(all) {
		who = append(who, e.Who)
	}
	assert.Equal(t, []string{"waiter #1", "test", "waiter #2"}, who)
}

func TestContextsAreInTheHistory(t *testing.T) {
	a := actors("a")[0]
	ctx, cancel := a.WithCancel(context.Background(), "the caller's ctx")
	cancel()
	cancel()
	assert.Error(t, ctx.Err())
	_, stop := a.WithTimeout(context.Background(), time.Hour, "ctx")
	stop()
	a.Callback("OnAdd(%v)", 1).Returned("")
	var what []string
	for _, e := range history([]*Actor{a}) {
		what = append(what, e.What)
	}
	require.Len(t, what, 3)
	assert.Equal(t, "cancels the caller's ctx", what[0])
	assert.Regexp(t, "^makes ctx, which ends at 1h0m0", what[1])
	assert.Equal(t, "is called: OnAdd(1)", what[2])
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
		events := a.log.events()
		require.Len(t, events, calls)
		for i, e := range events {
			assert.Equal(t, []any{fmt.Sprintf("f(%d)", i), fmt.Sprintf("%s%d", a.who, i), false}, []any{e.What, e.Result, e.Open})
		}
	}
}

// The race detector must see a race of a subject whose goroutines all call one fake, and
// none in what writes the history down.
func TestRecordingOrdersNobody(t *testing.T) {
	if !raceDetector {
		t.Skip("needs the race detector")
	}
	const env = "CONTROLLERBOOK_RACE_TEST"
	if os.Getenv(env) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRecordingOrdersNobody$")
		cmd.Env = append(os.Environ(), env+"=1")
		out, _ := cmd.CombinedOutput()
		assert.Contains(t, string(out), "DATA RACE")
		assert.Equal(t, 1, strings.Count(string(out), "DATA RACE"), "%s", out)
		return
	}
	const rounds = 20 // the detector forgets a goroutine's older accesses
	a := actors("fake")[0]
	shared := 0
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			time.Sleep(time.Duration(i) * 50 * time.Millisecond) // one after the other, and ordered by nobody
			for n := range rounds {
				call := a.Call("Get(%d)", n)
				if n == rounds/2 {
					shared++
				}
				call.Returned("")
			}
			history([]*Actor{a})
		})
	}
	all.Wait()
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
