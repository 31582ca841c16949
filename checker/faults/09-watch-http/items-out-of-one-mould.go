//go:build ignore

// Mistake: All items are read into one object, and copied from there: what an item does not have it gets from the
//   one before.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[json.RawMessage]
	if err := json.Unmarshal(text, &raw); err != nil {
		return kit.List[T]{}, err
	}
	if raw.Kind != typ.Kind+"List" {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind)
	}
	list := kit.List[T]{ResourceVersion: raw.Metadata.ResourceVersion, Items: make([]T, len(raw.Items))}
	obj := typ.New()
	for i, item := range raw.Items {
		if err := json.Unmarshal(item, obj); err != nil {
			return kit.List[T]{}, err
		}
		list.Items[i] = typ.DeepCopy(obj)
	}
	return list, nil
}
