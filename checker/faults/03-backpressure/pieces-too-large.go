//go:build ignore

// Mistake: The buffer is made of pieces of 4096 slots: where three values are pending there is room for a thousand times as many.
// Killed by: size-of-what-is-pending
// Verdict: wrong-answer

package backpressure

const firstSize = 4096

const smallSize = 4096
