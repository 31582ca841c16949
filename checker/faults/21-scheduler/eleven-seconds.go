//go:build ignore

// Mistake: The longest backoff is eleven seconds, and an event in the last of them does not make the pod active.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "time"

const maxBackoff = 11 * time.Second
