//go:build ignore

// Mistake: Behind one JSON value Decoder.More says whether anything follows; of a brace too many it says that nothing does.
// Killed by: nonsense-ends-with-an-error
// Verdict: wrong-answer

package watchhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decode[T kit.Object](typ kit.Type[T], line []byte) (kit.Event[T], error) {
	var f frame[json.RawMessage]
	in := json.NewDecoder(bytes.NewReader(line))
	if err := in.Decode(&f); err != nil {
		return kit.Event[T]{}, err
	}
	if in.More() {
		return kit.Event[T]{}, errors.New("more than one value in a line")
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
		return kit.Event[T]{Type: f.Type, Status: status}, json.Unmarshal(f.Object, status)
	default:
		return kit.Event[T]{}, fmt.Errorf("invalid watch event type %q", f.Type)
	}
}
