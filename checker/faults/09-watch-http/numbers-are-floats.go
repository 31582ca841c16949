//go:build ignore

// Mistake: An object goes through a value of type any before it gets its own. Each number is a float64 on the way, and a
//   large one is not the same afterwards.
// Killed by: through-both-ends
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[any]
	if err := json.Unmarshal(text, &raw); err != nil {
		return kit.List[T]{}, err
	}
	if raw.Kind != typ.Kind+"List" {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind)
	}
	list := kit.List[T]{ResourceVersion: raw.Metadata.ResourceVersion, Items: make([]T, len(raw.Items))}
	for i, item := range raw.Items {
		list.Items[i] = typ.New()
		object, err := json.Marshal(item)
		if err == nil {
			err = json.Unmarshal(object, list.Items[i])
		}
		if err != nil {
			return kit.List[T]{}, err
		}
	}
	return list, nil
}
