package deltafifotest

import (
	"runtime"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// takenByAnother has one Pop wait, and another come for the key that would let it continue. Either
// may get that key; the other one waits for the next.
func takenByAnother(t *conform.T, s Subject) {
	for range 10 {
		c := start(t, s, nil)
		var popped kit.Deltas[*kit.Pod]
		got := parkWith(t, c, 1, func(d kit.Deltas[*kit.Pod], _ bool) error {
			popped = d
			return nil
		})
		added := make(chan struct{})
		t.Go("reflector", func(a *conform.Actor) {
			time.Sleep(time.Second)
			_ = c.as(a).add(pod("b", 2))
			close(added)
		})
		must(t, c.add(pod("a", 1)))
		c.take(t, nil)
		<-added
		t.Wait()
		t.Require(len(got) == 1, "A goroutine waited in Pop, one key became pending, and another goroutine called Pop at once and took it. A second later a second key became pending, and the Pop that waited waits still: every key that becomes pending lets one waiting Pop continue.")
		t.Join()
		err := <-got
		t.Require(err == nil && len(popped) > 0, "A goroutine waited in Pop, one key became pending, and another goroutine called Pop at once. A second later a second key became pending. The Pop that waited returned %s, and its process got %v: while nothing is pending, it waits, and the queue is open, so it gets the one key or the other.", conform.Said(err), render(popped))
	}
}

// wakesItsOwn has a Pop wait at each of two queues. A key that becomes pending at the second one is for its
// Pop, and so is its Close.
func wakesItsOwn(t *conform.T, s Subject) {
	first, second := start(t, s, nil), start(t, s, nil)
	ofFirst, ofSecond := park(t, first, 1), park(t, second, 1)
	must(t, second.add(pod("a", 1)))
	t.Wait()
	woken := len(ofSecond) == 1 && len(ofFirst) == 0
	first.close()
	second.close()
	t.Wait()
	t.Require(woken, "A Pop waited at each of two queues, and Add(a@1) was called on the second. The Pop of the second queue waited on, or that of the first returned: every key that becomes pending lets one waiting Pop continue, one of its own queue.")
	t.Require(len(ofFirst) == 1, "A Pop waited at each of two queues, and both were closed. The Pop of the first queue waits still: Close wakes every Pop that waits.")
	t.Join()
}

// park lets n goroutines wait in Pop, and returns what they got.
func park(t *conform.T, c client, n int) <-chan error {
	return parkWith(t, c, n, func(kit.Deltas[*kit.Pod], bool) error { return nil })
}

// parkWith is park with a process of its own.
func parkWith(t *conform.T, c client, n int, process kit.PopProcessFunc[*kit.Pod]) <-chan error {
	got := make(chan error, n)
	for range n {
		t.Go("consumer", func(a *conform.Actor) {
			_, err := c.as(a).pop(process)
			got <- err
		})
	}
	t.Wait()
	return got
}

// line is for a bubble: calls that wait for the lock of a queue, one behind the other, while it is held
// twice in a row.
type line struct {
	goOn chan struct{}
	hold func()   // calls inside under the lock
	next []func() // the calls that wait
}

func newLine() line { return line{goOn: make(chan struct{}, 2)} }

// inside holds the lock under which it is called.
func (l line) inside() { <-l.goOn }

// standInLine runs many lines at once. When the lock is given back the second time, the calls have waited for
// so long that a sync.Mutex hands itself on in the order in which they came, and the goroutine that
// unlocks it runs on after the next one has, in about half of all lines. So what a call does between
// two stretches under the lock comes late.
func standInLine(t *conform.T, lines []line) {
	for _, l := range lines {
		go func() {
			l.hold()
			l.hold()
		}()
	}
	const others, long = 1_000, 60_000 // until they wait for the lock, which a bubble does not call blocked; milliseconds
	letRun(others)
	for n := range lines[0].next {
		for _, l := range lines {
			go l.next[n]()
			letRun(1)
		}
		letRun(others)
	}
	letRun(long)
	for _, l := range lines {
		l.goOn <- struct{}{}
	}
	letRun(others)
	for _, l := range lines {
		l.goOn <- struct{}{}
		close(l.goOn)
	}
	t.Wait()
}

// letRun lets other goroutines run, n times.
func letRun(n int) {
	for range n {
		runtime.Gosched()
	}
}

// slowCache is a cache without objects that takes its time to say so.
type slowCache struct{ line }

func (c slowCache) ListKeys() []string {
	c.inside()
	return nil
}

func (slowCache) GetByKey(string) (*kit.Pod, bool) { return nil, false }

// listBehindTwoPops has two Pops that have found nothing, and Replace come before they sleep. How their
// process ends makes no difference.
func listBehindTwoPops(t *conform.T, s Subject) {
	list := func(q Queue) { _ = q.Replace([]*kit.Pod{pod("a", 1), pod("b", 1)}, "1") }
	for what, ends := range []string{"returned no error", "returned an error", "panicked"} {
		call := t.Call("%d times: New, then Resync twice, whose known objects take their time, and meanwhile Pop, Pop and Replace([a@1 b@1])", inLineAtOnce)
		asleep := behindTwoPops(t, s, what, list)
		call.Returned("")
		t.Require(asleep == 0, "On each of %d queues two goroutines called Pop and found nothing, and Replace with a and b came right behind them. Each process %s. Of the Pops, %d wait still, although two keys became pending on each queue: every key that becomes pending lets one waiting Pop continue.", inLineAtOnce, ends, asleep)
	}
}

// inLineAtOnce is how many lines stand at once.
const inLineAtOnce = 200

// behindTwoPops has, on many queues, two Pops that find nothing, and a call right behind them. It returns how
// many of the Pops wait still.
func behindTwoPops(t *conform.T, s Subject, ends int, call func(q Queue)) (asleep int) {
	returned := make(chan struct{}, 2*inLineAtOnce)
	var queues []Queue
	var lines []line
	for range inLineAtOnce {
		l := newLine()
		q := s.New(Options{KnownObjects: slowCache{l}})
		pop := func() {
			_, _ = recovered(func() error {
				_, err := q.Pop(func(kit.Deltas[*kit.Pod], bool) error {
					if ends == 2 {
						panic(ownPanic)
					}
					return []error{nil, errProcess}[ends]
				})
				return err
			})
			returned <- struct{}{}
		}
		l.hold = func() { _ = q.Resync() }
		l.next = []func(){pop, pop, func() { call(q) }}
		queues, lines = append(queues, q), append(lines, l)
	}
	standInLine(t, lines)
	asleep = cap(returned) - len(returned)
	for range 2 { // where a Close wakes one Pop alone, the second time for the other
		for _, q := range queues {
			q.Close()
		}
		t.Wait()
	}
	return asleep
}

// recovered makes a call, and returns the value with which it panicked or its error.
func recovered(call func() error) (value any, err error) {
	defer func() { value = recover() }()
	return nil, call()
}

// behind is the rest of the array behind a list: longer than the list and its tombstones, so that a slice
// that is appended to the list has room there.
func behind() []*kit.Pod {
	const more = 12
	rest := make([]*kit.Pod, more)
	for i := range rest {
		rest[i] = pod("behind", i)
	}
	return rest
}

// readMeanwhile has somebody else read a list, and the array behind it, while Replace has it. What is written
// there and put back is a race of the two.
func readMeanwhile(t *conform.T, s Subject) {
	c := start(t, s, nil)
	all := append([]*kit.Pod{pod("a", 1), pod("b", 1), pod("c", 1)}, behind()...)
	t.Go("the owner of the list, who reads it meanwhile", func(*conform.Actor) {
		for _, p := range all {
			_ = p == nil
		}
	})
	must(t, c.replace(all[:3]...))
	t.Join()
	c.close()
}
