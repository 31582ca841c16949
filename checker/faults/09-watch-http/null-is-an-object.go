//go:build ignore

// Mistake: An event whose object is null is delivered with an object that has nothing.
// Killed by: nonsense-ends-with-an-error
// Verdict: wrong-answer

package watchhttp

import (
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
	if f.Object == nil {
		return kit.Event[T]{}, errors.New("a watch event without an object")
	}
	switch f.Type {
	case kit.Added, kit.Modified, kit.Deleted, kit.Bookmark:
		obj := typ.New()
		return kit.Event[T]{Type: f.Type, Object: obj}, json.Unmarshal(f.Object, obj)
	case kit.Error:
		status := new(kit.Status)
		return kit.Event[T]{Type: f.Type, Status: status}, json.Unmarshal(f.Object, status)
	default:
		return kit.Event[T]{}, fmt.Errorf("invalid watch event type %q", f.Type)
	}
}
