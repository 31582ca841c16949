//go:build ignore

// Mistake: A kind is compared without looking at capitals.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[json.RawMessage]
	if err := json.Unmarshal(text, &raw); err != nil {
		return kit.List[T]{}, err
	}
	if !strings.EqualFold(raw.Kind, typ.Kind+"List") {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind) // to take it for an empty list would empty the caller's cache
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
