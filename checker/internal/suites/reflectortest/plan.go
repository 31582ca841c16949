package reflectortest

import (
	"fmt"
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
	open     bool
	more     bool // what comes after all that is due does not matter
	stretch  bool // each may come after up to twice its time
}

// newPlan begins a plan.
func newPlan(noun, sentence string, now time.Duration, want ...due) plan {
	return plan{noun: noun, sentence: sentence, want: want, last: now, open: true}
}

// comes notes that something has come, and marks it if it was not due.
func (p *plan) comes(a *conform.Actor, what string, at time.Duration) {
	if !p.open || p.broken != "" || p.more && p.came == len(p.want) {
		return
	}
	after := at - p.last
	p.last = at
	p.came++
	if p.broken = p.differs(what, after); p.broken != "" {
		a.Breaks("%s", p.broken)
	}
}

// differs says how the latest that came differs from what was due, "" if it does not.
func (p *plan) differs(what string, after time.Duration) string {
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
		return fmt.Sprintf("%s was %s, and %s was due.", it, what, want.what)
	case want.after == anytime:
	case after < want.after:
		return fmt.Sprintf("%s, %s, came %v after %s, which is too early: %s due.", it, what, after.Round(time.Millisecond), p.before(), moment(want.after, latest))
	case after > latest:
		return fmt.Sprintf("%s, %s, came %v after %s, which is too late: %s due.", it, what, after.Round(time.Millisecond), p.before(), moment(want.after, latest))
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

// before is what the latest that came, or should have come, is counted from.
func (p *plan) before() string {
	if p.came <= 1 {
		return "the start"
	}
	return "the one before"
}

// end closes the plan and says what was wrong, "" if all has come and nothing else.
func (p *plan) end() string {
	p.open = false
	if p.broken == "" && p.came < len(p.want) {
		p.broken = p.misses()
	}
	if p.broken == "" {
		return ""
	}
	return p.sentence + " " + p.broken
}

// misses says what did not come.
func (p *plan) misses() string {
	want := p.want[p.came]
	p.came++
	when := ""
	switch {
	case want.after == 0:
		when = " at once"
	case want.after > 0:
		when = fmt.Sprintf(" %v after %s", want.after, p.before())
	}
	return fmt.Sprintf("%s %d, %s, was due%s and did not come.", p.noun, p.came, want.what, when)
}
