//go:build ignore

// Mistake: The series are sorted as they are written: '_' sorts before '{', so another metric comes in
//   between.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import "strings"

func byMetric(a, b string) int {
	return strings.Compare(a, b)
}
