package conform

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// searchShare is the part of what is left of a case's processor time that one search
// may take, were it to keep all processors busy: a case may make several, in turn and
// side by side.
const searchShare = 4

// Linearizable reports whether some order of the calls, one after the other, returns
// what they returned. It blocks while it searches, and gives up, in the subject's
// favour, long before the case has used up its processor time: how hard a search is
// depends on the schedule, and a search that never ends would be reported as a livelock
// of the subject.
//
// It needs the real clock, and panics inside Virtual.
func (t *T) Linearizable(model porcupine.Model, calls []porcupine.Operation) bool {
	if t.bubble {
		panic("conform: Linearizable inside Virtual, whose clock stands still while it searches")
	}
	left := time.Duration(t.run.config.CPU)*time.Second - (cpuTime() - t.run.began)
	patience := left / time.Duration(searchShare*runtime.GOMAXPROCS(0))
	if patience <= 0 { // porcupine takes it for no bound at all
		return true
	}
	return porcupine.CheckOperationsTimeout(model, calls, patience) != porcupine.Illegal
}

// Unknown is the output of a call that had not returned yet, of which a model takes any.
type Unknown struct{}

// RequireLinearizable ends the case if no order of the calls explains what they returned, and
// names the first return that none does. Calls that were under way at that moment may have come
// before it or not. Inputs and outputs are shown as they print. It blocks as Linearizable does.
func (t *T) RequireLinearizable(model porcupine.Model, calls []porcupine.Operation) {
	if t.Linearizable(model, calls) {
		return
	}
	calls = slices.SortedFunc(slices.Values(calls), func(x, y porcupine.Operation) int { return cmp.Compare(x.Return, y.Return) })
	for n, last := range calls {
		past := slices.Clone(calls[:n+1])
		for _, later := range calls[n+1:] {
			if later.Call < last.Return {
				later.Output, later.Return = Unknown{}, math.MaxInt64
				past = append(past, later)
			}
		}
		if !t.Linearizable(model, past) {
			t.Fatalf("%v returned %v. No order of the calls until then, one after the other, has it return that.", last.Input, last.Output)
		}
	}
	t.Fatalf("The calls returned what they could have returned in no order, one after the other.")
}
