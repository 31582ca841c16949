package reconciler

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Source adds requests to a queue (controller-runtime source.SyncingSource). It
// belongs to one controller, which calls Start once and then WaitForSync, at most once. A
// Source need not be comparable.
type Source interface {
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
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
	errs := make(chan error, 1)
	regs := make(chan kit.Registration, 1)
	return funcSource{
		start: func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
			h := handler(queue)
			go func() {
				reg, err := informer.AddEventHandler(filtered[T]{h, append([]Predicate[T](nil), predicates...)})
				if err != nil {
					errs <- fmt.Errorf("informer: %w", err)
					return
				}
				context.AfterFunc(ctx, func() { _ = informer.RemoveEventHandler(reg) })
				regs <- reg
			}()
			return nil
		},
		wait: func(ctx context.Context) error {
			var reg kit.Registration
			select {
			case err := <-errs:
				return err
			case reg = <-regs:
			case <-ctx.Done():
				return ctx.Err()
			}
			for !reg.HasSynced() {
				timer := time.NewTimer(200 * time.Millisecond)
				select {
				case <-timer.C:
				case <-ctx.Done():
					timer.Stop()
					return ctx.Err()
				}
			}
			return nil
		},
	}
}

type funcSource struct {
	start func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	wait  func(ctx context.Context) error
}

func (s funcSource) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	return s.start(ctx, queue)
}
func (s funcSource) WaitForSync(ctx context.Context) error { return s.wait(ctx) }

// RateLimited returns a Source that does what the given one does, except that its
// requests enter the queue when the rate limiter allows: whatever the source adds at
// once (Add, or AddWithOpts without RateLimited and with an After of zero or less) is added
// as by AddRateLimited, with the priority that it has. Every other call of the source on the
// queue is passed on as it is, priorities included: if the queue is a kit.PriorityQueue, so is
// the one that the source gets; if it is not, the source's may be one or not. Whether AddAfter
// with zero or less is added at once in this sense is left open.
func RateLimited(source Source) Source {
	return funcSource{
		start: func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
			if p, ok := queue.(kit.PriorityQueue[kit.Request]); ok {
				return source.Start(ctx, slowPriority{p})
			}
			return source.Start(ctx, slow{queue})
		},
		wait: source.WaitForSync,
	}
}

type slow struct {
	kit.RateLimitingQueue[kit.Request]
}

func (q slow) Add(item kit.Request) { q.AddRateLimited(item) }

type slowPriority struct{ kit.PriorityQueue[kit.Request] }

func (q slowPriority) Add(item kit.Request) { q.AddRateLimited(item) }

func (q slowPriority) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	o.RateLimited = o.RateLimited || o.After <= 0
	for _, item := range items {
		q.PriorityQueue.AddWithOpts(o, item)
	}
}
