package outcome

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

const (
	gatherer = pkg + ".(*Gatherer)"
	fake     = Module + "/checker/internal/suites/goroutinestest.task.func1(...)\n\t" + Module + "/checker/internal/suites/goroutinestest/case.go:9 +0x1\n"
)

// blockedOn folds a dump of a source in which Gatherer.run holds g.mu from line 20 to 30, and g.order
// as well from line 26 on.
func blockedOn(dump string, more ...syntax.Op) []Goroutine {
	target := about
	target.Sources = map[string]Source{"labs/01-goroutines/gather.go": {
		Ops: append(more, syntax.Op{Line: 10, Does: "Lock", On: "g.mu", Key: "Gatherer.mu"}, syntax.Op{Line: 12, Does: "receive", On: "ctx.Done()"}),
		Held: []syntax.Held{
			{From: 20, To: 30, Lock: 19, On: "g.mu", Key: "Gatherer.mu", Func: [2]int{18, 31}},
			{From: 26, To: 30, Lock: 25, On: "g.order", Key: "Gatherer.order", Func: [2]int{18, 31}},
		},
	}}
	r := rec(wire.Stuck)
	r.Dump = dump
	return Fold(target, of(start(), r).exit(1)).Goroutines
}

const (
	waiting = "goroutine 7 [sync.Mutex.Lock]:\nsync.(*Mutex).Lock(0xc1)\n\tsync/mutex.go:1\n" + gatherer + ".add(0xc0)\n\t" + file + ":10 +0x1\n"
	calling = "goroutine 8 [chan receive]:\n" + fake + gatherer + ".run(0xc0)\n\t" + file + ":22 +0x1\n"
)

func TestAFunctionOfTheCaseThatWaitsIsToldApart(t *testing.T) {
	groups := blockedOn(waiting + "\n" + calling)
	require.Len(t, groups, 2)
	lock := Location{File: "labs/01-goroutines/gather.go", Line: 19, Func: "Gatherer.run"}
	assert.Equal(t, InCase, groups[0].Within, "who holds the lock comes first")
	assert.Equal(t, []Lock{{Name: "g.mu", At: lock}}, groups[0].Holds)
	assert.Empty(t, groups[0].On, "what the case waits for has no name in the learner's source")
	assert.Equal(t, "g.mu", groups[1].On)
	assert.Equal(t, &Holder{At: groups[0].At, Lock: lock}, groups[1].HeldBy)
}

func TestALockThatTheGoroutineHoldsItself(t *testing.T) {
	same := blockedOn(waiting + gatherer + ".run(0xc0)\n\t" + file + ":22 +0x1\n")
	assert.True(t, same[0].HeldBy.Self && same[0].HeldBy.Sure)
	other := blockedOn(waiting + gatherer + ".run(0xc9)\n\t" + file + ":22 +0x1\n")
	assert.True(t, other[0].HeldBy.Self && !other[0].HeldBy.Sure, "it may be another one's")
}

func TestALockThatNobodyHolds(t *testing.T) {
	assert.Equal(t, &Holder{}, blockedOn(waiting)[0].HeldBy, "it was left locked")
	aside := blockedOn(waiting, syntax.Op{Line: 40, Does: "Lock", On: "c.g.mu", Key: "Caller.g.mu"})
	assert.Nil(t, aside[0].HeldBy, "somebody may hold it by another name")
}

func TestALockThatAGoroutineInCondWaitMayHold(t *testing.T) {
	inWait := func(line string) []Goroutine {
		return blockedOn(waiting + "\ngoroutine 8 [sync.Cond.Wait]:\nsync.(*Cond).Wait(0xc1)\n\tsync/cond.go:1\n" + gatherer + ".run(0xc0)\n\t" + file + ":" + line + " +0x1\n")
	}
	holder := func(groups []Goroutine) *Holder {
		i := slices.IndexFunc(groups, func(g Goroutine) bool { return g.OnLock() })
		return groups[i].HeldBy
	}
	assert.Equal(t, &Holder{}, holder(inWait("22")), "Wait has released the only lock, so somebody else has left it locked")
	assert.Nil(t, holder(inWait("28")), "of two locks Wait has released one, and nobody knows which")
}

func TestALibraryInWhichAGoroutineWaits(t *testing.T) {
	groups := blockedOn("goroutine 7 [select]:\nnet/http.(*Server).Shutdown(0xc1)\n\tnet/http/server.go:1\n" + pkg + ".Gather()\n\t" + file + ":60 +0x1\n")
	assert.Equal(t, "http.Server.Shutdown", groups[0].Within)
}

func TestWhoWaitsToBeCancelledBlocksNobody(t *testing.T) {
	groups := blockedOn("goroutine 7 [chan receive]:\n" + pkg + ".Gather()\n\t" + file + ":12 +0x1\n\n" +
		"goroutine 8 [sync.WaitGroup.Wait]:\nsync.(*WaitGroup).Wait(0xc1)\n\tsync/waitgroup.go:1\n" + pkg + ".Gather()\n\t" + file + ":60 +0x1\n")
	assert.Equal(t, "sync.WaitGroup.Wait", groups[0].State)
	assert.True(t, groups[1].Idle())
}

func TestALoopIsWhereItIsCalled(t *testing.T) {
	frames := ""
	for _, fn := range []string{"settle", "sync", "next", "Run", "Start"} {
		frames += gatherer + "." + fn + "(0xc0)\n\t" + file + ":60 +0x1\n"
	}
	target, r := about, rec(wire.Spinning)
	r.Dump = "goroutine 7 [runnable]:\n" + frames + "\ngoroutine 8 [chan receive]:\n" + frames
	groups := Fold(target, of(start(), r).exit(1)).Goroutines
	require.Len(t, groups, 1)
	var called []string
	for _, at := range groups[0].Via {
		called = append(called, at.Func)
	}
	assert.Equal(t, []string{"Gatherer.sync", "Gatherer.next", "Gatherer.Run"}, called)
	assert.Len(t, blockedOn(waiting + gatherer + ".run(0xc0)\n\t" + file + ":22 +0x1\n")[0].Via, 1, "what waits in a helper was sent there")
}

// TestALoopAroundASleepIsShown: in a bubble a sleeper counts as blocked, and may be the one that
// has used up the processor time.
func TestALoopAroundASleepIsShown(t *testing.T) {
	at := func(state string, line string) string {
		return "goroutine 7 [" + state + ", synctest bubble 1]:\n" + gatherer + ".drain(0xc0)\n\t" + file + ":" + line + " +0x1\n\n"
	}
	r := rec(wire.Spinning)
	r.Dump = at("sleep (durable)", "60") + at("chan receive (durable)", "70")
	groups := Fold(about, of(start(), r).exit(1)).Goroutines
	require.Len(t, groups, 1)
	assert.Equal(t, 60, groups[0].At.Line)
	r.Dump = at("sleep (durable)", "60") + at("running", "80")
	groups = Fold(about, of(start(), r).exit(1)).Goroutines
	require.Len(t, groups, 1)
	assert.Equal(t, 80, groups[0].At.Line, "who runs comes first")
}
