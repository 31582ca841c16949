//go:build ignore

// Mistake: The code of a Status is believed, and WriteHeader panics.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func statusOf(err error) kit.Status {
	var refusal *kit.StatusError
	if errors.As(err, &refusal) {
		return refusal.ErrStatus
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}
