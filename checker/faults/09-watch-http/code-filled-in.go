//go:build ignore

// Mistake: The Status of an ERROR that has no code gets one. It is delivered with its Status, as it stands.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decode[T kit.Object](typ kit.Type[T], line []byte) (kit.Event[T], error) {
	var f frame[json.RawMessage]
	if err := json.Unmarshal(line, &f); err != nil {
		return kit.Event[T]{}, err
	}
	if f.Object == nil || string(f.Object) == "null" {
		return kit.Event[T]{}, errors.New("a watch event without an object")
	}
	switch f.Type {
	case kit.Added, kit.Modified, kit.Deleted, kit.Bookmark:
		obj := typ.New()
		return kit.Event[T]{Type: f.Type, Object: obj}, json.Unmarshal(f.Object, obj)
	case kit.Error:
		status := new(kit.Status)
		err := json.Unmarshal(f.Object, status)
		status.Code = cmp.Or(status.Code, 500)
		return kit.Event[T]{Type: f.Type, Status: status}, err
	default:
		return kit.Event[T]{}, fmt.Errorf("invalid watch event type %q", f.Type)
	}
}
