//go:build ignore

// Mistake: A millisecond is a short time to wait for work that takes seconds, so the registration is asked every millisecond.
// Killed by: kind-waits-for-its-handler
// Verdict: wrong-answer

package reconciler

import "time"

const syncPoll = time.Millisecond
