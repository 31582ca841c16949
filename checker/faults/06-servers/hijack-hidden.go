//go:build ignore

// Mistake: The wrapper passes on what its author has thought of, by hand, in the place of an Unwrap: there is no
//   WebSocket behind it.
// Killed by: streams-flow
// Verdict: wrong-answer

package servers

import (
	"net/http"
	"time"
)

type byHand struct{ http.ResponseWriter }

func (b byHand) EnableFullDuplex() error {
	return http.NewResponseController(b.ResponseWriter).EnableFullDuplex()
}

func (b byHand) SetReadDeadline(t time.Time) error {
	return http.NewResponseController(b.ResponseWriter).SetReadDeadline(t)
}

func (b byHand) SetWriteDeadline(t time.Time) error {
	return http.NewResponseController(b.ResponseWriter).SetWriteDeadline(t)
}

func (a *answer) Unwrap() http.ResponseWriter { return byHand{a.ResponseWriter} }
