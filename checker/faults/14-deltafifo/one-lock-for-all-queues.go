//go:build ignore

// Mistake: The lock is a variable of the package, and all queues wait for each other.
// Killed by: process-runs-under-the-lock
// Verdict: wrong-answer

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var lock sync.Mutex

type lockOfAll struct{}

func (*lockOfAll) Lock()   { lock.Lock() }
func (*lockOfAll) Unlock() { lock.Unlock() }

type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T]
	transform func(obj T) (T, error)

	mu      lockOfAll
	arrived sync.Cond

	items map[string]kit.Deltas[T]
	queue []string
	most  int

	begun   bool
	initial int
	closed  bool
}
