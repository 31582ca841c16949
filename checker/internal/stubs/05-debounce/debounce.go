// Package debounce is lab 05: many updates, one push. Updates that come in quick
// succession are merged, and pushed together when they have been quiet for a while.
package debounce

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Debouncer gathers updates and pushes them in batches. A Debouncer holds no state
// of its own: any number of Runs may use the same one at the same time, and none of
// them waits for another.
type Debouncer[U any] struct {
	// Quiet is how long a batch waits after its last update for another one. With
	// Quiet <= 0 it is due at once.
	Quiet time.Duration
	// Max is how long a batch waits at most, counted from its first update,
	// however many updates follow. With Max <= 0 there is no such bound.
	Max time.Duration
}

// Run receives from updates, and blocks until updates is closed and everything has
// been pushed, or until ctx is done and push and merge, if they run, have returned.
// When Run returns, no goroutine that it started is left.
//
// Batches. The first update after the beginning of a push, or of Run, begins a new
// batch; it is taken as it is. Each later update u is merged into the batch as soon
// as it is received, with merge(batch, u); what merge returns, nil included, is the
// batch from then on. While merge runs, Run may receive one more update, but not two; the
// waits of that one, too, are counted from when it was received.
//
// A batch is due when Quiet has passed since its last update or Max since its first,
// whichever is earlier. It is pushed at the moment it is due or, if merge runs then, when
// that call returns. An update that is ready at that very moment may go into this batch,
// whose Quiet may then begin again, or into the next. A batch that is due takes in a few
// such updates at most before it is pushed. Both waits are counted from when Run received
// the update, however long merge then takes.
//
// One push at a time. While push runs, Run goes on receiving, at once, so the sender
// of updates never waits for a push, only for merge. A batch that becomes due meanwhile
// goes on growing and is pushed as soon as the running push has returned. If merge runs
// then, it is pushed when that call returns; here, too, a few updates that are ready may
// come first. If a later update has moved its due time past that moment, it is pushed at
// that time. Nothing that was received is lost or pushed twice.
//
// Closing. When updates is closed, Run pushes what is pending without waiting until
// it is due, after the running push if there is one. When that push has returned, Run
// returns nil. A nil channel never delivers and is never closed.
//
// Cancelling. push gets ctx or a context derived from it, which is done when ctx
// is and, as long as push runs, not before. Once ctx is done no push is begun and
// what is pending is dropped: a caller that cancels wants no further change to the
// world, and its successor starts from the whole state. (To stop without losing
// anything, close updates.) Run waits until push and merge, if they run, have returned,
// and returns ctx.Err(). While it waits it receives nothing from updates; if ctx is done
// before Run is called, it receives nothing at all, and returns ctx.Err() even if updates
// is closed. (If updates is closed and nothing is pending, so that Run only waits for its
// last push when ctx is cancelled, it may return either.)
//
// merge and push are called one at a time each, but merge may be called while push
// runs. Both own what they are given: once a batch was handed to push or to merge,
// Run neither reads nor changes it again. merge may change and return either of its
// arguments.
func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	panic(kit.TODO("Debouncer.Run"))
}
