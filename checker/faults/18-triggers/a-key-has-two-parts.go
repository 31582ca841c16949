//go:build ignore

// Mistake: A key is a name, or a namespace and a name: one with two slashes has an unexpected format, and is dropped.
// Killed by: level-closes-the-gap
// Verdict: wrong-answer

package triggers

import "strings"

func (s *Level) Notify(e Event) {
	if strings.Count(e.Key, "/") < 2 {
		s.note(e.Key)
	}
}
