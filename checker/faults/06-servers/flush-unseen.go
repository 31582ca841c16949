//go:build ignore

// Mistake: The wrapper sees WriteHeader and Write, and not that a Flush sends the header too: a panic after
//   it is answered into the middle of the answer.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer
// Without: answer.FlushError

package servers
