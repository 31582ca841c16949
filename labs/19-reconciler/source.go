package reconciler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Source adds requests to a queue (controller-runtime source.SyncingSource). It
// belongs to one controller, which calls Start once and then WaitForSync, at most once. A
// Source need not be comparable.
type Source interface {
	// Start begins to add requests to queue and goes on until ctx is done. It does not
	// wait for anything.
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	// WaitForSync blocks until everything that existed in the beginning has been added.
	// It returns an error if that is impossible, and returns soon when ctx is done. It may
	// return nil then, although it has not synced.
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
	panic(kit.TODO("Kind"))
}

// RateLimited returns a Source that does what the given one does, except that its
// requests enter the queue when the rate limiter allows: whatever the source adds at
// once (Add, or AddWithOpts without RateLimited and with an After of zero or less) is added
// as by AddRateLimited, with the priority that it has. Every other call of the source on the
// queue is passed on as it is, priorities included: if the queue is a kit.PriorityQueue, so is
// the one that the source gets; if it is not, the source's may be one or not. Whether AddAfter
// with zero or less is added at once in this sense is left open.
func RateLimited(source Source) Source {
	panic(kit.TODO("RateLimited"))
}
