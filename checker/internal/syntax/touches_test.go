package syntax

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const touching = `package p

func (q *Queue) Add(x int) {
	q.items = append(q.items, x) // 4
	q.done[x] = true // 5
	q.total = q.size + 1 // 6
}

func (l *Queue) Len() int {
	if l.size > 0 { // 10
		return len(l.items) // 11
	}
	return len(l.items) + l.items.extra(l.done) // 13
}

func f() {
	n, m := 0, 0
	go func() { n++ }() // 18
	g(n, m) // 19
}

func h(a *answer, w int) {
	*a = answer{w} // 23
}
`

func TestWhatTwoLinesTouch(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", touching, 0)
	require.NoError(t, err)
	at := map[int][]Touch{}
	for _, touch := range Touches(fset, file) {
		at[touch.Line] = append(at[touch.Line], touch)
	}
	for _, c := range []struct {
		write, read int
		want        string
	}{
		{4, 11, "q.items"}, {4, 13, "q.items"}, {5, 13, "q.done"}, {5, 11, ""}, {18, 19, "n"},
		{6, 10, ""}, // what is written is not what is read there
	} {
		both, _ := Common(at[c.write], at[c.read], true, false)
		assert.Equal(t, c.want, both.On, "%d, %d", c.write, c.read)
	}
	for line, how := range map[int]How{4: Append, 6: "", 5: "", 18: Step} {
		assert.Contains(t, at[line], Touch{Line: line, On: at[line][0].On, Key: at[line][0].Key, Write: true, How: how}, "%d", line)
	}
	both, ok := Common(at[13], at[13], false, false)
	assert.False(t, ok, both.On)
	both, _ = Common(at[4], at[4], true, true)
	assert.Equal(t, "q.items", both.On)
	both, ok = Common(at[23], at[23], true, true)
	require.True(t, ok)
	assert.Equal(t, "a", both.On, "what it points to is written")
}
