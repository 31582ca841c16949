//go:build ignore

// Mistake: White space in front of an event does not count: it takes no memory. A line of nothing else is read for ever.
// Killed by: huge-events-are-bounded
// Verdict: wrong-answer

package watchhttp

import (
	"bufio"
	"bytes"
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
		if len(l.buffer) == 0 && err != nil {
			part = bytes.TrimLeft(part, " \t\r")
		}
		if len(l.buffer)+len(part)-1 > l.max {
			return nil, fmt.Errorf("%w: more than %d bytes", errTooLong, l.max)
		}
		l.buffer = append(l.buffer, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.buffer, err
		}
	}
}
