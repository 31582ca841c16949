//go:build ignore

// Mistake: Of several initial events the last is sent after the loop, and is not copied there.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) sendInitial() bool {
	several := len(x.initial) > 1
	for len(x.initial) > 0 {
		obj := x.initial[0]
		if !several || len(x.initial) > 1 {
			obj = x.source.typ.DeepCopy(obj)
		}
		if !x.send(kit.Event[T]{Type: kit.Added, Object: obj}) {
			return false
		}
		var none T
		x.initial[0] = none
		x.initial = x.initial[1:]
	}
	x.initial = nil
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}
