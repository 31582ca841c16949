//go:build ignore

// Mistake: The second value of an input is fetched while the first waits for the reader, once the reader has shown that it reads.
// Killed by: merge-does-not-hoard
// Verdict: wrong-answer

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	var ahead []T // what has been taken and waits for the reader
	most := 1
	for closed := false; !closed || len(ahead) > 0; {
		var first T
		source, sink := in, out
		if closed || len(ahead) == most {
			source = nil
		}
		if len(ahead) > 0 {
			first = ahead[0]
		} else {
			sink = nil
		}
		if ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case v, open := <-source:
			if !open {
				closed = true
				continue
			}
			ahead = append(ahead, v)
		case sink <- first:
			ahead, most = ahead[1:], 2
		}
	}
}
