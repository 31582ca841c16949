//go:build ignore

// Mistake: A key is taken for namespace and name, and the name alone is noted: apps of two namespaces are one.
// Killed by: level-closes-the-gap
// Verdict: wrong-answer

package triggers

import "strings"

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.noted[key[strings.LastIndex(key, "/")+1:]] = true
	}
}
