package workqueuetest

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/anishathalye/porcupine"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

// tape is a recording of calls that overlap. Its clock is a counter: it orders the
// goroutines and hides races, which everything-at-once is there to find.
type tape struct {
	queues.Client
	clock *atomic.Int64
	calls []porcupine.Operation
}

// input is a call of a tape; what came back is a taken, or what Len or ShuttingDown returned.
type input struct{ method, item string }

// String is a call as messages have it.
func (in input) String() string {
	if in.item == "" {
		return in.method + "()"
	}
	return fmt.Sprintf("%s(%q)", in.method, in.item)
}

func (p *tape) record(in input, call func() any) {
	began := p.clock.Add(1)
	output := call()
	p.calls = append(p.calls, porcupine.Operation{Input: in, Call: began, Output: output, Return: p.clock.Add(1)})
}

func (p *tape) add(item string) { p.record(input{"Add", item}, func() any { p.Add(item); return nil }) }
func (p *tape) done(item string) {
	p.record(input{"Done", item}, func() any { p.Done(item); return nil })
}
func (p *tape) len()      { p.record(input{"Len", ""}, func() any { return p.Len() }) }
func (p *tape) shutDown() { p.record(input{"ShutDown", ""}, func() any { p.ShutDown(); return nil }) }

func (p *tape) shuttingDown() {
	p.record(input{"ShuttingDown", ""}, func() any { return p.ShuttingDown() })
}

func (p *tape) get() (got taken) {
	p.record(input{"Get", ""}, func() any {
		got.item, got.shutdown = p.Get()
		return got
	})
	return got
}

// record runs two handlers, two workers and a goroutine that shuts down on q, and
// returns all that they called.
func record(t *conform.T, q Subject) []porcupine.Operation {
	var clock atomic.Int64
	seed := t.Rand().Uint64()
	var tapes []*tape
	play := func(who string, script func(p *tape, rng *rand.Rand)) {
		p := &tape{clock: &clock}
		tapes = append(tapes, p)
		rng := rand.New(rand.NewPCG(seed, uint64(len(tapes))))
		t.Go(who, func(a *conform.Actor) {
			p.Client = queues.Calling(a, q)
			script(p, rng)
		})
	}
	for range 2 {
		play("handler", func(p *tape, rng *rand.Rand) {
			for range 6 {
				p.add(items[rng.IntN(2)])
			}
			p.len()
		})
		play("worker", worker)
	}
	play("manager", func(p *tape, rng *rand.Rand) {
		for range rng.IntN(8) {
			p.len()
		}
		p.shutDown()
	})
	t.Join()
	var all []porcupine.Operation
	for i, p := range tapes {
		for _, op := range p.calls {
			op.ClientId = i
			all = append(all, op)
		}
	}
	return all
}

// worker works until the queue is shut down. Two workers have about 18 items, unless the queue
// hands out the same for ever: it is enough to have seen some of that.
func worker(p *tape, rng *rand.Rand) {
	const most = 60
	got := p.get()
	for n := 0; n < most && !got.shutdown; n++ {
		if rng.IntN(3) == 0 {
			p.add(got.item)
		}
		p.done(got.item)
		got = p.get()
	}
	p.shuttingDown()
}

// state is a queue of one-letter items as a value: strings compare by themselves.
type state struct {
	queue, dirty, processing string
	shut                     bool
}

var sequential = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(s, in, output any) (bool, any) { return step(s.(state), in.(input), output) },
}

// step is the queue's next state after a call, and whether the call could have
// returned what it did.
func step(s state, in input, output any) (bool, any) {
	m := s.model()
	_, open := output.(conform.Unknown)
	switch in.method {
	case "Add":
		m.add(in.item)
	case "Done":
		m.done(in.item)
	case "ShutDown":
		m.shut = true
	case "Len":
		return open || output == len(m.queue), s
	case "ShuttingDown":
		return open || output == m.shut, s
	case "Get":
		if len(m.queue) == 0 && !m.shut {
			return open, s // it waits
		}
		item, shutdown := m.get()
		return open || output == taken{item, shutdown}, m.state()
	}
	return true, m.state()
}
