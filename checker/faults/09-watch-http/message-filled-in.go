//go:build ignore

// Mistake: A Status without a message says too little, so it gets the words that belong to its code.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func statusOf(err error) kit.Status {
	var refusal *kit.StatusError
	if errors.As(err, &refusal) && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599 {
		status := refusal.ErrStatus
		status.Message = cmp.Or(status.Message, http.StatusText(status.Code))
		return status
	}
	return kit.NewStatusError(kit.ReasonInternalError, "Internal error occurred: %v", err).ErrStatus
}
