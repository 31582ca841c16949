package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

var (
	claim = conform.Meta{Name: "keeps-order", Points: 5, Func: "Gather", Rule: "A rule.", Why: "A reason."}
	here  = outcome.Location{File: "labs/01-goroutines/gather.go", Line: 7, Func: "Gather"}
	there = outcome.Location{File: "labs/01-goroutines/gather.go", Line: 9, Func: "Gather (func literal)"}
)

func ended(v verdict.Verdict) outcome.Result {
	return outcome.Result{Lab: "01-goroutines", Case: "keeps-order", Verdict: v, Max: 5, Message: "something happened", At: here, Seed: 42}
}

func TestEveryVerdictIsExplained(t *testing.T) {
	lessons := map[string]verdict.Verdict{}
	for _, v := range verdict.All {
		t.Run(string(v), func(t *testing.T) {
			e := Case(claim, ended(v))
			assert.Equal(t, v.Title(), e.Title)
			assert.NotEmpty(t, e.What, "it says what happened")
			assert.NotContains(t, strings.ToLower(e.What+e.Lesson+e.Next.Do), "assertion")
			if v == verdict.Pass {
				assert.Zero(t, e.Next, "nothing is left to do")
				return
			}
			assert.NotEmpty(t, e.Next.Do, "it ends with a step")
			if e.Lesson != "" {
				assert.Empty(t, lessons[e.Lesson], "each verdict has a lesson of its own")
				lessons[e.Lesson] = v
			}
			if v == verdict.CheckerError {
				assert.Zero(t, e.Next.At, "no line of the learner's is to blame")
				assert.Contains(t, e.What, "costs you nothing")
				return
			}
			assert.Equal(t, here, e.Next.At, "the step names the place")
			assert.Equal(t, "A rule.", e.Rule)
			assert.Equal(t, "A reason.", e.Why)
		})
	}
}

func TestAWrongAnswerIsLookedForWhereTheCaseSays(t *testing.T) {
	r := ended(verdict.WrongAnswer)
	r.History = make([]wire.Event, 3)
	step := func(look []string) Step {
		c := claim
		c.Look = look
		return Case(c, r).Next
	}
	const up = ", up to the marked line: which step breaks the rule?"
	assert.Equal(t, Step{At: here, Do: "Follow the history through your code of Gather and what it calls" + up}, step(nil), "the function that the case is about")
	assert.Equal(t, Step{At: here, Do: "Follow the history through your code of Gather and what it calls" + up}, step([]string{"Gather"}))
	assert.Equal(t, Step{Do: "Follow the history through your code of Add, Done or the loop that waits and what they call" + up}, step([]string{"Add", "Done", "the loop that waits"}))
	assert.Equal(t, Step{Do: "Follow the history through the loop that waits or Add" + up}, step([]string{"the loop that waits", "Add"}))
	assert.Equal(t, Step{Do: "Follow the history through your code" + up}, step(conform.Anywhere))
	r.History = nil
	assert.Equal(t, Step{Do: "Compare your code of Add or Done and what they call with the rule above."}, step([]string{"Add", "Done"}))
}

func TestARaceNamesBothSides(t *testing.T) {
	r := ended(verdict.DataRace)
	r.Race = []outcome.Access{{Op: "write", At: there, Started: here}, {Op: "read", At: here, Main: true}}
	e := Case(claim, r)
	assert.Equal(t, []Place{
		{Label: "write", At: there, Notes: []string{"by a goroutine started at labs/01-goroutines/gather.go:7"}},
		{Label: "read", At: here, Notes: []string{"by the goroutine that called your code"}},
	}, e.Places)
	assert.Contains(t, e.Next.Do, "WaitGroup.Wait", "the caller did not wait")

	r.Race[1] = outcome.Access{Op: "read", Main: true}
	e = Case(claim, r)
	assert.Contains(t, e.Places[1].Notes[0], "outside this lab")
	assert.Contains(t, e.Next.Do, "Hand out a copy")
}

func TestADeadlockBlamesTheGoroutineThatBlocksTheOthers(t *testing.T) {
	r := ended(verdict.Deadlock)
	r.Goroutines = []outcome.Goroutine{
		{State: "sync.WaitGroup.Wait", At: here, Count: 1},
		{State: "chan send", At: there, Started: here, Count: 8},
	}
	e := Case(claim, r)
	require.Len(t, e.Places, 2)
	assert.Equal(t, "8 goroutines wait to send on a channel", e.Places[0].Label)
	assert.Equal(t, "1 goroutine waits for a WaitGroup", e.Places[1].Label)
	assert.Equal(t, there, e.Next.At)
	assert.Contains(t, e.Next.Do, "Find who should receive from the channel at this moment")
}

func TestManyPlacesAreCutAndCounted(t *testing.T) {
	r := ended(verdict.GoroutineLeak)
	for i := range maxPlaces + 3 {
		r.Goroutines = append(r.Goroutines, outcome.Goroutine{State: "select", At: outcome.Location{File: "f.go", Line: i + 1}, Count: 1})
	}
	e := Case(claim, r)
	assert.Len(t, e.Places, maxPlaces)
	assert.Equal(t, 3, e.More)
	assert.Contains(t, e.What, "9 goroutines")
}

func TestAWrongAnswerShowsWhereTheCodeWaits(t *testing.T) {
	r := ended(verdict.WrongAnswer)
	r.Goroutines = []outcome.Goroutine{
		{State: "chan receive", At: there, Via: []outcome.Location{here}, Count: 1},
		{State: "select", At: here, Within: outcome.InCase, Count: 1},
	}
	r.Message = "Serve has not returned."
	e := Case(claim, r)
	require.Len(t, e.Places, 1, "the case's own function waits on purpose")
	assert.Equal(t, "1 goroutine waits to receive from a channel", e.Places[0].Label)
	assert.Equal(t, []string{"called by Gather at labs/01-goroutines/gather.go:7"}, e.Places[0].Notes)
	assert.Equal(t, Case(claim, ended(verdict.WrongAnswer)).Next, e.Next, "a place where something waits is not yet the mistake")

	r.Goroutines[1].Holds = []outcome.Lock{{Name: "q.mu", At: here}}
	assert.Len(t, Case(claim, r).Places, 2, "it holds a lock meanwhile")

	r.Goroutines[1] = outcome.Goroutine{State: "select", At: here, Started: there, Ways: []string{"receive from q.items", "receive from ctx.Done()"}, Count: 1}
	assert.Len(t, Case(claim, r).Places, 1, "a worker without work waits rightly")
	r.Goroutines[1].Started = outcome.Location{}
	assert.Len(t, Case(claim, r).Places, 2, "the case's call waits there")

	r.Message = "The sum is 3."
	assert.Empty(t, Case(claim, r).Places, "this is not about something that did not happen")
}

func TestADeadlockBeginsWithTheCallThatHangs(t *testing.T) {
	get := Event{Who: "worker", What: "Get()", Open: true}
	done := Event{Who: "test", What: `Done("amid")`, Open: true}
	assert.Equal(t, `Done("amid")`, hangs([]Event{{Who: "test", What: "Len()"}, done, get}), "a worker may wait in Get, whatever the mistake is")
	assert.Equal(t, "<-results", hangs([]Event{{Who: "test", What: "<-results", Open: true}}))
	assert.Empty(t, hangs([]Event{{Who: "test", What: "waits until 0 is handled", Open: true}}), "these words are no call")
	assert.Empty(t, hangs([]Event{get}))
}

func TestADeadlockSaysThatNothingIsLeft(t *testing.T) {
	r := ended(verdict.Deadlock)
	assert.Contains(t, Case(claim, r).What, "No goroutine of your code is left.")
	r.Goroutines = []outcome.Goroutine{{State: "chan send", At: there, Count: 1}}
	assert.NotContains(t, Case(claim, r).What, "No goroutine of your code is left.")
}

// A goroutine of package context waits for the parent of a context that was never cancelled.
func TestALeakThatALibraryStarted(t *testing.T) {
	r := ended(verdict.GoroutineLeak)
	e := Case(claim, r)
	assert.Contains(t, e.What, "a library that your code called has started it")
	assert.Contains(t, e.Next.Do, "its cancel function has to be called on every path")
	r.Goroutines = []outcome.Goroutine{{State: "select", At: here, Count: 1}}
	e = Case(claim, r)
	assert.NotContains(t, e.What, "library")
	assert.NotContains(t, e.Next.Do, "cancel function")
}

func TestTheOnlyCloseOfAChannel(t *testing.T) {
	r := ended(verdict.Panic)
	r.Message, r.Detail = "close of closed channel", "close(b.done) at labs/03-backpressure/bounded.go:80"
	assert.Contains(t, Case(claim, r).Next.Do, "This is the only statement that closes it")
	r.Detail += ", close(b.done) at labs/03-backpressure/bounded.go:90"
	assert.Contains(t, Case(claim, r).Next.Do, "Find the two paths that close it")
	r.Detail = ""
	assert.Contains(t, Case(claim, r).Next.Do, "Find the two paths that close it")
}

func stuck(n int, state string) outcome.Goroutine { return outcome.Goroutine{Count: n, State: state} }

func TestStatesInWords(t *testing.T) {
	assert.Equal(t, "1 goroutine sleeps", doing(stuck(1, "sleep")))
	assert.Equal(t, "3 goroutines keep running", doing(stuck(3, "runnable")))
	assert.Equal(t, "2 goroutines wait for a read lock of an RWMutex", doing(stuck(2, "sync.RWMutex.RLock")))
	assert.Equal(t, "1 goroutine stays in the state flying", doing(stuck(1, "flying")))
}

func TestPanicsThatTheRuntimeKnows(t *testing.T) {
	for _, message := range []string{
		"send on closed channel", "assignment to entry in nil map", "sync: negative WaitGroup counter",
		"runtime error: invalid memory address or nil pointer dereference", "sync: unlock of unlocked mutex",
		"select on synctest channel from outside bubble",
	} {
		r := ended(verdict.Panic)
		r.Message = message
		e := Case(claim, r)
		assert.NotEqual(t, panicDo, e.Next.Do, message)
		assert.Equal(t, "panic: "+message, e.Places[0].Label)
	}
}

func TestMessagesArePlain(t *testing.T) {
	for text, want := range map[string]string{
		"kit.Result{RequeueAfter:3000000000, Priority:1000000}": "kit.Result{RequeueAfter:3s, Priority:1000000}",
		`0xc00008e850 &kit.Pod{Name:"a"}`:                       `&kit.Pod{Name:"a"}`,
		"[0xc00008e850]":                                        "[a pointer]",
		"(*kit.Pod)(0xc00008e850)":                              "*kit.Pod",
	} {
		assert.Equal(t, want, plain(text), text)
	}
}

func TestASentenceBeginsAsItWasWritten(t *testing.T) {
	assert.Equal(t, "Nothing has moved for 10s.", sentence("nothing has moved for 10s"))
	assert.Equal(t, "ctx was cancelled, and Run went on.", sentence("ctx was cancelled, and Run went on."), "ctx is a name")
	assert.Empty(t, sentence(" "))
}

// What was found often stands at the end of a long message, after the setting.
func TestAMessageIsShownToItsEnd(t *testing.T) {
	r := ended(verdict.WrongAnswer)
	setting := strings.Repeat("Pod a waits for room on node n. ", 20)
	r.Message = setting + "It was tried too early."
	assert.Equal(t, r.Message, Case(claim, r).What)
	r.Message = strings.Repeat(setting, 20)
	assert.Less(t, len(Case(claim, r).What), 1000, "however long what it quotes is")
}

func TestAnUnstableCaseSaysWhatAFailedRunWasMeasuredBy(t *testing.T) {
	r := ended(verdict.Unstable)
	r.Detail = "the heap from 2 MB to 310 MB"
	assert.Equal(t, []Fact{{"seen", "the heap from 2 MB to 310 MB"}}, Case(claim, r).Facts)
}

func TestTheCompilersWords(t *testing.T) {
	e := Compile("# pkg\nlabs/01-goroutines/gather.go:5:2: undefined: x\nlabs/01-goroutines/gather.go:9: not enough return values\n\thave (nil)\n\twant (error)\n")
	assert.Equal(t, []Place{
		{Label: "undefined: x", At: outcome.Location{File: here.File, Line: 5}},
		{Label: "not enough return values", At: outcome.Location{File: here.File, Line: 9}, Notes: []string{"have (nil)", "want (error)"}},
	}, e.Places)
	assert.Equal(t, 5, e.Next.At.Line)

	e = Compile("checker/internal/bridges/x/bridge.go:3:4: undefined: subject.Gather\n")
	assert.Equal(t, []Fact{{"compiler", "undefined: Gather"}}, e.Facts)
	assert.Zero(t, e.Next.At, "a line of the tests helps nobody")
}

func TestTheGatesWords(t *testing.T) {
	e := Forbidden("labs/01-goroutines", []gate.Violation{
		{File: "gather.go", Line: 3, Kind: gate.Import, Message: "No.", Help: "Delete the import"},
		{File: "gather.go", Line: 4, Kind: gate.Import, Message: "No.", Help: "Delete the import"},
	})
	assert.Equal(t, Step{At: outcome.Location{File: here.File, Line: 3}, Do: "Delete the import."}, e.Next)
	assert.Len(t, e.Places, 2)
	assert.Equal(t, verdict.Forbidden.Title(), e.Title)
	assert.Equal(t, "missing file", Forbidden("labs/01-goroutines", []gate.Violation{{File: "gather.go", Kind: gate.Missing}}).Title)
}

func TestFunctionsInWords(t *testing.T) {
	for name, want := range map[string]string{
		"Gather":                     "Gather",
		"Gather" + outcome.Literal:   "a function literal in Gather",
		"Run" + outcome.DeferredCall: "the deferred call in Run",
		"Run" + outcome.GoStatement:  "the go statement in Run",
		"(func literal)":             "a function literal outside any function",
		"":                           "",
	} {
		assert.Equal(t, want, Func(outcome.Location{Func: name}), name)
	}
	outside := ended(verdict.OutputFlood)
	outside.At.Func = "(func literal)"
	assert.Equal(t, "Gather", subject(claim, outside), "the case's function is the one to look at")
}

// The explanation of a limit of the build is one sentence, and what to look for.
func TestCompileThatMetALimit(t *testing.T) {
	for _, limit := range []outcome.Exhausted{outcome.TooMuchMemory, outcome.TooMuchTime, outcome.TooDeep, outcome.TooLarge} {
		e := Compile(string(limit))
		assert.Equal(t, verdict.CompileError, e.Verdict)
		assert.Equal(t, string(limit), e.What)
		assert.Empty(t, e.Places)
		assert.Empty(t, e.Facts)
		assert.NotEmpty(t, e.Next.Do)
	}
}

func TestWaits(t *testing.T) {
	at := outcome.Location{File: "pool.go", Line: 3}
	waits := Waits([]outcome.Goroutine{
		{State: "sync.WaitGroup.Wait", At: at, Count: 1},
		{State: "chan send", At: at, Started: at, Count: 4},
		{State: "running", At: at, Count: 1},
		{State: "of a future Go", At: at, Count: 1},
	})
	assert.Equal(t, Wait{Count: 4, At: at, Started: at, Thing: "a channel, to send on it", Until: "another goroutine receives"}, waits[0])
	assert.Equal(t, "of a future Go", waits[2].Thing)
	assert.Equal(t, "a WaitGroup", waits[3].Thing, "what waits for the others comes last")
}

func TestAPanicSaysWhichIndexWasNotThere(t *testing.T) {
	for message, want := range map[string]string{
		"runtime error: index out of range [0] with length 0": "index 0, and there was none",
		"runtime error: index out of range [5] with length 3": "index 5, and the length was 3",
		"runtime error: index out of range [-1]":              "The index was -1",
	} {
		means, do := advise(message)
		assert.Contains(t, means, want)
		assert.NotContains(t, do, "make([]T", "that may not be the mistake")
	}
}

func TestAWaitInAFunctionOfTheCaseIsNotAboutChannels(t *testing.T) {
	g := outcome.Goroutine{State: "chan receive", Count: 1, At: here, Within: outcome.InCase}
	assert.Equal(t, "1 goroutine waits in a function of the case, which this line calls", doing(g))
	assert.Contains(t, goOn(g), "waits there on purpose")
	g.Holds = []outcome.Lock{{Name: "s.mu", At: there}}
	assert.Contains(t, goOn(g), "s.mu is held meanwhile: release the lock before the call")
	assert.Equal(t, []string{"meanwhile holds s.mu, locked at labs/01-goroutines/gather.go:9"}, locks(g, nil))
	g = outcome.Goroutine{State: "select", Count: 1, Within: "http.Server.Shutdown"}
	assert.Equal(t, "1 goroutine waits in http.Server.Shutdown, which this line calls", doing(g))
}

func TestAWaitIsNamedAsTheSourceNamesIt(t *testing.T) {
	assert.Equal(t, "2 goroutines wait for the mutex q.mu", doing(outcome.Goroutine{State: "sync.Mutex.Lock", Count: 2, On: "q.mu"}))
	assert.Equal(t, "1 goroutine waits in a select, to send on slots or receive from ctx.Done()",
		doing(outcome.Goroutine{State: "select", Count: 1, Ways: []string{"send on slots", "receive from ctx.Done()"}}))
}

func TestALockIsHeldBySomebody(t *testing.T) {
	g := outcome.Goroutine{State: "sync.Mutex.Lock", Count: 1, On: "q.mu", At: here}
	for want, h := range map[string]outcome.Holder{
		"q.mu is held by this goroutine itself":                   {At: here, Lock: there, Self: true, Sure: true},
		"q.mu is probably held by this goroutine itself":          {At: here, Lock: there, Self: true},
		"q.mu is probably held by the goroutine at labs/":         {At: there, Lock: there},
		"stands where it would hold q.mu: it was probably left l": {},
	} {
		g.HeldBy = &h
		assert.Contains(t, locks(g, nil)[0], want)
	}
}

func TestALockMayHaveTwoNames(t *testing.T) {
	holds := outcome.Goroutine{State: "sync.Mutex.Lock", Count: 1, On: "s.mu", At: here, Holds: []outcome.Lock{{Name: "a.mu", At: there}}, HeldBy: &outcome.Holder{}}
	waits := outcome.Goroutine{State: "sync.Mutex.Lock", Count: 1, On: "s.mu", At: there, HeldBy: &outcome.Holder{}}
	all := []outcome.Goroutine{waits, holds}
	assert.Contains(t, locks(holds, all), "if a.mu and s.mu are one lock, this goroutine waits for itself")
	assert.Equal(t, []string{"perhaps it is the lock that the goroutine at labs/01-goroutines/gather.go:7 holds as a.mu"}, locks(waits, all))
	holds.Holds[0].Name = "a.other"
	assert.Contains(t, locks(waits, all)[0], "it was probably left locked")
}

func TestAPlaceQuotesItsLine(t *testing.T) {
	e := Explanation{Places: []Place{{At: here}, {}}}
	e.Quote(func(file string, n int) string {
		if file == here.File && n == here.Line {
			return "\tq.mu.Lock()"
		}
		return ""
	})
	assert.Equal(t, "q.mu.Lock()", e.Places[0].Code)
	assert.Empty(t, e.Places[1].Code)
}

func TestWhereAllWaitForASignalAWakeUpIsMissing(t *testing.T) {
	r := ended(verdict.Deadlock)
	r.Goroutines = []outcome.Goroutine{{State: "sync.Cond.Wait", Count: 2, At: here, On: "q.cond"}, {State: "chan receive", On: "ctx.Done()", Count: 1, At: there}}
	var s story
	s.begin("worker", "Get()")
	s.call("test", "ShutDown()", "")
	s.begin("worker", "Get()")
	r.History = s.events
	e := Case(claim, r)
	assert.Equal(t, here, e.Next.At)
	assert.Contains(t, e.Next.Do, "the last event before all waited (test: ShutDown()), or one")
	r.History = nil
	assert.Contains(t, Case(claim, r).Next.Do, "find what was the last to change")
	r.Goroutines[1].On = "results"
	assert.NotContains(t, Case(claim, r).Next.Do, "a wake-up is missing", "the other goroutine may have to do it")
}
