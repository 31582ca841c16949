//go:build ignore

// Mistake: The wrapper overrides Write and WriteHeader and nothing else: it hides Flush, and streams stay in
//   the buffer.
// Killed by: streams-flow
// Verdict: wrong-answer
// Without: answer.FlushError, answer.Unwrap

package servers
