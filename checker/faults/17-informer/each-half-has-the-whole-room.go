//go:build ignore

// Mistake: Each half of the buffer may keep room for more than a thousand notifications, as if it were the whole buffer.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

const keptRoom = 1200
