//go:build ignore

// Mistake: Each initial object is let go of when the next one is sent, and so the last of them never is.
// Killed by: history-is-bounded
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) sendInitial() bool {
	for i, obj := range x.initial {
		if i > 0 {
			var none T
			x.initial[i-1] = none
		}
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
