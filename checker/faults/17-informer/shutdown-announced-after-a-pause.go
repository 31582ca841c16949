//go:build ignore

// Mistake: After the first panic the handler counts as finished, and its ShutdownChan is closed when the
//   pause is over, though it goes on.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) run() {
	defer l.finish()
	var batch []notification[T]
	for l.work(batch) {
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			return
		}
	}
}

func (l *listener[T]) pause() bool {
	select {
	case <-time.After(afterPanic):
		l.finish()
		return true
	case <-l.gone:
		return false
	}
}

// finish closes finished, once.
func (l *listener[T]) finish() {
	select {
	case <-l.finished:
	default:
		close(l.finished)
	}
}
