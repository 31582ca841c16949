package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

// stream is one running watch: what Client.Watch returns. Nothing outside this
// package knows it, so change it, or do without it, as you like.
type stream[T kit.Object] struct {
	// yours
}

// Stop ends the watch.
func (s *stream[T]) Stop() { panic(kit.TODO("stream.Stop")) }

// ResultChan delivers the events; it is the same channel at every call.
func (s *stream[T]) ResultChan() <-chan kit.Event[T] { panic(kit.TODO("stream.ResultChan")) }
