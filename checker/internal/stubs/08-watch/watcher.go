package watch

import "github.com/controllerbook/controllerbook/labs/kit"

// watcher is one running watch: what Watch returns. Nothing outside this package
// knows it, so change it, or do without it, as you like.
type watcher[T kit.Object] struct {
	// yours
}

// Stop ends the watch.
func (x *watcher[T]) Stop() { panic(kit.TODO("watcher.Stop")) }

// ResultChan delivers the events; it is the same channel at every call.
func (x *watcher[T]) ResultChan() <-chan kit.Event[T] { panic(kit.TODO("watcher.ResultChan")) }
