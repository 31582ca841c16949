//go:build ignore

// Mistake: The list is decoded, and Decoder.More asked whether anything follows; of a brace too many it says that nothing does.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[json.RawMessage]
	in := json.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&raw); err != nil {
		return kit.List[T]{}, err
	}
	if in.More() {
		return kit.List[T]{}, errors.New("more than one list")
	}
	if raw.Kind != typ.Kind+"List" {
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
