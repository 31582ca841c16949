//go:build ignore

// Mistake: The items are decoded into new objects; those of an API server's list carry neither kind nor
//   apiVersion.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[T]
	if err := json.Unmarshal(text, &raw); err != nil {
		return kit.List[T]{}, err
	}
	if raw.Kind != typ.Kind+"List" {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind)
	}
	list := kit.List[T]{ResourceVersion: raw.Metadata.ResourceVersion, Items: raw.Items}
	return list, nil
}
