//go:build ignore

// Mistake: The sender waits for its reader and for nothing else: after Stop it waits for ever
//   (kubernetes#38670).
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) send(event kit.Event[T]) bool {
	x.result <- event
	return x.ctx.Err() == nil
}
