package conform

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Attempt is one try of a generated input. A model checker makes many, and only
// the smallest one that fails is the case's failure: so an Attempt keeps what
// went wrong to itself until it is reported.
type Attempt struct {
	t       *T
	halt    func()           // how the model checker ends an attempt: it does not return
	foreign func(p any) bool // whether a panic is the model checker's own

	mu      sync.Mutex // guards the fields below
	failed  bool
	failure failure // of a crash, the history alone
	crash   any     // the value of a panic of the subject
	stack   string  // and its stack
}

// Attempt makes a try that ends with a call of halt when it fails. foreign reports whether
// a panic is how the model checker itself ends an attempt, and not a crash of the subject.
func (t *T) Attempt(halt func(), foreign func(p any) bool) *Attempt {
	return &Attempt{t: t, halt: halt, foreign: foreign}
}

// Run runs scenario with a T of its own. It returns if the scenario holds. Otherwise it
// does not return: it calls halt, or the subject's own panic goes on.
func (a *Attempt) Run(scenario func(t *T)) {
	ctx, cancel := context.WithCancel(a.t.ctx)
	defer cancel()
	inner := a.t.run.newT(nil, ctx, a.t.copy, a.t.bubble)
	inner.attempt = a
	defer a.t.run.retire(inner)
	returned := false
	defer func() {
		if returned || a.Failed() {
			return
		}
		p := recover()
		if p == nil {
			return
		}
		if !a.foreign(p) {
			a.mu.Lock()
			a.failed, a.crash, a.stack, a.failure.past = true, p, string(debug.Stack()), inner.History()
			a.mu.Unlock()
			a.t.run.remember(a)
		}
		panic(p)
	}()
	scenario(inner)
	inner.Join()
	returned = true
	if a.Failed() {
		a.halt()
	}
}

// Failed reports whether the attempt has failed.
func (a *Attempt) Failed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

// Report makes the attempt's failure the case's own and ends the case. The panic
// of a subject is raised again.
func (a *Attempt) Report() {
	if a.crash != nil {
		wire.Send(a.crashed())
		panic(a.crash)
	}
	a.t.report(a.failure)
	a.t.FailNow()
}

// crashed is the record of the panic that ended the attempt.
func (a *Attempt) crashed() wire.Record { return crash(a.t, a.crash, a.stack, a.failure.past) }

// remember notes an attempt that the subject's panic has ended. A panic below a lock leaves the lock
// locked, and may leave a goroutine of that attempt waiting for it. In a bubble the clock of all further
// attempts then stands still, and what the watchdog reports has to be the panic and not its echo.
func (r *run) remember(a *Attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.crash = a
}

// remembered is the last attempt, and so the smallest, that the subject's panic has ended, if any.
func (r *run) remembered() *Attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.crash
}

func (a *Attempt) stop() {
	a.note(failure{message: "the attempt failed"})
	a.halt()
}

func (a *Attempt) note(f failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed {
		return
	}
	a.failed, a.failure = true, f
}
