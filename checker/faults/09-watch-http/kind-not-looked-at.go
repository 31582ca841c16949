//go:build ignore

// Mistake: Any JSON that is a 200 is taken for a list: an answer from somewhere else is an empty one.
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
	if raw.Kind == "" {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind)
	}
	list := kit.List[T]{ResourceVersion: raw.Metadata.ResourceVersion, Items: make([]T, len(raw.Items))}
	for i, item := range raw.Items {
		list.Items[i] = typ.New()
		if err := json.Unmarshal(item, list.Items[i]); err != nil {
			return kit.List[T]{}, err
		}
	}
	return list, nil
}
