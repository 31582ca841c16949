package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Source adds requests to a queue.
type Source interface {
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	WaitForSync(ctx context.Context) error
}

// source is a Source made of functions.
type source struct {
	start func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	wait  func(ctx context.Context) error
}

func (s source) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	return s.start(ctx, queue)
}

func (s source) WaitForSync(ctx context.Context) error { return s.wait(ctx) }

// outcome is what an informer said to AddEventHandler.
type outcome struct {
	registration kit.Registration
	err          error
}

// Kind returns a Source of the events of an informer.
func Kind[T kit.Object](informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T], predicates ...Predicate[T]) Source {
	predicates = slices.Clone(predicates)
	var said atomic.Pointer[outcome]
	return source{
		start: func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
			h := handler(queue)
			for _, p := range slices.Backward(predicates) {
				h = behind(p, h)
			}
			registration, err := informer.AddEventHandler(h)
			said.Store(&outcome{registration, err})
			if err == nil {
				context.AfterFunc(ctx, func() { _ = informer.RemoveEventHandler(registration) })
			}
			return nil // WaitForSync tells
		},
		wait: func(ctx context.Context) error {
			o := said.Load()
			if o == nil {
				return errors.New("source: not started")
			}
			if o.err != nil {
				return fmt.Errorf("source: %w", o.err)
			}
			for pause := time.Millisecond; !o.registration.HasSynced(); pause = min(2*pause, 200*time.Millisecond) {
				timer := time.NewTimer(pause)
				select {
				case <-timer.C:
				case <-ctx.Done():
					timer.Stop()
					if errors.Is(ctx.Err(), context.DeadlineExceeded) {
						return fmt.Errorf("source: not synced in time: %w", ctx.Err())
					}
					return nil
				}
			}
			return nil
		},
	}
}

// RateLimited returns a Source whose requests enter the queue when the limiter allows.
func RateLimited(s Source) Source {
	return source{
		start: func(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
			return s.Start(ctx, &slow{withPriorities(queue)})
		},
		wait: s.WaitForSync,
	}
}

// slow asks the limiter about everything that would be added at once.
type slow struct {
	kit.PriorityQueue[kit.Request]
}

func (q *slow) Add(item kit.Request) {
	q.PriorityQueue.AddWithOpts(kit.AddOpts{RateLimited: true}, item)
}

func (q *slow) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.RateLimited || o.After > 0 {
		q.PriorityQueue.AddWithOpts(o, items...)
		return
	}
	q.PriorityQueue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: o.Priority}, items...)
}
