//go:build ignore

// Mistake: Whatever is no deletion and no error is a change.
// Killed by: a-storm-and-cuts
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"errors"

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
	if f.Type == kit.Error {
		status := new(kit.Status)
		return kit.Event[T]{Type: f.Type, Status: status}, json.Unmarshal(f.Object, status)
	}
	obj := typ.New()
	err := json.Unmarshal(f.Object, obj)
	if f.Type == kit.Bookmark && obj.GetAnnotations()[kit.InitialEventsEnd] == "" {
		f.Type = kit.Modified
	}
	return kit.Event[T]{Type: f.Type, Object: obj}, err
}
