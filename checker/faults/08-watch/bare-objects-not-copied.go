//go:build ignore

// Mistake: Initial events of objects without labels are not copied: there seems to be nothing in them to share.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) sendInitial() bool {
	for i, obj := range x.initial {
		if obj.GetLabels() != nil {
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
