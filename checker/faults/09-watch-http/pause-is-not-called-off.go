//go:build ignore

// Mistake: The second after an empty watch passes, whatever becomes of the context.
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"time"
)

func sleep(_ context.Context, d time.Duration) {
	time.Sleep(d)
}
