package explain

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestWhatToDoAboutARace(t *testing.T) {
	own := outcome.Access{Op: "write", At: here, Started: there}
	caller := outcome.Access{Op: "read", At: here, Main: true}
	mu := outcome.Lock{Name: "q.mu", Key: "Queue.mu"}
	locked := outcome.Access{Op: "write", At: here, Main: true, Holds: []outcome.Lock{mu}}
	for name, c := range map[string]struct {
		race []outcome.Access
		want string
	}{
		"two callers":                  {[]outcome.Access{caller, caller}, "guard both accesses"},
		"a caller and a goroutine":     {[]outcome.Access{own, caller}, "If it lives on, guard both accesses"},
		"two goroutines":               {[]outcome.Access{own, own}, "memory of its own"},
		"a write under RLock":          {[]outcome.Access{{Op: "write", At: here, Main: true, Locked: true, Holds: []outcome.Lock{{Name: "q.mu", Read: true}}}, caller}, "Take Lock where you write"},
		"a write under Lock":           {[]outcome.Access{locked, caller}, "The write at labs/01-goroutines/gather.go:7 is made with q.mu held. The source shows no lock that is held for the read"},
		"a write under both":           {[]outcome.Access{{Op: "write", At: here, Main: true, Holds: []outcome.Lock{{Name: "q.rw", Read: true}, mu}}, caller}, "is made with q.rw held"},
		"a read under RLock":           {[]outcome.Access{own, {Op: "read", At: here, Main: true, Holds: []outcome.Lock{{Name: "q.mu", Read: true}}}}, "no lock that is held for the write"},
		"two locks":                    {[]outcome.Access{locked, {Op: "read", At: there, Holds: []outcome.Lock{{Name: "q.other", Key: "Queue.other"}}}}, "Two locks do not keep each other out"},
		"locks of one name":            {[]outcome.Access{locked, locked}, "of two values that share memory"},
		"in a function of the case's":  {[]outcome.Access{{Op: "write", At: here, Within: outcome.InCase}, own}, "order the calls, or hand out a copy"},
		"one of them with a lock":      {[]outcome.Access{{Op: outcome.MapWrite, At: here, Within: outcome.InCase, Holds: []outcome.Lock{mu}}, {Op: outcome.MapRead, At: there, Within: outcome.InCase}}, "hand out a copy. The map write at labs/01-goroutines/gather.go:7 is made with q.mu held."},
		"inside a WaitGroup":           {[]outcome.Access{{Op: outcome.WaitGroupAdd, At: here, Started: there}, caller}, "Call Add before the go statement"},
		"a library's goroutine":        {[]outcome.Access{{Op: "write", Started: here, Library: true}, caller}, "Guard both"},
		"one that the detector lost":   {[]outcome.Access{{Op: "write", Main: true, Unseen: true}, own}, "Guard both"},
		"what the caller was handed":   {[]outcome.Access{{Op: "read", Main: true}, own}, "Hand out a copy"},
		"two of the caller's":          {[]outcome.Access{{Op: "read", Main: true}, {Op: "write", Main: true}}, "relies on an order that the contract promises"},
		"two appends":                  {[]outcome.Access{{Op: "read", At: here, Does: outcome.Appends}, {Op: "write", At: here, Does: outcome.Appends}}, "an element is lost. Guard both"},
		"two steps":                    {[]outcome.Access{{Op: "write", At: here, Does: outcome.Steps}, caller}, "one overwrites what the other has stored. If the goroutine ends"},
		"a map":                        {[]outcome.Access{{Op: outcome.MapWrite, At: here}, {Op: outcome.MapRead, At: there}}, "No goroutine may use a map, not even to read it"},
		"an error":                     {[]outcome.Access{{Op: "write", At: here, Touches: "s.err"}, own}, "overwrite each other's errors"},
		"a close and a send":           {[]outcome.Access{{Op: outcome.ChannelClose, At: here, Main: true}, {Op: outcome.ChannelSend, At: there, Main: true}}, "Nothing makes the close at labs/01-goroutines/gather.go:7 come after the send at labs/01-goroutines/gather.go:9"},
		"callers, of whom one is lost": {[]outcome.Access{{Op: "write", Main: true, Unseen: true}, caller}, "guard both"},
	} {
		assert.Contains(t, order(c.race), c.want, name)
	}
}

func TestARaceSaysWhoWasThereAndHow(t *testing.T) {
	places := accesses([]outcome.Access{
		{Op: "write", Started: here, Library: true},
		{Op: "atomic write", At: here, Near: true, Main: true, Via: []outcome.Location{there}},
		{Op: "read", Main: true, Unseen: true},
	})
	assert.Equal(t, []string{"by a goroutine that a library started when it was called at labs/01-goroutines/gather.go:7, in code outside this lab"}, places[0].Notes)
	assert.Equal(t, []string{
		"by the goroutine that called your code", "at this line, or in a short function that it calls",
		"called by a function literal in Gather at labs/01-goroutines/gather.go:9",
	}, places[1].Notes)
	assert.Contains(t, places[2].Notes[0], "kept no line")
	both := accesses([]outcome.Access{{Op: "write", At: here, Main: true}, {Op: "read", At: there, Main: true}})
	assert.Equal(t, []string{"by another goroutine that called your code"}, both[1].Notes)
}

func TestThePathToARaceEndsWhereTheCallerCameIn(t *testing.T) {
	via := make([]outcome.Location, 9)
	for i := range via {
		via[i] = outcome.Location{File: "labs/01-goroutines/gather.go", Line: i + 1, Func: "step"}
	}
	via[8].Func = "Gatherer.Add"
	notes := callers(via)
	assert.Equal(t, []string{
		"called by step at labs/01-goroutines/gather.go:5", "called by 3 more functions on the way", "called by Gatherer.Add at labs/01-goroutines/gather.go:9",
	}, notes[4:])
	assert.Len(t, callers(via[:6]), 6)
}

func TestSlowIsNotALivelock(t *testing.T) {
	r := ended(verdict.Timeout)
	r.Message, r.Detail = "the case used 10s of processor time, and calls still began and returned", "the heap from 2 MB to 310 MB"
	e := Case(claim, r)
	assert.Equal(t, "too slow", e.Title)
	assert.NotContains(t, e.What+e.Lesson, "nowhere")
	assert.Contains(t, e.What, "Meanwhile it has grown: the heap from 2 MB to 310 MB.")

	r.Message, r.Detail = "the case used 10s of processor time, and in the end no call began or returned any more", ""
	e = Case(claim, r)
	assert.Equal(t, "livelock", e.Title)
	assert.NotContains(t, e.What, "grown")

	r.Message = "the case did not begin"
	assert.Equal(t, "out of time", Case(claim, r).Title, "nobody knows why")
}

func TestALoopIsLookedForInTheCallersToo(t *testing.T) {
	r := ended(verdict.Timeout)
	r.Message = "the case used 10s of processor time, and in the end no call began or returned any more"
	r.Goroutines = []outcome.Goroutine{{State: "running", At: here, Count: 1, Within: "sync.Mutex.Lock", Via: []outcome.Location{there}}}
	e := Case(claim, r)
	assert.Equal(t, "1 goroutine keeps running in sync.Mutex.Lock, which this line calls", e.Places[0].Label)
	assert.Equal(t, []string{"called by a function literal in Gather at labs/01-goroutines/gather.go:9"}, e.Places[0].Notes)
	assert.Contains(t, e.Next.Do, "around one of the calls that lead to it")
}

func TestALeakThatWasJudgedByTimeSaysSo(t *testing.T) {
	r := ended(verdict.GoroutineLeak)
	r.Detail = "10s"
	assert.Contains(t, Case(claim, r).What, "after another 10s")
}

func TestARaceNamesWhatBothSidesTouch(t *testing.T) {
	r := ended(verdict.DataRace)
	r.Race = []outcome.Access{{Op: "write", At: there, Touches: "q.items", Main: true}, {Op: "read", At: here, Main: true, Touches: "q.items"}}
	assert.Contains(t, Case(claim, r).What, "nothing orders the two. Both lines name \"q.items\".")
	r.Race[1].At = there
	assert.Contains(t, Case(claim, r).What, "The line names \"q.items\".")
}

func TestARaceInTheCasesCodeIsNotBlamedOnTheLine(t *testing.T) {
	places := accesses([]outcome.Access{
		{Op: "write", At: here, Main: true, Within: outcome.InCase},
		{Op: "read", At: there, Main: true, Within: "bytes.Buffer.Len", Holds: []outcome.Lock{{Name: "q.mu", At: here, Read: true}}},
	})
	assert.Contains(t, places[0].Notes, "in code of the case that this line calls")
	assert.Contains(t, places[1].Notes, "in bytes.Buffer.Len, which this line calls")
	assert.Contains(t, places[1].Notes, "holds q.mu for reading, locked at labs/01-goroutines/gather.go:7")
}
