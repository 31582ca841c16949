package fake

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// driver is what makes an informer deliver by itself.
type driver struct {
	bell    chan struct{} // has room for one: there may be news
	stopped chan struct{}
	ended   chan struct{} // closed when the goroutine of Run has ended
	once    sync.Once

	mu    sync.Mutex // guards the fields below; never held while a handler is called
	held  bool
	delay func() time.Duration
}

func newDriver() driver {
	return driver{bell: make(chan struct{}, 1), stopped: make(chan struct{}), ended: make(chan struct{})}
}

func (d *driver) ring() {
	select {
	case d.bell <- struct{}{}:
	default:
	}
}

// Run delivers from now on by a goroutine of its own, until Stop.
func (i *Informer[T]) Run() {
	d := &i.drive
	i.t.Go(i.resource.typ.Resource+" informer runs", func(*conform.Actor) {
		defer close(d.ended)
		for d.wait(i.t.Context(), i.any) {
			i.Deliver(1)
		}
	})
}

// any reports whether there is something to deliver.
func (i *Informer[T]) any() bool {
	i.resource.server.mu.Lock()
	defer i.resource.server.mu.Unlock()
	return i.broken || len(i.inbox) > 0
}

// wait waits until there is something to deliver, and until it is time. It returns false
// when nothing is to be delivered any longer.
func (d *driver) wait(ctx context.Context, any func() bool) bool {
	for {
		select {
		case <-d.stopped:
			return false
		default:
		}
		held, delay := d.pace()
		if !held && any() {
			if delay != nil {
				time.Sleep(delay())
			}
			return true
		}
		select {
		case <-d.bell:
		case <-d.stopped:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (d *driver) pace() (held bool, delay func() time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held, d.delay
}

// Hold keeps everything back until Release. It is for an informer that runs.
func (i *Informer[T]) Hold() { i.drive.hold(true) }

// Release ends Hold.
func (i *Informer[T]) Release() { i.drive.hold(false) }

func (d *driver) hold(held bool) {
	d.mu.Lock()
	d.held = held
	d.mu.Unlock()
	d.ring()
}

// Delay makes an informer that runs wait that long before each piece of news.
func (i *Informer[T]) Delay(by func() time.Duration) {
	i.drive.mu.Lock()
	defer i.drive.mu.Unlock()
	i.drive.delay = by
}

// Drain waits until an informer that runs has delivered everything that has happened before.
func (i *Informer[T]) Drain() {
	told := make(chan struct{})
	i.resource.server.mu.Lock()
	i.add(news[T]{told: told})
	i.resource.server.mu.Unlock()
	<-told
}

// Stop ends Run, and waits for a call of the handler that is under way. Nobody hears of
// what is left.
func (i *Informer[T]) Stop() {
	i.drive.once.Do(func() { close(i.drive.stopped) })
	<-i.drive.ended
}
