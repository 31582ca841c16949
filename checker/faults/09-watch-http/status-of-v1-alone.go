//go:build ignore

// Mistake: A Status is of v1; one without an apiVersion, or of another, is not believed.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func refusal(ctx context.Context, res *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(res.Body, maxStatus))
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		text = nil // it broke off: what has come of it may not be what was meant
	}
	var status kit.Status
	if json.Unmarshal(text, &status) == nil && status.Kind == "Status" && status.APIVersion == "v1" && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}
