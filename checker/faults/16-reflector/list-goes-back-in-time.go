//go:build ignore

// Mistake: Every list asks for version 0: a server whose cache is behind brings back what is long gone
//   (kubernetes#83520).
// Killed by: lists-again-when-expired
// Verdict: wrong-answer

package reflector

func (r *Reflector[T]) relistVersion() string {
	if r.unavailable {
		return ""
	}
	return "0"
}
