//go:build ignore

// Mistake: The default backoff has no jitter: clients that lost the server together come back together
//   (kubernetes#87794).
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func DefaultBackoff() kit.Backoff {
	return kit.Backoff{Duration: 800 * time.Millisecond, Factor: 2, Steps: 38, Cap: 30 * time.Second}
}
