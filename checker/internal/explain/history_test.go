package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// story is a history in which something happens each second.
type story struct {
	events []wire.Event
	place  int
}

func (s *story) next() int { s.place++; return s.place }

func (s *story) now() time.Duration { return time.Duration(s.place) * time.Second }

func (s *story) begin(who, what string) (call int) {
	s.events = append(s.events, wire.Event{Who: who, What: what, At: s.now(), Began: s.next(), Open: true})
	return len(s.events) - 1
}

func (s *story) end(call int, result string) {
	e := &s.events[call]
	e.Open, e.Result, e.Took, e.Returned = false, result, s.now()-e.At, s.next()
}

func (s *story) call(who, what, result string) {
	s.end(s.begin(who, what), result)
	s.events[len(s.events)-1].Took = 0
}

func (s *story) note(who, what string) *wire.Event {
	s.events = append(s.events, wire.Event{Who: who, What: what, At: s.now(), Began: s.next()})
	return &s.events[len(s.events)-1]
}

// atOnce takes all times away.
func (s *story) atOnce() {
	for i := range s.events {
		s.events[i].At, s.events[i].Took = 0, 0
	}
}

// read is a history as plain lines.
func read(events []wire.Event, message string) []string {
	var lines []string
	for _, e := range history(events, message) {
		if e.Gap {
			lines = append(lines, e.What)
			continue
		}
		line := e.Who + ": " + e.What
		if e.Back != "" {
			line += " → " + e.Back
		}
		if e.Broke {
			line = "✗ " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func TestACallHasTwoLinesIfSomethingHappenedMeanwhile(t *testing.T) {
	var s story
	drain := s.begin("drainer", "ShutDownWithDrain()")
	s.call("test", "Len()", "1")
	s.end(drain, "")
	s.begin("test", "Get()")
	s.note("test", "Get still waits.").Broke = true
	assert.Equal(t, []string{
		"drainer: ShutDownWithDrain() …",
		"test: Len() → 1",
		"drainer: ShutDownWithDrain() → returned after 3s",
		"test: Get() → did not return",
		"✗ test: the check fails here",
	}, read(s.events, "Get still waits."))
	at := history(s.events, "")[2].At
	assert.Equal(t, "3s", at, "the moment of the return")
}

func TestABreachStandsWhereItHappened(t *testing.T) {
	var s story
	s.note("queue", `"a" was handed out twice`).Broke = true
	s.call("test", "Done(a)", "")
	s.note("test", "An item was handed out twice.").Checked = true
	assert.Equal(t, []string{
		`✗ queue: "a" was handed out twice`,
		"test: Done(a)",
		"test: checked here",
	}, read(s.events, "An item was handed out twice."))
}

// Of a long history the break is shown, with what led to it, the calls that are still open,
// and what is about the key in question.
func TestALongHistoryIsShort(t *testing.T) {
	var s story
	s.begin("worker", "Get()")
	for i := range 100 {
		s.call("test", fmt.Sprintf("Step%s(%d)", string(rune('A'+i%26)), i), "")
		if i%40 == 10 {
			s.call("server", "update pods shop/web@7", "Conflict")
		}
	}
	s.note("cache", "shop/web was written to").Broke = true
	for i := range 30 {
		s.call("test", fmt.Sprintf("Step%s(%d)", string(rune('A'+i%26)), i), "")
	}
	s.note("test", `"shop/web" has changed.`).Checked = true
	lines := read(s.events, `"shop/web" has changed.`)
	assert.LessOrEqual(t, len(lines), maxLines)
	text := strings.Join(lines, "\n")
	assert.Equal(t, "worker: Get() → did not return", lines[0])
	assert.Contains(t, text, "✗ cache: shop/web was written to")
	assert.Equal(t, 3, strings.Count(text, "update pods shop/web@7 → Conflict"))
	for i := 99; i > 99-nearest; i-- {
		assert.Contains(t, text, fmt.Sprintf("(%d)\n", i), "one of those right before the break")
	}
	assert.Equal(t, "test: checked here", lines[len(lines)-1])
	assert.Contains(t, text, " events")
}

func TestWhatRepeatsIsOneLine(t *testing.T) {
	var s story
	for range 86 {
		s.call("test", "Eventf(web)", "")
	}
	for i := range 10 {
		s.call("test", fmt.Sprintf("Add(%q)", fmt.Sprintf("k%d", i)), "")
	}
	for i := range 12 {
		s.call("server", fmt.Sprintf("get events web@%d", i), fmt.Sprintf("web@%d", i))
		s.call("server", fmt.Sprintf("update events web@%d", i), fmt.Sprintf("web@%d", i+1))
	}
	for _, d := range []string{"1s", "2s", "4s"} {
		s.call("test", "When(x)", d)
	}
	for i := range 5 {
		s.call(fmt.Sprintf("worker %d", i+1), "Get()", "shut down")
	}
	s.atOnce()
	assert.Equal(t, []string{
		"test: Eventf(web) ×86",
		`test: Add(…) ×10, the last Add("k9")`,
		"server: get events … ×12, the last get events web@11 → …, web@11",
		"server: update events … ×12, the last update events web@11 → …, web@12",
		"test: When(x) ×3 → 1s, 2s, 4s",
		"worker ×5: Get() → shut down",
	}, read(s.events, ""))
}

func TestARoundOfACallAndWhatItAsksRepeats(t *testing.T) {
	var s story
	for range 5 {
		call := s.begin("test", "Reconcile(web)")
		s.call("cache", "GetByKey(web)", "web@1")
		s.call("server", "get web", "web@1")
		s.end(call, "{}")
	}
	s.atOnce()
	assert.Equal(t, []string{
		"test: Reconcile(web) ×5 …",
		"cache: GetByKey(web) ×5 → web@1",
		"server: get web ×5 → web@1",
		"test: Reconcile(web) ×5 → {}",
	}, read(s.events, ""))
}

func TestWhatIsAboutTheKeyIsNotHiddenAmongOthers(t *testing.T) {
	var s story
	for i := range 15 {
		s.call("test", fmt.Sprintf("Add(%q)", fmt.Sprintf("k%d", i)), "")
	}
	s.atOnce()
	assert.Equal(t, []string{
		`test: Add("k0"), Add("k1"), Add("k2"), Add("k3")`,
		`test: Add("k4")`,
		`test: Add(…) ×10, the last Add("k14")`,
	}, read(s.events, `"k4" was lost.`))
}

// What differs right before the breach may be what broke the rule.
func TestWhatDiffersNextToTheBreachIsNotFolded(t *testing.T) {
	var s story
	for i := range 14 {
		s.call("test", "When(x)", fmt.Sprintf("%ds", i))
	}
	for i := range 5 {
		s.call(fmt.Sprintf("worker %d", i+1), "Get()", "shut down")
	}
	s.atOnce()
	s.note("test", "a wait was too long").Broke = true
	assert.Equal(t, []string{
		"test: When(x) ×14 → 0s, 1s, 2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s, …, 13s",
		"worker ×5: Get() → shut down",
		"✗ test: a wait was too long",
	}, read(s.events, ""))
	s = story{}
	for i := range 14 {
		s.call("test", "When(x)", fmt.Sprintf("%ds", i))
	}
	s.atOnce()
	s.note("test", "a wait was too long").Broke = true
	assert.Equal(t, []string{
		"test: When(x) ×10 → 0s, 1s, 2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s",
		"test: When(x) → 10s", "test: When(x) → 11s", "test: When(x) → 12s", "test: When(x) → 13s",
		"✗ test: a wait was too long",
	}, read(s.events, ""))
}

// A history that is cut keeps the first that was heard of the key, and what was noted.
func TestACutHistoryKeepsTheCauseAndTheNotes(t *testing.T) {
	var s story
	s.call("test", `Add("lost")`, "")
	s.note("leader", "has lost its lease")
	for i := range 60 {
		s.call("test", fmt.Sprintf("Step%s(%d)", string(rune('A'+i%26)), i), "")
		if i > 45 {
			s.call("server", "get lost", "")
		}
	}
	s.atOnce()
	s.note("test", `"lost" was never handed out.`).Broke = true
	lines := read(s.events, `"lost" was never handed out.`)
	assert.LessOrEqual(t, len(lines), maxLines)
	assert.Equal(t, []string{`test: Add("lost")`, "leader: has lost its lease"}, lines[:2])
}

func TestKeysAtFault(t *testing.T) {
	for _, c := range []struct {
		message, text string
		about         bool
	}{
		{`"a" was lost.`, `Add("a")`, true},
		{`"a" was lost.`, "Add(a)", true},
		{`"a" was lost.`, `Add("ab")`, false},
		{"Pods of shop/web are missing.", "update pods shop/web@7", true},
		{"Pods of shop/web are missing.", "OnAdd(web@7)", true},
		{"Pods of shop/web are missing.", "OnAdd(prod/web@7)", false},
		{"node-1 is not tainted.", "update nodes node-1@4", true},
		{"A pod is missing.", "OnAdd(A)", false},
	} {
		assert.Equal(t, c.about, keysAtFault(nil, c.message).in(c.text), "%s %s", c.message, c.text)
	}
}

func TestANumberIsLeftOutWhereOneOfThemIsShown(t *testing.T) {
	var s story
	s.call("server #2", "get", "web")
	s.call("waiter #1", "Wait()", "")
	s.call("waiter #2", "Wait()", "")
	assert.Equal(t, []string{"server: get → web", "waiter #1: Wait()", "waiter #2: Wait()"}, read(s.events, ""))
}

func TestEventsInWords(t *testing.T) {
	assert.Equal(t, "3, 2s later", event(wire.Event{Result: "3", Took: 2 * time.Second}, "").Back)
	assert.Equal(t, "3", event(wire.Event{Result: "3", Took: time.Microsecond}, "").Back, "less is nothing to the real clock")
	assert.Equal(t, "returned 1.001s later", event(wire.Event{Took: 1000648412}, "").Back)
	assert.Empty(t, event(wire.Event{What: "a note"}, "").Back)
}

// What a limiter answers is the point where its answer changes.
func TestAnAnswerThatDepartsIsNotFolded(t *testing.T) {
	var s story
	for i := range 20 {
		back := "1s"
		if i == 12 {
			back = "7s"
		}
		s.call("test", "When(x)", back)
	}
	for range 2 {
		s.call("test", "Forget(x)", "")
	}
	s.atOnce()
	assert.Equal(t, []string{
		"test: When(x) ×12 → 1s", "test: When(x) ×8 → 7s, 1s ×7", "test: Forget(x)", "test: Forget(x)",
	}, read(s.events, ""))
	s = story{}
	for i := range 20 {
		s.call("test", "When(x)", fmt.Sprintf("%ds", min(i, 2)))
	}
	s.atOnce()
	assert.Equal(t, []string{"test: When(x) ×20 → 0s, 1s, 2s ×18"}, read(s.events, ""))
	s = story{}
	for i := range 20 {
		s.call("test", "Get()", fmt.Sprintf("k%d, false", i))
	}
	s.atOnce()
	assert.Equal(t, []string{"test: Get() ×20 → k0, false; k1, false; k2, false; …; k19, false"}, read(s.events, ""))
}

// steps are calls of which no two are alike.
func (s *story) steps(n int) {
	for i := range n {
		s.call("test", fmt.Sprintf("Step%s(%d)", string(rune('A'+i%26)), i), "")
	}
}

// A line that says "2 events" takes as much room as one of them.
func TestAShortGapIsShown(t *testing.T) {
	for hidden := 1; hidden <= 4; hidden++ {
		var s story
		s.call("test", "New(max 1)", "a controller")
		s.steps(hidden)
		s.call("test", "Begin()", "")
		s.call("test", "End()", "")
		all := lines(s.events, "")
		chosen := make([]bool, len(all))
		chosen[0], chosen[len(all)-2], chosen[len(all)-1] = true, true, true
		shown := told(all, bridge(all, chosen))
		gaps := slices.ContainsFunc(shown, func(e Event) bool { return e.Gap })
		assert.Equal(t, hidden > 2, gaps, "%d events between two that are shown", hidden)
	}
}

func TestACutHistoryKeepsWhatTheSubjectWasMadeWith(t *testing.T) {
	var s story
	s.call("test", "New(max 1)", "a controller")
	s.call("test", "New(max 2)", "a controller")
	s.call("test", "New(max 7)", "a controller")
	s.note("test", "Backoff{Duration: 1s, Steps: 3}")
	s.steps(50)
	s.atOnce()
	s.note("test", "It was too late.").Broke = true
	s.call("test", "New(max 8)", "a controller")
	lines := read(s.events, "It was too late.")
	assert.LessOrEqual(t, len(lines), maxLines)
	assert.Equal(t, []string{
		"… 2 earlier events: New", "test: New(max 7) → a controller", "test: Backoff{Duration: 1s, Steps: 3}",
		"… 39 events: StepA, StepB, StepC, StepD, StepE, …",
	}, lines[:4])
}

func TestWhatSaysWithWhichParametersASubjectWasMade(t *testing.T) {
	for what, says := range map[string]bool{
		"New(max 1)": true, "NewBounded(4, DropNewest)": true, "New(…, resync period 4s)": true, "Backoff{Duration: 1s}": true,
		"NewReconciler(…)": false, "New()": false, "Backoff{}": true, "the plan: 3 steps": false,
	} {
		assert.Equal(t, says, builds.MatchString(what), what)
	}
}

func TestACutHistoryKeepsTheCallThatWasUnderWay(t *testing.T) {
	var s story
	other := s.begin("test", "Gather(ctx, 9, 9 tasks)")
	s.end(other, "[]")
	call := s.begin("test", "Gather(ctx, 2, 6 tasks)")
	s.steps(50)
	s.atOnce()
	s.note("task 2", "begins, and no task may begin").Broke = true
	s.end(call, "[]")
	s.events[call].Took = 0
	assert.Contains(t, read(s.events, ""), "test: Gather(ctx, 2, 6 tasks) → []")
}

func TestACutHistoryKeepsWhatTheMessageQuotes(t *testing.T) {
	var s story
	s.call("test", "Create(y)", "y@2")
	s.call("test", "Create(x)", "x@2")
	s.steps(50)
	s.note("test", "Create(x) returned version 2.").Broke = true
	lines := read(s.events, "Create(x) returned version 2.")
	assert.Equal(t, "test: Create(x) → x@2", lines[1])

	lines = read(s.events, "Something happened after 40s.")
	at40 := ""
	for _, e := range history(s.events, "Something happened after 40s.") {
		if e.At == "40s" {
			at40 = e.What
		}
	}
	assert.NotEmpty(t, at40, "%v", lines)
}

func TestACallThatOnlyCallsBackIsOneLine(t *testing.T) {
	var s story
	for range 2 {
		call := s.begin("test", "Pop(process)")
		s.call("test", "is called: process([Added a@1])", "")
		s.end(call, "[Added a@1], <nil>")
	}
	later := s.begin("test", "Pop(process)")
	s.call("other", "is called: process([Added a@1])", "")
	s.end(later, "[]")
	s.atOnce()
	assert.Equal(t, []string{
		"test: is called: process([Added a@1])", "test: Pop(process) → [Added a@1], <nil>",
		"test: is called: process([Added a@1])", "test: Pop(process) → [Added a@1], <nil>",
		"test: Pop(process) …", "other: is called: process([Added a@1])", "test: Pop(process) → []",
	}, read(s.events, ""))
}

// The message has the words of what went wrong, and the history those of the call that did it.
func TestAFoldKeepsTheCallThatHasTheWordsOfTheMessage(t *testing.T) {
	var s story
	for i := range 12 {
		s.call("test", fmt.Sprintf("Eventf(db, Warning, Created, %q)", fmt.Sprintf("pod %d", i)), "")
	}
	s.call("test", `Eventf(web, Normal, BackOff, "restarting")`, "")
	for i := range 12 {
		s.call("test", fmt.Sprintf("Eventf(web, Warning, Created, %q)", fmt.Sprintf("pod %d", i)), "")
	}
	s.atOnce()
	s.note("test", "The event is missing.").Broke = true
	assert.Contains(t, read(s.events, "The event is missing: web Normal BackOff restarting 1."), `test: Eventf(web, Normal, BackOff, "restarting")`)
}

func TestADeadlockNamesTheCallThatHangs(t *testing.T) {
	r := ended(verdict.Deadlock)
	r.History = []wire.Event{{Who: "test", What: "range b.Out()", Began: 1, Open: true}}
	assert.Equal(t, "Find what `range b.Out()` waits for, and why that never happens.", Case(claim, r).Next.Do)
	r.History = nil
	assert.Equal(t, "Find what the case waits for, and why that never happens.", Case(claim, r).Next.Do)
}
