//go:build ignore

// Mistake: The wrapper overrides Write alone: every answer counts as 200.
// Killed by: counts-answers
// Verdict: wrong-answer
// Without: answer.WriteHeader

package servers
