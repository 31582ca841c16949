//go:build ignore

// Mistake: One more than MaxEvent is computed, for the newline. If MaxEvent is as large as an int may be, that is a
//   negative number, and every event is too long.
// Killed by: huge-events-are-bounded
// Verdict: wrong-answer

package watchhttp

import (
	"bufio"
	"errors"
	"fmt"
)

func (l *lines) next() ([]byte, error) {
	if cap(l.buffer) > keep {
		l.buffer = nil
	}
	l.buffer = l.buffer[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buffer)+len(part) > l.max+1 {
			return nil, fmt.Errorf("%w: more than %d bytes", errTooLong, l.max)
		}
		l.buffer = append(l.buffer, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.buffer, err
		}
	}
}
