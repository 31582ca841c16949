//go:build ignore

// Mistake: A line may be as long as it likes.
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
		if l.max < 0 {
			return nil, fmt.Errorf("%w: more than %d bytes", errTooLong, l.max)
		}
		l.buffer = append(l.buffer, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.buffer, err
		}
	}
}
