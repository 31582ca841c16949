package writer

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Pods and ReplicaSets describe the types that a client reads real objects into.
var (
	Pods        = kit.Type[*Pod]{APIVersion: "v1", Kind: "Pod", Resource: "pods", New: func() *Pod { return &Pod{*kit.Pods.New()} }}
	ReplicaSets = kit.Type[*ReplicaSet]{APIVersion: "apps/v1", Kind: "ReplicaSet", Resource: "replicasets", New: func() *ReplicaSet { return &ReplicaSet{*kit.ReplicaSets.New()} }}
)

// Source is a client's list and watch of one type as those of another.
type Source[S, T kit.Object] struct {
	From kit.ListerWatcher[S]
	As   func(S) T
}

// List lists.
func (s Source[S, T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	list, err := s.From.List(ctx, options)
	out := kit.List[T]{ResourceVersion: list.ResourceVersion}
	for _, item := range list.Items {
		out.Items = append(out.Items, s.As(item))
	}
	return out, err
}

// Watch watches.
func (s Source[S, T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	from, err := s.From.Watch(ctx, options)
	if err != nil {
		return nil, err
	}
	w := &watch[T]{out: make(chan kit.Event[T]), stopped: make(chan struct{}), stop: from.Stop}
	go func() {
		defer close(w.out)
		for event := range from.ResultChan() {
			passed := kit.Event[T]{Type: event.Type, Status: event.Status}
			if event.Type != kit.Error {
				passed.Object = s.As(event.Object)
			}
			select {
			case w.out <- passed:
			case <-ctx.Done():
				from.Stop()
				return
			case <-w.stopped:
				return
			}
		}
	}()
	return w, nil
}

type watch[T kit.Object] struct {
	out     chan kit.Event[T]
	stopped chan struct{}
	once    sync.Once
	stop    func()
}

func (w *watch[T]) ResultChan() <-chan kit.Event[T] { return w.out }

func (w *watch[T]) Stop() {
	w.once.Do(func() { close(w.stopped) })
	w.stop()
}
