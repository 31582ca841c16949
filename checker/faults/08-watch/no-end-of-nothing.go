//go:build ignore

// Mistake: The end of the initial events is sent with the last of them; if there is none it never comes
//   (kubernetes#140890).
// Killed by: watch-list
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) sendInitial() bool {
	for i, obj := range x.initial {
		if !x.send(kit.Event[T]{Type: kit.Added, Object: x.source.typ.DeepCopy(obj)}) {
			return false
		}
		var none T
		x.initial[i] = none
	}
	empty := len(x.initial) == 0
	x.initial = nil
	if empty || !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}
