//go:build ignore

// Mistake: The wrapper passes Flush on and has no Unwrap: whatever else the writer underneath can do is lost.
// Killed by: streams-flow
// Verdict: wrong-answer
// Without: answer.Unwrap

package servers
