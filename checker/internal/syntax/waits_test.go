package syntax

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const source = `package p

func (q *Queue) Add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f() // 6
}

func (q *Queue) Get() {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		f() // 13
		return
	}
	f() // 16
	q.mu.Unlock()
	f() // 18
	go func() {
		f() // 20
		q.rw.RLock()
		f() // 22
		q.rw.RUnlock()
	}()
	select {
	case slots <- 1:
	case <-ctx.Done():
	}
}

func leave(mu *sync.Mutex) {
	mu.Lock()
	f()
}

func (q *Queue) branches(b bool) int {
	q.mu.Lock()
	if b {
		defer q.mu.Unlock()
		return f()
	}
	q.mu.Unlock()
	return g()
}
`

func TestWhatHoldsALock(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	held := map[int]string{}
	for _, h := range Locked(fset, file) {
		for line := range 50 {
			if h.Holds(line) {
				held[line] += h.Key
			}
		}
	}
	assert.Equal(t, "Queue.mu", held[6], "until the end, where the Unlock is deferred")
	assert.Empty(t, held[13], "a branch has released it")
	assert.Equal(t, "Queue.mu", held[16])
	assert.Empty(t, held[18])
	assert.Equal(t, "Queue.rw", held[22])
	assert.Empty(t, held[33], "a function that leaves the Unlock to others says nothing")
	assert.Equal(t, "Queue.mu", held[40], "a branch that defers the Unlock holds it until it returns")
	assert.Empty(t, held[43], "released on the way that did not defer it")
}

func TestWhatCanBlock(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	var found []Op
	for _, op := range Ops(fset, file) {
		if op.Line == 4 || op.Line == 25 || op.Line == 32 {
			found = append(found, op)
		}
	}
	assert.Equal(t, []Op{
		{Line: 4, Does: "Lock", On: "q.mu", Key: "Queue.mu"},
		{Line: 25, Does: "select", Ways: []string{"send on slots", "receive from ctx.Done()"}},
		{Line: 32, Does: "Lock", On: "mu", Key: "leave: mu"},
	}, found)
}
