package reconciler

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// syncPoll is how often a Registration is asked whether it has synced.
const syncPoll = 50 * time.Millisecond

// Source brings requests into a queue.
type Source interface {
	// Start begins to add requests to queue and goes on until ctx is done.
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	// WaitForSync blocks until all that stood there in the beginning has been added.
	WaitForSync(ctx context.Context) error
}

// Kind is a Source of what happens to the objects of an informer.
func Kind[T kit.Object](informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T], predicates ...Predicate[T]) Source {
	return &kind[T]{informer: informer, handler: handler, predicates: predicates}
}

type kind[T kit.Object] struct {
	informer   kit.SharedInformer[T]
	handler    func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]
	predicates []Predicate[T]

	registration kit.Registration // written by Start, before WaitForSync is called
}

// Start adds the handler. The informer outlives this controller: without the removal it
// would go on adding to a queue that nobody reads.
func (k *kind[T]) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	registration, err := k.informer.AddEventHandler(filtered[T]{k.handler(queue), k.predicates})
	if err != nil {
		return fmt.Errorf("adding a handler to an informer: %w", err)
	}
	k.registration = registration
	context.AfterFunc(ctx, func() { _ = k.informer.RemoveEventHandler(registration) })
	return nil
}

// WaitForSync asks the registration and not the informer. A full cache is not enough:
// a key that no handler has put into the queue yet is one that no worker can
// know of (controller-runtime#3406).
func (k *kind[T]) WaitForSync(ctx context.Context) error {
	ticker := time.NewTicker(syncPoll)
	defer ticker.Stop()
	for !k.registration.HasSynced() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("a handler has not heard of all objects yet: %w", ctx.Err())
		}
	}
	return nil
}

// RateLimited is a Source whose requests come into the queue when the rate limiter allows.
func RateLimited(source Source) Source { return limited{source} }

type limited struct{ Source }

// Start starts the source with a queue that limits.
func (l limited) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	return l.Source.Start(ctx, limit(queue))
}

// limit is queue with another Add. The queue that it returns has priorities if and only
// if queue has, because the source may look.
func limit(queue kit.RateLimitingQueue[kit.Request]) kit.RateLimitingQueue[kit.Request] {
	if p, ok := queue.(kit.PriorityQueue[kit.Request]); ok {
		return limitedPriorities{p}
	}
	return limitedQueue{queue}
}

type limitedQueue struct {
	kit.RateLimitingQueue[kit.Request]
}

func (q limitedQueue) Add(item kit.Request) { q.AddRateLimited(item) }

type limitedPriorities struct {
	kit.PriorityQueue[kit.Request]
}

func (q limitedPriorities) Add(item kit.Request) { q.AddRateLimited(item) }

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.After <= 0 {
		o.RateLimited = true
	}
	q.PriorityQueue.AddWithOpts(o, items...)
}
