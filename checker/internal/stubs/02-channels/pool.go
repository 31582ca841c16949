// Package channels is lab 02: a worker pool made of two channels, and the rules for
// sending, receiving and closing, and for the end when the work is cancelled.
package channels

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Pool works through jobs with the given number of workers and returns the channel
// of the results. It returns at once; goroutines of the pool do the work.
//
// Until ctx ends, each job that is received from jobs is given to work exactly once, and
// what work returns is sent on the returned channel exactly once, an error as any other
// value. The order of the results is not defined. At most workers calls of work run at
// once, and that many do run as long as there are jobs and the results are taken: a slow
// job delays only the worker that has it. workers < 1 counts as 1.
//
// The returned channel has no buffer. A worker keeps its result until the reader takes
// it or ctx ends, and only then receives the next job; no worker receives a job that it
// cannot start at once. So the pool never holds more than workers jobs and results taken
// together, and a slow reader of results slows the sender of jobs. What was written
// before a job was sent is visible to its work, and what work wrote is visible to the
// reader that takes its result. From then on the result is the reader's, and the pool
// does not look at it, nor at the job, if the two share memory. A worker that waits sleeps
// until there is something to do: a pool with nothing to do uses no processor time. It
// waits as long as it has to, and sets no time limits of its own. No goroutine of the pool
// holds a mutex while it waits for a job, a reader or work: another one that waits for the
// mutex cannot listen to ctx.
//
// jobs is not nil, and belongs to its sender: it alone may close it, and closing it says
// that no more jobs will come. What lies in the buffer of a closed channel is still worked
// on, unless ctx ends. The returned channel belongs to the pool: it is closed once, when
// jobs is closed and drained and the last result has been taken, or after ctx has ended,
// as the next paragraph says. The reader must read on until then, or cancel ctx.
//
// work receives ctx, or a context derived from it, with the values and the deadline of
// ctx, and with no other deadline. While work runs, that context ends when ctx does or a
// moment later, with the same error and cause, and not before. When ctx is cancelled, or
// its deadline passes, the pool makes no further call of work, waits for those under way,
// and then closes the returned channel at once, whether or not anybody reads from it and
// whether or not jobs is ever closed. A result that is not yet taken when ctx ends may
// still be sent, once and as work returned it, or may be lost. Jobs may be lost, too:
// each worker may drop one that it had received when ctx ended and had not begun, and one
// that it receives afterwards, and no more. Apart from that the pool does not drain jobs:
// the sender of jobs must listen to ctx too, or may block for ever.
//
// When the returned channel is closed, no call of work is under way, and soon
// after no goroutine of the pool is left.
//
// A panic of work is not recovered: it ends the process, as a panic in any goroutine
// does. So no deferred function of the pool blocks while the panic passes through it. To
// recover it and panic again with the same value, as WaitGroup.Go does, is allowed. Pool
// has long returned, so no caller is left to hand it to, and a pool that swallowed it would
// lose a result and say nothing. Work that may panic should recover by itself and report
// it in its R.
func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	panic(kit.TODO("Pool"))
}
