//go:build ignore

// Mistake: Of the two methods that flush only FlushError notes that the answer has begun.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) Flush() { http.NewResponseController(a.ResponseWriter).Flush() }
