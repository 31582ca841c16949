//go:build ignore

// Mistake: What a Status lacks is filled in where it lies, in the error of the source, which other requests
//   may have, too.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func statusOf(err error) kit.Status {
	var refusal *kit.StatusError
	if errors.As(err, &refusal) && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599 {
		status := &refusal.ErrStatus
		status.Kind, status.APIVersion, status.Status = "Status", "v1", "Failure"
		return *status
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}
