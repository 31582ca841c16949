//go:build ignore

// Mistake: The pause after a panic is a sleep: a removal and the end have to wait for it.
// Killed by: remove-in-the-pause
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) pause() bool {
	select {
	case <-time.After(afterPanic):
		return true
	}
}
