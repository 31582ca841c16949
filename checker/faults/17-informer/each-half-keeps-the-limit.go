//go:build ignore

// Mistake: Each half of the buffer may keep room for 1024 notifications. Two bursts of 700 in a row leave both of them large.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

const keptRoom = 1024

type kind int
