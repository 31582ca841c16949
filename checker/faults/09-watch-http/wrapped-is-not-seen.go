//go:build ignore

// Mistake: The error is asserted to be a StatusError: one that is wrapped becomes a 500.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func statusOf(err error) kit.Status {
	refusal, ok := err.(*kit.StatusError)
	if ok && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599 {
		return refusal.ErrStatus
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}
