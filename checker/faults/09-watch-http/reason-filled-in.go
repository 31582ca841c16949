//go:build ignore

// Mistake: A Status without a reason says too little, so it gets one.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"cmp"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func statusOf(err error) kit.Status {
	var refusal *kit.StatusError
	if errors.As(err, &refusal) && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599 {
		status := refusal.ErrStatus
		status.Reason = cmp.Or(status.Reason, kit.ReasonInternalError)
		return status
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}
