package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// explainers has one entry for each verdict a case can end with.
var explainers = map[verdict.Verdict]func(*Explanation, conform.Meta, outcome.Result){
	verdict.Pass:           pass,
	verdict.WrongAnswer:    wrongAnswer,
	verdict.NotImplemented: notImplemented,
	verdict.CompileError:   notRun,
	verdict.Forbidden:      notRun,
	verdict.DataRace:       dataRace,
	verdict.GoroutineLeak:  goroutineLeak,
	verdict.Deadlock:       deadlock,
	verdict.Timeout:        timeout,
	verdict.Panic:          panicked,
	verdict.OutOfMemory:    outOfMemory,
	verdict.OutputFlood:    outputFlood,
	verdict.Incomplete:     incomplete,
	verdict.Unstable:       unstable,
	verdict.CheckerError:   checkerError,
}

func pass(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = "The case passed."
	if r.Runs > 1 {
		e.What = fmt.Sprintf("The case passed %d of %d runs.", r.Passed, r.Runs)
	}
	e.Next = Step{}
}

func wrongAnswer(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = sentence(clipLines(strings.TrimSpace(plain(r.Message)), 6, maxMessage))
	if missed.MatchString(e.What) {
		e.Places, e.More = blocked(slices.DeleteFunc(slices.Clone(r.Goroutines), rightly))
	}
	e.Again = again(r)
	places := likeliest(c.Places(), e.What)
	if len(places) != 1 || places[0] != r.At.Func {
		e.Next.At = outcome.Location{} // where the case is about, and no more
	}
	e.Next.Do = fmt.Sprintf("Compare %s with the rule above.", code(places))
	if len(e.History) > 2 {
		e.Next.Do = fmt.Sprintf("Follow the history through %s, up to the marked line: which step breaks the rule?", code(places))
	}
}

// missed is how a sentence speaks of what has not happened, or of waiting: why may be seen from
// where the learner's goroutines wait.
var missed = regexp.MustCompile(`\b(?:not|never|nobody|no one|nothing|none|still|yet|late|blocked|blocks|hangs|wait(?:s|ed)?|w[oa]ke(?:s|n)?)\b`)

// rightly reports whether a goroutine waits as goroutines of right code do: in a function of the
// case, which wants that, or as a worker that may be stopped, or woken, and has nothing to do.
func rightly(g outcome.Goroutine) bool {
	switch {
	case len(g.Holds) > 0:
		return false
	case g.Within == outcome.InCase:
		return true
	case g.Started.Line == 0:
		return false // the case has called it, and it has not returned
	}
	return g.Idle() || g.State == "sync.Cond.Wait" || slices.ContainsFunc(g.Ways, func(way string) bool { return strings.HasSuffix(way, ".Done()") })
}

// code names the places where a mistake is looked for: "your code of Queue.Add or Queue.Done,
// and what they call". The case knows only functions of the stub, and the mistake may be in one that
// the learner has added.
func code(places []string) string {
	if len(places) == 0 {
		return "your code"
	}
	named := strings.Join(places, ", ")
	if last := len(places) - 1; last > 0 {
		named = strings.Join(places[:last], ", ") + " or " + places[last]
	}
	if strings.Contains(places[0], " ") { // in words, and not by its name
		return named
	}
	calls := "and what it calls"
	if len(places) > 1 {
		calls = "and what they call"
	}
	return "your code of " + named + " " + calls
}

func notImplemented(e *Explanation, c conform.Meta, r outcome.Result) {
	fn := subject(c, r)
	if r.Message != "" {
		fn = clip(r.Message)
	}
	e.What = fn + " is not written yet: its body is still the stub's panic."
	if r.At.Line > 0 {
		e.What = fmt.Sprintf("%s is not written yet: its body at %s is still the stub's panic.", fn, Line(r.At))
	}
	e.History = nil
	e.Next.Do = fmt.Sprintf("Write %s: replace the panic in its body. The comment above it is the contract; the lesson is labs/%s/README.md.", fn, r.Lab)
}

// notRun is for the results of a lab that was refused as a whole: Compile and
// Forbidden say why.
func notRun(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = sentence("The case was not run, because the lab's code was not accepted. " + clip(r.Message))
	e.Next.Do = "Fix the first error that is listed for the lab."
}

func dataRace(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = "Two goroutines used the same memory, at least one of them wrote to it, and nothing orders the two."
	e.Places = accesses(r.Race)
	if len(r.Race) == 2 && r.Race[0].Touches != "" {
		e.What = "Two goroutines used the same memory, at least one of them wrote to it, and nothing orders the two. " + together(r.Race) + `"` + clip(r.Race[0].Touches) + `".`
	}
	if slices.ContainsFunc(r.Race, channel) {
		e.What = "One goroutine closes a channel while another sends on it, and nothing orders the two: if the close comes first, the send panics."
	}
	if slices.ContainsFunc(r.Race, waitGroup) {
		e.What = "WaitGroup.Add and WaitGroup.Wait were called in different goroutines, and nothing orders the two: Wait may return before Add has counted."
	}
	if len(r.Race) == 0 { // the runtime's own check of maps was quicker than the detector
		e.What = "Two goroutines used one map at the same time, at least one of them wrote to it, and the runtime stopped the program."
		e.Places = at("one of the two", r)
	}
	e.Lesson = "Go orders two accesses only through synchronisation: an unlock happens before the next lock, a send before its receive, Done before Wait returns. " +
		"Without such an edge the reader may see an old value, half a value or none, and the compiler may assume that there is no other goroutine. " +
		"That it worked so far says nothing about the next run."
	e.Again = again(r)
	if e.Next.Do = order(r.Race); len(r.Race) == 0 {
		e.Next.Do = usesMap + " " + e.Next.Do
	}
}

// waitGroup reports whether an access is one side of a race inside a WaitGroup.
func waitGroup(a outcome.Access) bool {
	return a.Op == outcome.WaitGroupAdd || a.Op == outcome.WaitGroupWait
}

// channel reports whether an access is one side of a race between a close and a send.
func channel(a outcome.Access) bool {
	return a.Op == outcome.ChannelClose || a.Op == outcome.ChannelSend
}

func goroutineLeak(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = leftBehind(max(total(r.Goroutines), 1))
	if r.Detail != "" { // judged by time
		e.What += " That was after another " + clip(r.Detail) + "."
	}
	e.Places, e.More = blocked(r.Goroutines)
	e.Lesson = "A goroutine ends only when its function returns. Until then it keeps its stack and everything that the stack points to, " +
		"even if it waits for something that never happens. A controller runs for months: with one leak per reconcile, its pod runs out of memory and is killed."
	e.Again = again(r)
	e.Next = unblock(r, "Give the goroutine a way to end.")
	if len(r.Goroutines) == 0 {
		e.What += " It neither stands in your code nor was started by a go statement of yours: a library that your code called has started it."
		e.Next.Do = "Find what your code starts in a library and never ends. The usual one is a context from WithCancel, WithTimeout or WithDeadline: its cancel function has to be called on every path. What context.AfterFunc registers stays, too, until its stop is called."
	}
}

func leftBehind(n int) string {
	if n == 1 {
		return "The case is over, but 1 goroutine that your code started has not ended."
	}
	return fmt.Sprintf("The case is over, but %d goroutines that your code started have not ended.", n)
}

func deadlock(e *Explanation, c conform.Meta, r outcome.Result) {
	blocks := "Every goroutine is blocked"
	if hung := hangs(e.History); hung != "" {
		blocks = "`" + hung + "` does not return: every goroutine is blocked"
	}
	e.What = blocks + ", and none is left that could wake another."
	if r.Message != "" { // judged by time
		e.What = sentence(blocks+", and "+clip(r.Message)) +
			" That counts as a deadlock, although the checker cannot rule out that something would still wake one of them."
	}
	if len(r.Goroutines) == 0 {
		e.What += " No goroutine of your code is left."
	}
	e.Places, e.More = blocked(r.Goroutines)
	e.Lesson = "A deadlock is a circle of goroutines: each waits for something that only another one of them would do. " +
		"In a cluster nothing reports it: the process stays alive, keeps its leader lease, and reconciles nothing."
	e.Again = again(r)
	e.Next = unblock(r, "Find what "+waited(e.History)+" waits for, and why that never happens.")
	if g, ok := asleep(r.Goroutines); ok {
		e.Next = Step{At: g.At, Do: wake(e.History)}
	}
}

// hangs is the call in which the scenario itself waits, according to a history. It is empty where
// that waits for others, or is not written as a call.
func hangs(past []Event) string {
	for _, e := range slices.Backward(past) {
		if e.Open && e.Who == wire.Scenario && call.MatchString(e.What) {
			return e.What
		}
	}
	return ""
}

// call is how a history writes one call, or a receive.
var call = regexp.MustCompile(`^(?:[\w.]+\(.*\)|<-[\w.]+)$`)

// waited is what waits according to a history: the call that did not return and began last.
func waited(past []Event) string {
	for _, e := range slices.Backward(past) {
		if e.Open {
			return "`" + e.What + "`"
		}
	}
	return "the case"
}

// asleep is a goroutine that waits for a signal, if no goroutine waits for anything else than
// such a signal or the end of others.
func asleep(gs []outcome.Goroutine) (outcome.Goroutine, bool) {
	others := slices.ContainsFunc(gs, func(g outcome.Goroutine) bool {
		return g.At.Line > 0 && g.State != "sync.Cond.Wait" && g.State != "sync.WaitGroup.Wait" && !g.Idle()
	})
	i := slices.IndexFunc(gs, func(g outcome.Goroutine) bool { return g.At.Line > 0 && g.State == "sync.Cond.Wait" && g.Within == "" })
	if others || i < 0 {
		return outcome.Goroutine{}, false
	}
	return gs[i], true
}

// wake is what to look for where all wait to be woken.
func wake(past []Event) string {
	const lets = "Does the contract let this call wait here at all? If so, a wake-up is missing: "
	same := func(e Event) bool { // another call of what waits says nothing of why it should not
		return slices.ContainsFunc(past, func(o Event) bool { return o.Open && o.What == e.What })
	}
	for _, e := range slices.Backward(past) {
		if e.Gap || e.Open || same(e) {
			continue
		}
		what := e.What
		if e.Who != "" {
			what = e.Who + ": " + e.What
		}
		return lets + "the last event before all waited (" + what + "), or one before it, changed what this line waits for. " +
			"Who should have called Signal or Broadcast then, and for how many?"
	}
	return lets + "find what was the last to change what this line waits for, and whether it calls Signal or Broadcast, and for how many."
}

// unblock is the step that lets the goroutine go on that is likeliest to block the others.
func unblock(r outcome.Result, otherwise string) Step {
	for _, g := range outcome.ByCause(r.Goroutines) {
		if fix := goOn(g); fix != "" {
			place := g.At
			if place.Line == 0 {
				place = g.Started
			}
			return Step{At: place, Do: fix}
		}
	}
	return Step{At: r.At, Do: otherwise}
}

func timeout(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = sentence(clip(r.Message))
	if r.Detail != "" {
		e.What += " Meanwhile it has grown: " + clip(r.Detail) + "."
	}
	e.Places, e.More = blocked(r.Goroutines)
	e.Again = again(r)
	switch {
	case slices.ContainsFunc(r.Goroutines, outcome.Goroutine.OnLock):
		asleepWithALock(e)
	case r.Slow():
		tooSlow(e, r)
	case r.Spins():
		spinning(e, r)
	default:
		e.Lesson = "Nobody notices in a cluster what neither ends nor fails: the process is alive, and its work is not done."
		e.Next.Do = "Find the loop that never ends, or the wait for something that never happens, and give it an end."
	}
}

func asleepWithALock(e *Explanation) {
	e.Lesson = "A goroutine that sleeps while it holds a lock blocks every goroutine that needs the lock, for as long as it sleeps. " +
		"In a controller, one slow call then stops all workers."
	e.Next = Step{At: e.Places[0].At, Do: "Release the lock before you sleep or wait. Take it again afterwards, and check again what it guards."}
}

// tooSlow is for a case that got on until it was stopped.
func tooSlow(e *Explanation, r outcome.Result) {
	if len(e.History) > 0 {
		e.What += " The history ends with what it was at."
	}
	e.Lesson = "The limit is far above what a correct solution needs: some step costs more than it has to, or is done far too often. " +
		"A controller that cannot keep up with its events falls behind for ever."
	e.Next.Do = "Find what is done again and again, and whether it has to be: a call that is repeated at once although nothing has changed, or a step whose cost grows with the number of items."
	switch {
	case slices.ContainsFunc(r.Goroutines, called):
		e.Next.Do = "Find what is done again and again, at this line or around one of the calls that lead to it, whether it has to be, and how its cost grows with the number of items."
	case len(r.Goroutines) > 0:
		e.Next.Do = "Find what is done again and again at this line, whether it has to be, and how its cost grows with the number of items."
	}
}

// spinning is for a case of which nothing more was heard. A single call that takes for ever
// looks the same.
func spinning(e *Explanation, r outcome.Result) {
	e.Lesson = "That is how a livelock looks: goroutines run and get nowhere. They check again and again for something that does not change, or they undo each other's work. " +
		"The processor time that it takes, little or much, is taken from the other pods of the node."
	e.Next.Do = "Find the loop that never ends, and give it an end."
	if len(r.Goroutines) == 0 {
		return
	}
	loop := "Find what the loop at this line waits for"
	if slices.ContainsFunc(r.Goroutines, called) {
		loop = "Find the loop that does not end, at this line or around one of the calls that lead to it, and what it waits for"
	}
	e.Next.Do = loop + ". Wait for that with a channel, a WaitGroup or a sync.Cond instead of checking for it in a loop. If it waits for nothing, find why it does not end."
}

// called reports whether it is known which calls led a goroutine to its line.
func called(g outcome.Goroutine) bool { return len(g.Via) > 0 }

func panicked(e *Explanation, c conform.Meta, r outcome.Result) {
	means, do := advise(r.Message)
	e.What = "Your code panicked, and nothing in that goroutine recovered."
	notes := []string{means}
	if r.Detail != "" {
		notes = append(notes, "In your code it is closed by: "+clip(r.Detail)+".")
	}
	e.Places = []Place{{Label: "panic: " + clip(r.Message), At: r.At, Notes: notes}}
	e.Lesson = "A panic ends the whole process, whichever goroutine it happens in, and only a deferred recover in that same goroutine can stop it. " +
		"A controller manager runs dozens of controllers in one process: one bad object would restart them all, over and over."
	if strings.Contains(r.Message, twice) && strings.Count(r.Detail, "close(") == 1 {
		do = "This is the only statement that closes it, and it ran twice. What decides whether it is reached, and is that still so the second time? With several goroutines, to look first and then to close is two steps: hold one lock for both, or use a sync.Once."
	}
	e.Again = again(r)
	e.Next.Do = do
}

// twice is what the runtime says of the second close.
const twice = "close of closed channel"

func outOfMemory(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = "The heap grew past the limit of the case, which is far above what a correct solution needs."
	e.Places = at("the heap grew here", r)
	e.Lesson = "Something grows without bound: a buffer, a slice that is only appended to, goroutines that start faster than they end. " +
		"In a cluster the kernel kills such a pod (OOMKilled), and after the restart its cache is filled from nothing, at the expense of the API server."
	e.Again = again(r)
	e.Next.Do = "Find what grows here and bound it: set a limit, drop what is no longer needed, or block the code that adds to it."
}

func outputFlood(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = "Your code printed more than the checker keeps, and was stopped."
	e.Lesson = "A line printed in a hot loop soon adds up to a gigabyte. On a node such logs fill the disk, and the kubelet evicts pods to make room."
	e.Next.Do = fmt.Sprintf("Remove the printing from %s, or print once instead of in a loop.", subject(c, r))
}

func incomplete(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = sentence(clip(r.Message))
	e.Lesson = "A library function returns, with an error if necessary: only main decides when the process ends. " +
		"An exit skips every deferred call, so locks stay locked and leases stay held."
	e.Next.Do = fmt.Sprintf("Find the call in %s that ends the process or the goroutine (os.Exit, log.Fatal, runtime.Goexit), and return instead.", subject(c, r))
}

func unstable(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = fmt.Sprintf("The case passed %d of %d runs. ", r.Passed, r.Runs)
	if r.Message != "" {
		e.What += "A failed run reported: " + sentence(clip(r.Message))
	} else {
		e.What += "This is what one of the failed runs showed."
	}
	if r.Detail != "" {
		e.Facts = []Fact{{"seen", clipLines(plain(r.Detail), 8, maxText)}}
	}
	if len(r.Race) > 0 {
		e.Places = accesses(r.Race)
	} else {
		e.Places, e.More = blocked(r.Goroutines)
	}
	e.Lesson = "The inputs were the same each time; only the order in which goroutines ran differed. " +
		"What fails once in ten runs here fails every day in a cluster, so a case counts only if all runs pass."
	e.Again = again(r) + fmt.Sprintf(" --stability %d", max(r.Runs, 2))
	e.Next.Do = "Running it until it passes fixes nothing: find the order of events that breaks the rule, and rule it out with a lock, a channel or a WaitGroup."
}

func checkerError(e *Explanation, c conform.Meta, r outcome.Result) {
	e.What = "The checker failed, not your code. This costs you nothing: the case counts as not decided."
	e.Facts = []Fact{{"cause", clip(r.Message)}}
	e.Rule, e.Stub, e.Why = "", nil, ""
	e.Again = again(r)
	e.Next = Step{Do: "Run it again. If it fails again, report the cause above at https://github.com/controllerbook/controllerbook/issues, with the output of `checker doctor` and of the command above with --raw."}
}

// subject is the function to look at.
func subject(c conform.Meta, r outcome.Result) string {
	if name, _, _ := strings.Cut(" "+r.At.Func, " ("); strings.TrimSpace(name) != "" {
		return clip(name)
	}
	if c.Func != "" {
		return c.Func
	}
	return "your code"
}
