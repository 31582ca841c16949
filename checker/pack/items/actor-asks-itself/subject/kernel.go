package kernel

import "testing"

type actor struct {
	calls chan func()
	state int
}

func (a *actor) loop() {
	for f := range a.calls {
		f()
	}
}

// do runs f in the actor's loop and returns when it has.
func (a *actor) do(f func()) {
	done := make(chan struct{})
	a.calls <- func() { f(); close(done) }
	<-done
}

func (a *actor) add(n int) { a.do(func() { a.state += n }) }

// addTwice runs in the loop and asks the loop.
func (a *actor) addTwice(n int) {
	a.do(func() { a.add(n); a.add(n) })
}

func Kernel(t testing.TB) {
	a := &actor{calls: make(chan func())}
	go a.loop()
	defer close(a.calls)
	a.addTwice(2)
	a.do(func() {
		if a.state != 4 {
			t.Errorf("the state is %d", a.state)
		}
	})
}
