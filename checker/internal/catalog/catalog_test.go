package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabsAreNumberedInOrder(t *testing.T) {
	seen := map[string]bool{}
	last := 0
	for _, l := range Labs() {
		assert.Greater(t, l.Number, last)
		last = l.Number
		for _, f := range l.Files {
			_, err := l.Stub(f)
			assert.NoError(t, err)
		}
		for _, c := range l.Cases {
			id := l.Dir + "/" + c.Name
			assert.False(t, seen[id], "%s stands twice", id)
			seen[id] = true
		}
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"1", "01", "goroutines", "01-goroutines", "labs/01-goroutines/", "lab-1"} {
		l, err := Find(name)
		require.NoError(t, err, name)
		assert.Equal(t, "01-goroutines", l.Dir)
	}
	for name, want := range map[string]string{
		"gorutines": `there is no lab "gorutines"; did you mean "goroutines"?`,
		"99":        `there is no lab "99"`,
		"":          `there is no lab ""`,
	} {
		_, err := Find(name)
		assert.EqualError(t, err, want)
	}
	l, err := Find("1")
	require.NoError(t, err)
	_, err = l.Case("keep-order")
	assert.EqualError(t, err, `there is no case "keep-order" in 01-goroutines; did you mean "keeps-order"?`)
	_, err = l.Case("tasks")
	assert.ErrorContains(t, err, `"no-tasks"`, "a word is enough")
}

func TestASuiteNamesOnlyTheImportsThatNotEveryLabHas(t *testing.T) {
	for _, l := range Labs() {
		for _, path := range l.Imports {
			require.NotContains(t, common, path, l.Dir)
		}
		require.Contains(t, l.Allowed(), "strings", l.Dir)
	}
}
