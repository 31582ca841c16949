package reconciler

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Source adds requests to a queue (controller-runtime source.SyncingSource). It
// belongs to one controller, which calls Start once and then WaitForSync, at most once. A
// Source need not be comparable.
type Source interface {
	// Start begins to add requests to queue and goes on until ctx is done. It does not
	// wait for anything.
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	// WaitForSync blocks until all that stood there in the beginning has been added. It
	// returns an error if that cannot be, and soon when ctx is done.
	WaitForSync(ctx context.Context) error
}

// Kind returns a Source of the events of an informer (source.Kind).
//
// Its Start calls handler, once, with the queue, and adds the ResourceEventHandler that it
// returns to the informer, with AddEventHandler: the resync period is that of the informer.
// That handler hears of an event if every predicate lets it pass. Kind does not run the
// informer. If the informer refuses the handler, Start or WaitForSync returns an error that
// wraps that of the informer. When the ctx of Start is done, the handler may be removed from
// the informer.
//
// Its WaitForSync returns nil once the Registration of the handler says that it has
// synced, which is later than the informer's own HasSynced. It may poll, at least
// several times a second. If ctx is done first, it returns: with an error after a
// timeout, with or without one after a cancel.
func Kind[T kit.Object](informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T], predicates ...Predicate[T]) Source {
	return &kindSource[T]{informer: informer, handler: handler, predicates: predicates}
}

type kindSource[T kit.Object] struct {
	informer     kit.SharedInformer[T]
	handler      func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]
	predicates   []Predicate[T]
	registration kit.Registration
}

func (k *kindSource[T]) Start(_ context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	registration, err := k.informer.AddEventHandler(filtered[T]{k.handler(queue), k.predicates})
	if err != nil {
		return fmt.Errorf("add a handler: %w", err)
	}
	k.registration = registration
	return nil
}

func (k *kindSource[T]) WaitForSync(ctx context.Context) error {
	if k.registration == nil {
		return errors.New("source was not started")
	}
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for !k.registration.HasSynced() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("handler has not synced: %w", ctx.Err())
		case <-ticker.C:
		}
	}
	return nil
}

// RateLimited returns a Source that does what the given one does, except that its
// requests enter the queue when the rate limiter allows: whatever the source adds at
// once (Add, or AddWithOpts without RateLimited and with an After of zero or less) is added
// as by AddRateLimited, with the priority that it has. Every other call of the source on the
// queue is passed on as it is, priorities included: if the queue is a kit.PriorityQueue, so is
// the one that the source gets; if it is not, the source's may be one or not. Whether AddAfter
// with zero or less is added at once in this sense is left open.
func RateLimited(source Source) Source {
	return &limitedSource{source}
}

type limitedSource struct{ Source }

func (s *limitedSource) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	return s.Source.Start(ctx, limitedQueue{withPriorities(queue)})
}

// limitedQueue adds with the rate limiter what is added at once.
type limitedQueue struct{ kit.PriorityQueue[kit.Request] }

func (q limitedQueue) Add(item kit.Request) { q.PriorityQueue.AddRateLimited(item) }

func (q limitedQueue) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.After <= 0 {
		o.RateLimited = true
	}
	q.PriorityQueue.AddWithOpts(o, items...)
}
