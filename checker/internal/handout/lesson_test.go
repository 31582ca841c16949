package handout

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func TestALessonForgetsHiddenNames(t *testing.T) {
	// Of lab 05 burst-is-one-push is public, the others are hidden.
	for before, after := range map[string]string{
		"It is slow. `debounce-model` finds it. Go on.":                 "It is slow. Go on.",
		"It is slow.\nThat is `debounce-model`.\n\nNext.":               "It is slow.\n\nNext.",
		"Go. `burst-is-one-push`, `merges-in-order`.\n":                 "Go. `burst-is-one-push`.\n",
		"Go. `merges-in-order`, `burst-is-one-push`.\n":                 "Go. `burst-is-one-push`.\n",
		"1. One.\n2. `debounce-model` is all.\n3. Three.\n":             "1. One.\n3. Three.\n",
		"1. Who asks?\n   Now `debounce-model` passes.\n2. Two.\n":      "1. Who asks?\n2. Two.\n",
		"`make lab-5` grades; `heap.Fix(h, i)` and `kit.Pod` are kept.": "`make lab-5` grades; `heap.Fix(h, i)` and `kit.Pod` are kept.",
		"**Item.** What does it do? `debounce-model`.\n":                "**Item.** What does it do?\n",
	} {
		assert.Equal(t, after, unnamed(before))
	}
	whole := "A text.\n\n1. One. Two!\n2. Three `x`?\n\n```go\na.b()\n```\nend"
	assert.Equal(t, whole, strings.Join(sentences(whole), ""))
}

// A list that loses its last names needs another verb, so a lesson gives hidden names a
// sentence of their own.
func TestNoLessonLosesHalfASentence(t *testing.T) {
	halved := regexp.MustCompile("`(,|\\s+and)\\s+pass[^`]*")
	for _, lab := range catalog.Labs() {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", lab.LabPath(), "README.md"))
		require.NoError(t, err)
		assert.Empty(t, halved.FindAllString(unnamed(string(text)), -1), lab.Dir)
	}
}

func TestTheTableHasPublicCasesAndACount(t *testing.T) {
	lab, err := catalog.Find("1")
	require.NoError(t, err)
	text, err := studentLesson([]byte("# Lab\n"+tableBegin+"old\n"+tableEnd+"tail\n"), lab)
	require.NoError(t, err)
	for _, c := range lab.Cases {
		assert.Equal(t, c.Public, strings.Contains(string(text), c.Name), c.Name)
	}
	w := withheldOf(lab)
	assert.Contains(t, string(text), "hidden cases, worth")
	assert.Positive(t, w.Cases)
	assert.NotContains(t, string(text), "old")

	_, err = studentLesson([]byte("# Lab\n"), lab)
	require.ErrorIs(t, err, errNoTable)
}
