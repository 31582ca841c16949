//go:build ignore

// Mistake: When a refusal cannot be read to its end, the error of the context is returned, which may
//   be none.
// Killed by: errors-are-told
// Verdict: panic

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
	if err != nil {
		return ctx.Err()
	}
	var status kit.Status
	if json.Unmarshal(text, &status) == nil && status.Kind == "Status" && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}
