//go:build ignore

// Mistake: A body that has a code is taken for a Status, whatever its kind is.
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
	if json.Unmarshal(text, &status) == nil && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}
