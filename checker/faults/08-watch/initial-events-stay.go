//go:build ignore

// Mistake: The objects that a watch began with are not let go of; it keeps them for as long as it lives, changed or not.
// Killed by: history-is-bounded
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) sendInitial() bool {
	for _, obj := range x.initial {
		if !x.send(kit.Event[T]{Type: kit.Added, Object: x.source.typ.DeepCopy(obj)}) {
			return false
		}
	}
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}
