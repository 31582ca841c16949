//go:build ignore

// Mistake: The initial events of a watch of one namespace have a way of their own, and hand out what Commit got.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) sendInitial() bool {
	for i, obj := range x.initial {
		if x.options.Namespace == "" {
			obj = x.source.typ.DeepCopy(obj)
		}
		if !x.send(kit.Event[T]{Type: kit.Added, Object: obj}) {
			return false
		}
		var none T
		x.initial[i] = none // a slow reader must not keep alive what it has got
	}
	x.initial = nil
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}
