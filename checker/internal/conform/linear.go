package conform

import (
	"runtime"
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
