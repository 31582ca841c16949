//go:build ignore

// Mistake: The end is a bookmark like any other: the reader cannot tell that it has seen everything.
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
	x.initial = nil
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	return x.send(end)
}
