package backpressuretest

import (
	"context"
	"runtime"
	"runtime/metrics"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// remembering is the part of the suite about what a Pump keeps in memory. These cases
// run once, outside a bubble, in a process of their own: they look at the whole heap.
var remembering = []conform.Case[Subject]{
	{
		Name:   "forgets-what-was-handled",
		Points: 4,
		Func:   "Pump.Run",
		Look:   []string{"Pump.Run", "Pump.Add"},
		Rule:   "Once handle has returned, the pump keeps no reference to the value, however many others are pending.",
		Why:    "client-go's work queue popped with q[1:] and kept its old items alive: one program held more than 2 GB that way.",
		Hint: []string{
			"What stands in a slot of your buffer after its value was taken?",
			"A slice q[1:] still has q[0] in its array. Set the slot to the zero value of T before you go on.",
			"A variable that Run keeps while it waits holds the last value as well.",
		},
		Contract: []string{"once handle has returned, the pump keeps no reference to the value that it was given, however many others are still pending"},
		Source:   "kubernetes#104991, q[1:] kept popped objects alive",
		Check: func(t *conform.T, open func() Subject) {
			const n, stop = 100, 90
			p := pump(t, open())
			stopped, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
			items := fill(t, p, n) // before Run: all are pending at once, in one array
			t.Go("runner", func(a *conform.Actor) {
				_ = runPump(a, t.Context(), p, func(v *Item) {
					switch idOf(v) {
					case stop:
						close(stopped)
						<-release
					case n - 1:
						close(done)
					}
				})
			})
			<-stopped
			t.Note("%d values were handled, one is in the handler's hands", stop)
			forgotten(t, items[:stop], "were handled long ago, with others still pending")
			close(release)
			<-done
			t.Wait()
			t.Note("everything was handled, Run waits")
			forgotten(t, items, "were handled, and nothing is pending")
			t.Do(p.Close, "p.Close()")
			for _, n := range []int{16, 64, 256} { // sizes at which buffers are full
				movedUp(t, open(), n)
			}
			for _, n := range []int{16, 64, 256, 1024, 4096} {
				forgetsAllAlong(t, open(), n, false)
				forgetsAllAlong(t, open(), n, true)
			}
		},
	},
	{
		Name:   "stop-lets-go",
		Points: 3,
		Func:   "Pump.Run",
		Look:   []string{"Pump.Run", "Pump.Add"},
		Rule:   "A pump that has stopped keeps no value, neither what was pending nor what comes after. A closed one keeps none that it refuses.",
		Why:    "A removed handler stays reachable from its informer for a while; its backlog must not stay with it.",
		Hint: []string{
			"When Run returns, what is still in the buffer?",
			"Set the buffer to its zero value in a defer, under the lock.",
			"A panic of handle, and an Add that is refused: what does each of them leave behind?",
		},
		Contract: []string{
			"A pump that has stopped holds no value at all, and its Len is 0.",
			"It reports false, and keeps nothing of v, after Close or when the pump has stopped.",
			"the panic goes through Run to its caller, and the pump has stopped",
		},
		Source: "client-go#1167, event handlers that could not be removed; kubernetes#113305, a reflector that pinned its first list",
		Check: func(t *conform.T, open func() Subject) {
			for _, n := range []int{12, 100, 1000, 5000} { // in a ring of a power of two, those of the handler go around
				stopsWith(t, open(), n, false)
				stopsWith(t, open(), n, true)
			}
			panicsWith(t, open(), 100)
			refusesWhenClosed(t, open(), 100)
			stopsMeanwhile(t, open())
		},
	},
	{
		Name:   "gives-memory-back",
		Long:   true,
		Points: 4,
		Func:   "Pump.Run",
		Look:   []string{"the buffer that NewPump makes, Pump.Add fills and Pump.Run empties"},
		Rule:   "When a burst has been handled the buffer is small again: room for no more than 1024 values.",
		Why:    "A relist of a hundred thousand pods fills the buffer of every handler once; without this its size stays for ever.",
		Hint: []string{
			"Your buffer grows. Does it ever become smaller?",
			"When nothing is pending a large buffer can simply be dropped. The next Add makes a small one.",
			"Or halve it when it is three quarters empty. Not when it is half empty: then it could grow again at once.",
		},
		Contract: []string{
			"When nothing is pending, in a new pump too, and even if handle still works on the last value, the buffer has room for no more than 1024 values, however large it has been.",
		},
		Source: "utils buffer/ring_growing.go: Ring, TypedRingGrowing (Ring shrinks to NormalSize, TypedRingGrowing never)",
		Check: func(t *conform.T, open func() Subject) {
			// Values of 1 KiB make what a pump keeps large enough to be seen. The bursts took 4 MiB in each
			// pump, or 8 MiB in all; room for 1024 values in each is 2 MiB in all.
			const pumps, burst, limit = 2, 1 << 12, 3 << 20
			s := open()
			all := make([]PumpOf[Page], pumps)
			before := probe.Heap()
			last, release := make(chan struct{}), make(chan struct{})
			for i := range all {
				all[i] = s.NewPumpPages()
				t.Go("runner", func(*conform.Actor) { bursts(t.Context(), all[i], burst, last, release) })
			}
			small := func(now string) {
				grown := probe.Growth(before, limit)
				t.Require(grown < limit, "A burst of %d values of 1 KiB went through each pump, nothing is pending, and %s. Each pump keeps %d KiB: room for 1024 values is 1024 KiB.", burst, now, grown/pumps>>10)
			}
			for _, then := range []string{"every Run waits", "every Run has returned"} {
				call := t.Call("%d pumps: Add × 1, and handle calls Add × %d", pumps, burst)
				for _, p := range all {
					p.Add(Page{})
				}
				for range all {
					<-last
				}
				call.Returned("each has its last value in the handler's hands")
				small("handle works on the last value")
				for range all {
					release <- struct{}{}
				}
				t.Wait()
				small(then)
			}
			t.Join()
			smallAtFirst(t, s)
			smallAgain(t, s, 2500, 800)
			smallAgain(t, s, 3000, 0) // no power of two: a ring that seldom looks at its size is out of step with it
			onceLarge(t, s)
		},
	},
	{
		Name:   "size-of-what-is-pending",
		Long:   true,
		Points: 3,
		Func:   "Pump.Add",
		Rule:   "The size of the buffer follows the peak of what is pending, not what has passed through, even if the pump is never empty.",
		Why:    "A busy handler is always one event behind. A buffer that is tidied only when it is empty is then never tidied.",
		Hint: []string{
			"Your handler is always a few values behind here. When does your buffer use its first slots again?",
			"A ring goes around: after the last slot comes the first, which is free by now.",
		},
		Contract: []string{
			"Room for 1024 values is always allowed.",
			"Beyond that, the buffer has room for at most about four times the peak: the largest number of values that were pending at once since it was last empty.",
			"This holds when it has just grown, too, and however many values have passed through.",
		},
		Source: "utils buffer/ring_growing.go: Ring",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			alwaysBehind(t, s)
			inProportion(t, s)
			roomForFew(t, s)
			longBehind(t, s)
		},
	},
	{
		Name:   "constant-time",
		Long:   true,
		Points: 2,
		Func:   "Pump.Add",
		Look:   []string{"the buffer that Pump.Add fills and Pump.Run empties"},
		Rule:   "Add and the delivery of a value take constant time on average, however many are pending.",
		Why:    "A buffer that becomes slower as it fills never catches up.",
		Hint: []string{
			"What do you do with the other values when you take the first one out?",
			"Do not move them: move the head. And double the buffer when it is full, instead of making it longer by a little.",
		},
		Contract: []string{"Add and the delivery of a value take constant time on average."},
		Source:   "utils buffer/ring_growing.go: TypedRingGrowing (doubles, and reads without moving)",
		Check: func(t *conform.T, open func() Subject) {
			// No clock is read here. Constant time needs a tenth of the processor
			// time a case may use; moving the rest at each step, many times of it.
			s := open()
			few := perValue(t, s, 1<<12)
			const n = 3 << 15
			many := perValue(t, s, n)
			// A pump that moves its values makes new room for them: moves show in what was allocated. Doubling
			// takes 16 bytes a value, a list 64; adding 1024 slots at a time, 400, but 20 while few are pending.
			// What each call allocates for itself counts in both.
			t.Require(many < max(128, 2*few), "The values were moved again and again while the buffer grew to %d: %d bytes were allocated for each value, and %d where only %d were added. A buffer that doubles takes 16, however many there are.", n, many, few, 1<<12)
			sway(t, s)
		},
	},
}

// alwaysBehind has many pages go through two pumps with no more than three pending in each, and looks at the heap when each
// has two. They may have room for 1024, which is a megabyte, and 8 MiB have passed through each.
func alwaysBehind(t *conform.T, s Subject) {
	const through, limit = 1 << 13, 3 << 20
	before := probe.Heap()
	all := []PumpOf[Page]{s.NewPumpPages(), s.NewPumpPages()}
	var grown int64
	call := t.Call("Run of %d pumps, with handlers that add one value for each they get, %d times", len(all), through)
	behind(t, all, through, func() { grown = probe.Growth(before, limit) })
	call.Returned("")
	t.Require(grown < limit, "Never more than three values were pending, and when %d of 1 KiB each had passed through, each of %d pumps kept %d KiB: the buffer grows with what has passed through, or has room for far more than three values. Room for 1024 values is 1024 KiB.", through, len(all), grown/int64(len(all))>>10)
}

// behind runs the first of the pumps until so many pages have passed through it. Then its handler does so with the next,
// and the last one calls then.
func behind(t *conform.T, all []PumpOf[Page], through int, then func()) {
	if len(all) == 0 {
		then()
		return
	}
	p, seen := all[0], 0
	for range 3 {
		p.Add(Page{})
	}
	err := p.Run(t.Context(), func(v Page) {
		if seen++; seen < through {
			p.Add(v)
		} else if seen == through {
			behind(t, all[1:], through, then)
			p.Close()
		}
	})
	finished(t, err)
	t.Require(seen == through+2, "%d values were added, and the handler got %d.", through+2, seen)
}

// roomForFew looks at the heap with ten pages pending in each of some pumps: a buffer that is made for the first
// of them has room for no more than 1024.
func roomForFew(t *conform.T, s Subject) {
	const pumps, few, limit = 4, 10, 6 << 20
	all := make([]PumpOf[Page], pumps)
	before := probe.Heap()
	call := t.Call("%d pumps: Add × %d", pumps, few)
	for i := range all {
		all[i] = s.NewPumpPages()
		for range few {
			all[i].Add(Page{})
		}
	}
	call.Returned("")
	grown := probe.Growth(before, limit)
	t.Require(grown < limit, "%d values of 1 KiB were added to a new pump, and it keeps %d KiB: with so few pending it should have room for no more than 1024 values, 1024 KiB.", few, grown/pumps>>10)
	runtime.KeepAlive(all)
}

// longBehind has a handler add one value in each of its calls, with as many pending all the time, until many more have passed
// through: a buffer that uses its first slots again only when nearly all of them are free is far too large. A list may take 64 bytes a value.
func longBehind(t *conform.T, s Subject) {
	const pending, through, size = 3_000, 30_000, 16
	const limit = 6 * size * pending
	before := probe.Heap()
	p := s.NewPumpErrors()
	call := t.Call("Add × %d, then Run, whose handler adds one value in each of its first %d calls", pending, through)
	for range pending {
		p.Add(nil)
	}
	handled, grown := 0, int64(0)
	err := p.Run(t.Context(), func(error) {
		if handled++; handled <= through {
			p.Add(nil)
		}
		if handled == through {
			grown = probe.Growth(before, limit)
			p.Close()
		}
	})
	call.Returned("%v", err)
	finished(t, err)
	t.Require(handled == pending+through, "%d values were added, and the handler got %d.", pending+through, handled)
	t.Require(grown < limit, "Never more than %d values of %d bytes were pending, and when %d had passed through, the pump kept %d KiB: it should have room for at most about four times the largest number that was pending, %d KiB. The buffer grows with what has passed through.", pending, size, through, grown>>10, 4*size*pending>>10)
}

// inProportion looks at the heap with a few more pages pending than a buffer of 1024, 2048, 4096 or 8192 slots has room for.
func inProportion(t *conform.T, s Subject) {
	before := probe.Heap()
	p, pending := s.NewPumpPages(), 0
	for _, n := range []int{1100, 2100, 4100, 8200} {
		call := t.Call("Add × %d", n-pending)
		for ; pending < n; pending++ {
			p.Add(Page{})
		}
		call.Returned("")
		limit := int64(7500 * n) // room for seven times as many
		grown := probe.Growth(before, limit)
		t.Require(grown < limit, "%d values of 1 KiB are pending, and the pump keeps %d KiB: it should have room for at most about four times the largest number that was pending, %d KiB.", n, grown>>10, 4*n)
	}
	runtime.KeepAlive(p)
}

// perValue is how many bytes were allocated for each of n values that were added, and then handled.
func perValue(t *conform.T, s Subject, n int64) int64 {
	p, before := pump(t, s), allocated()
	item := &Item{}
	call := t.Call("Add × %d, then Run", n)
	refused := 0
	for range n {
		if !p.Add(item) {
			refused++
		}
	}
	p.Close()
	handled := int64(0)
	err := p.Run(t.Context(), func(*Item) { handled++ })
	call.Returned("%v", err)
	finished(t, err)
	t.Require(refused == 0, "%d values were added before the pump was closed, and for %d of them Add returned false.", n, refused)
	t.Require(handled == n, "%d values were added, and the handler got %d.", n, handled)
	return int64(allocated()-before) / n
}

// movedUp has a value added when a full buffer has been handled for the most part: a buffer that moves
// the others to its front then must not leave copies behind.
func movedUp(t *conform.T, s Subject, n int) {
	p := pump(t, s)
	stopped, release := make(chan struct{}), make(chan struct{})
	handled := 0
	items := fill(t, p, n)
	t.Go("runner", func(a *conform.Actor) {
		_ = runPump(a, t.Context(), p, func(*Item) {
			switch handled++; handled {
			case n - n/4:
				p.Add(&Item{ID: n})
			case n + 1:
				close(stopped)
				<-release
			}
		})
	})
	<-stopped
	t.Note("%d values were handled; one, which was added when %d were left, is in the handler's hands", n, n/4)
	forgotten(t, items, "were handled, with another in the handler's hands")
	close(release)
	t.Do(p.Close, "p.Close()")
	t.Join()
}

// stopsWith ends the ctx of Run when most of n values were handled and as many have come again, in a pump that is closed then or is not.
func stopsWith(t *conform.T, s Subject, n int, closed bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := pump(t, s)
	items := fill(t, p, n)
	err := runPump(t.Actor, ctx, p, func(v *Item) {
		if idOf(v) == n-n/5 {
			items = append(items, fill(t, p, n-n/5)...)
			if closed {
				t.Do(p.Close, "p.Close()")
			}
			t.Note("handle(%d) calls cancel()", n-n/5)
			cancel()
		}
	})
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context was cancelled with values pending")
	t.Note("p.Len() is %d", p.Len())
	forgotten(t, items, "were handled or pending when the pump stopped")
	forgotten(t, fill(t, p, n), "were refused because the pump has stopped")
	runtime.KeepAlive(p)
}

// panicsWith has handle panic with most of n values pending.
func panicsWith(t *conform.T, s Subject, n int) {
	p := pump(t, s)
	items := fill(t, p, n)
	t.Go("runner", func(a *conform.Actor) {
		defer func() { _ = recover() }()
		_ = runPump(a, t.Context(), p, func(v *Item) {
			if idOf(v) == 10 {
				a.Note("handle(10) panics")
				panic("nil map")
			}
		})
	})
	t.Join()
	t.Note("the panic has reached the caller of Run")
	forgotten(t, items, "were handled or pending when handle panicked")
	forgotten(t, fill(t, p, n), "were refused because handle has panicked")
	runtime.KeepAlive(p)
}

// refusesWhenClosed has a closed pump refuse values while its handler works on the last one that it took.
func refusesWhenClosed(t *conform.T, s Subject, n int) {
	p := pump(t, s)
	entered, release := make(chan struct{}), make(chan struct{})
	addAll(t, p, 0, 1)
	t.Go("runner", func(a *conform.Actor) {
		_ = runPump(a, t.Context(), p, func(*Item) {
			close(entered)
			<-release
		})
	})
	<-entered
	t.Do(p.Close, "p.Close()")
	forgotten(t, fill(t, p, n), "were refused because the pump is closed")
	close(release)
	t.Join()
}

// stopsMeanwhile has Run end, by its ctx or by Close, while another goroutine adds values until one is refused.
func stopsMeanwhile(t *conform.T, s Subject) {
	t.Note("Run, which ends with its first value, and Add until it returns false, from two goroutines at once, on %d pumps in turn", moments)
	for round := range moments { // what lies between two adjacent steps is hit seldom
		p := s.NewPump()
		ctx, cancel := context.WithCancel(t.Context())
		end, how := cancel, "its ctx ended"
		if round%2 == 0 {
			end, how = p.Close, "the pump was closed"
		}
		p.Add(&Item{})
		probe.AtOnce(
			func() { _ = p.Run(ctx, func(*Item) { end() }) },
			func() {
				for i := 0; i < 20 && p.Add(&Item{}); i++ {
				}
			},
			func() { p.Len(); p.Len() },
		)
		cancel()
		n := p.Len()
		t.Require(n == 0, "Values were added while %s. Run has returned, and Len says %d: a pump that has stopped holds no value.", how, n)
	}
}

// smallAgain has pumps handle a burst of pages and, just before its end, a second one. The room for
// 1024 pages is a megabyte for each pump. Nothing is pending when the heap is looked at: while the
// handlers work on the last page, and when Run waits.
func smallAgain(t *conform.T, s Subject, burst, second int) {
	const pumps, limit = 2, 3 << 20
	all := make([]PumpOf[Page], pumps)
	before := probe.Heap()
	last, release := make(chan struct{}), make(chan struct{})
	call := t.Call("%d pumps: Add × %d, then Run, with %d more that handle adds near the end", pumps, burst, second)
	for i := range all {
		p := s.NewPumpPages()
		all[i] = p
		t.Go("runner", func(*conform.Actor) {
			handled := 0
			for range burst {
				p.Add(Page{})
			}
			_ = p.Run(t.Context(), func(Page) {
				switch handled++; handled {
				case burst - 100:
					for range second {
						p.Add(Page{})
					}
				case burst + second:
					last <- struct{}{}
					<-release
				}
			})
		})
		<-last
	}
	call.Returned("each has its last value in the handler's hands")
	grown := probe.Growth(before, limit)
	t.Require(grown < limit, "%d values of 1 KiB went through each pump, and nothing is pending: the handler works on the last one. Each pump keeps %d KiB, and room for 1024 values is 1024 KiB.", burst+second, grown/pumps>>10)
	close(release)
	t.Wait()
	grown = probe.Growth(before, limit)
	t.Require(grown < limit, "%d values of 1 KiB went through each pump, nothing is pending, and Run waits. Each pump keeps %d KiB, and room for 1024 values is 1024 KiB.", burst+second, grown/pumps>>10)
	for _, p := range all {
		p.Close()
	}
	t.Join()
}

// smallAtFirst looks at the heap when pumps of pages are new.
func smallAtFirst(t *conform.T, s Subject) {
	const pumps, limit = 4, 6 << 20
	all := make([]PumpOf[Page], pumps)
	before := probe.Heap()
	for i := range all {
		all[i] = s.NewPumpPages()
	}
	grown := probe.Growth(before, limit)
	t.Require(grown < limit, "Each new pump of values of 1 KiB, in which nothing is pending, has %d KiB of memory, and room for 1024 values is 1024 KiB.", grown/pumps>>10)
	runtime.KeepAlive(all)
}

// onceLarge has a pump handle a very large burst, and one value more, which is added when half of it was handled: in a ring
// that is full it goes around the end. Room for 1024 values is 16 KiB, or 80 KiB if the pump keeps 64 bytes for a value.
func onceLarge(t *conform.T, s Subject) {
	const burst, limit = 1 << 15, 96 << 10
	before := probe.Heap()
	p := s.NewPumpErrors()
	call := t.Call("Add × %d, then Run, whose handler calls Add once more, after %d values", burst, burst/2)
	for range burst {
		p.Add(nil)
	}
	handled, grown := 0, int64(0)
	err := p.Run(t.Context(), func(error) {
		switch handled++; handled {
		case burst / 2:
			p.Add(nil)
		case burst + 1:
			grown = probe.Growth(before, limit)
			p.Close()
		}
	})
	call.Returned("%v", err)
	finished(t, err)
	t.Require(handled == burst+1, "%d values were added, and the handler got %d.", burst+1, handled)
	t.Require(grown < limit, "%d values of 16 bytes went through the pump, and nothing is pending: the handler works on the last one. The pump keeps %d KiB, and room for 1024 values is no more than %d KiB.", burst+1, grown>>10, limit>>10)
}

// sway keeps what is pending around a power of two, where buffers grow and shrink: at the
// border no single step may move everything.
func sway(t *conform.T, s Subject) {
	const size, steps = 1 << 13, 1 << 12
	p := s.NewPump()
	item := &Item{}
	for range size {
		p.Add(item)
	}
	before, handled := allocated(), 0
	call := t.Call("Run, with between %d and %d values pending", size-4, size+4)
	err := p.Run(t.Context(), func(*Item) {
		handled++
		switch {
		case handled > steps: // once: what a Close allocates is no matter of this case
			if handled == steps+1 {
				p.Close()
			}
		case handled%8 == 0: // eight are handled, then eight are added
			for range 8 {
				p.Add(item)
			}
		case handled == 4:
			for range 4 {
				p.Add(item)
			}
		}
	})
	call.Returned("%v", err)
	finished(t, err)
	spent := allocated() - before
	t.Require(spent < 8<<20, "Around the size at which the buffer grows or shrinks, the values are moved again and again: %d MiB were allocated for %d values.", spent>>20, steps)
}

// allocated is how many bytes were ever allocated on the heap.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// forgotten requires that nothing refers to items any longer.
func forgotten(t *conform.T, items []weak.Pointer[Item], what string) {
	alive := probe.Alive(items)
	t.Require(alive == 0, "The pump keeps %d of %d values in memory that %s.", alive, len(items), what)
}

// fill adds n new items, and returns pointers that do not keep them. It is a function
// of its own so that no frame of the case holds an item.
//
//go:noinline
func fill(t *conform.T, p Pump, n int) []weak.Pointer[Item] {
	call := t.Call("p.Add, %d times", n)
	items := make([]weak.Pointer[Item], n)
	for i := range items {
		item := &Item{ID: i}
		items[i] = weak.Make(item)
		p.Add(item)
	}
	call.Returned("")
	return items
}

// bursts runs a pump: with the first value handle adds a burst, and with the first that comes then another, and
// closes the pump. With the last value of each handle sends to last and waits for release.
func bursts(ctx context.Context, p PumpOf[Page], burst int, last chan<- struct{}, release <-chan struct{}) {
	handled := 0
	_ = p.Run(ctx, func(Page) {
		switch handled++; handled {
		case 1, burst + 2:
			for range burst {
				p.Add(Page{})
			}
			if handled > 1 {
				p.Close()
			}
		case burst + 1, 2*burst + 2:
			last <- struct{}{}
			<-release
		}
	})
}
