//go:build ignore

// Mistake: The error is made of the code alone; the Status in the body is not read.
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
		text = nil
	}
	var status kit.Status
	if json.Unmarshal(text, &status) == nil && status.Kind == "status" && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}
