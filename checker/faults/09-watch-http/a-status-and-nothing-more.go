//go:build ignore

// Mistake: A Status with a field that kit.Status lacks is taken for a proxy's answer. Those of an API server have
//   metadata and details.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"bytes"
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
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if strict.Decode(&status) == nil && status.Kind == "Status" && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}
