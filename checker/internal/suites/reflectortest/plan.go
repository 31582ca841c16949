package reflectortest

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// due is something as it should come.
type due struct {
	after time.Duration // since what came before it
	what  string
}

// anytime is the after of something whose moment is left open.
const anytime time.Duration = -1

// plan is what should come, in order. It marks the moment at which something else comes, and
// requires all of it in the end. It is guarded by a lock of its owner.
type plan struct {
	noun     string // "request": what comes
	sentence string // the rule that anything else breaks
	want     []due
	came     int
	last     time.Duration // when the one before came
	broken   string        // how the first that was not due differs
	then     []string      // what came after that
	kept     int           // the number of the latest that then or skipped has
	skipped  string        // what came last, if then does not have it because it says nothing
	open     bool
	more     bool           // what comes after all that is due does not matter
	stretch  bool           // each may come after up to twice its time
	because  map[int]string // why the n-th is due, where the sentence does not say it
}

// newPlan begins a plan.
func newPlan(noun, sentence string, now time.Duration, want ...due) plan {
	return plan{noun: noun, sentence: sentence, want: want, last: now, open: true}
}

// maxThen is how many are named that came after the first that was not due.
const maxThen = 3

// comes notes that something has come, and marks it if it was not due.
func (p *plan) comes(a *conform.Actor, what string, at time.Duration) {
	if !p.open || p.broken == "" && p.more && p.came == len(p.want) {
		return
	}
	after := at - p.last
	p.last = at
	p.came++
	switch differs := p.differs(what, after); {
	case p.broken == "" && differs != "":
		p.broken = differs
		a.Breaks("%s", p.broken)
	case p.broken != "" && len(p.then) < maxThen:
		p.thenCame(what, after, differs == "")
	}
}

// thenCame keeps what came after the first that was not due. What is due at once and comes at once
// says nothing.
func (p *plan) thenCame(what string, after time.Duration, due bool) {
	text := what
	p.skipped, p.kept = "", p.came
	switch {
	case due && after == 0:
		p.skipped = what + " at once (as due)"
		return
	case after == 0:
		text += " at once"
	default:
		text += fmt.Sprintf(" after %v", after.Round(time.Millisecond))
	}
	if due {
		text += " (as due)"
	}
	p.then = append(p.then, text)
}

// refused notes that the latest was refused: what comes next is an answer to that.
func (p *plan) refused() {
	const how = ", which was refused"
	switch {
	case p.broken == "" || !p.open || p.kept != p.came:
	case p.skipped != "" && len(p.then) < maxThen:
		p.then = append(p.then, p.skipped+how)
		p.skipped = ""
	case p.skipped == "" && len(p.then) > 0:
		p.then[len(p.then)-1] += how
	}
}

// differs says how the latest that came differs from what was due, and why that was, "" if it does not.
func (p *plan) differs(what string, after time.Duration) string {
	differs := p.compares(what, after)
	if why := p.because[p.came]; differs != "" && why != "" {
		differs += " " + why
	}
	return differs
}

// compares is differs without a reason.
func (p *plan) compares(what string, after time.Duration) string {
	it := fmt.Sprintf("%s %d", p.noun, p.came)
	if p.came > len(p.want) {
		return fmt.Sprintf("%s was %s, and nothing more was due.", it, what)
	}
	want := p.want[p.came-1]
	latest := want.after
	if p.stretch {
		latest *= 2
	}
	switch {
	case what != want.what:
		return fmt.Sprintf("%s was %s, %s, and %s was due%s.", it, what, when(p.came, after), want.what, dueAt(p.came, want))
	case want.after == anytime:
	case after < want.after:
		return fmt.Sprintf("%s, %s, came %v after %s, which is too early: %s due.", it, what, after.Round(time.Millisecond), before(p.came), moment(want.after, latest))
	case after > latest:
		return fmt.Sprintf("%s, %s, came %v after %s, which is too late: %s due.", it, what, after.Round(time.Millisecond), before(p.came), moment(want.after, latest))
	}
	return ""
}

// moment is when something should come, with its verb.
func moment(earliest, latest time.Duration) string {
	switch {
	case latest > earliest:
		return fmt.Sprintf("%v to %v were", earliest, latest)
	case earliest == 0:
		return "at once was"
	}
	return fmt.Sprintf("%v were", earliest)
}

// before is what the n-th is counted from.
func before(n int) string {
	if n <= 1 {
		return "the start"
	}
	return "the one before"
}

// when is how long after what it is counted from the n-th came.
func when(n int, after time.Duration) string {
	if after == 0 {
		return "at once"
	}
	return fmt.Sprintf("%v after %s", after.Round(time.Millisecond), before(n))
}

// dueAt is when the n-th should come, as the end of a sentence.
func dueAt(n int, want due) string {
	if want.after == anytime {
		return ""
	}
	return ", " + when(n, want.after)
}

// longWait is longer than any wait of a backoff in these cases: what has not come by then does
// not come.
const longWait = 3 * time.Minute

// end closes the plan and says what was wrong, "" if all has come and nothing else. If something
// is overdue it waits for longWait first, because what comes in its place is often what names the
// mistake. It takes the lock of the plan's owner.
func (p *plan) end(mu sync.Locker) string {
	mu.Lock()
	late := ""
	if p.overdue() {
		late = p.awaits()
	}
	mu.Unlock()
	if late != "" {
		time.Sleep(longWait)
	}
	mu.Lock()
	defer mu.Unlock()
	switch {
	case p.overdue():
		p.broken = fmt.Sprintf("%s It did not come, and nothing else did for %v more.", p.awaits(), longWait)
	case late != "" && p.broken == "":
		p.broken = late + " It came only later."
	}
	p.open = false
	return p.wrong()
}

// shown is how many letters of a message a screen surely has.
const shown = 390

// wrong says what was wrong, "" if nothing was: the rule and what broke it, or what broke it first if
// a screen would not have the end. What came after that is the last, and the first to be cut.
func (p *plan) wrong() string {
	if p.broken == "" {
		return ""
	}
	said := p.sentence + " " + p.broken
	if len(said) > shown {
		said = p.broken + " " + p.sentence
	}
	if len(p.then) > 0 {
		said += fmt.Sprintf(" Then came %s.", strings.Join(p.then, ", "))
	}
	return said
}

// overdue reports whether something has not come that is due, and nothing else in its place.
func (p *plan) overdue() bool { return p.open && p.broken == "" && p.came < len(p.want) }

// awaits says what is due next.
func (p *plan) awaits() string {
	want := p.want[p.came]
	awaits := fmt.Sprintf("%s %d, %s, was due%s.", p.noun, p.came+1, want.what, dueAt(p.came+1, want))
	if why := p.because[p.came+1]; why != "" {
		awaits += " " + why
	}
	return awaits
}
