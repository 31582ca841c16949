package watch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

// lined is a page of so many lines.
func lined(word string, n int) Page {
	return func(s *render.Screen) {
		for i := range n {
			s.Note(fmt.Sprint(word, " ", i+1))
		}
	}
}

func newBoard() *Board {
	b := NewBoard(render.Options{}, []render.Key{{Key: "q", Does: "quit"}})
	b.Title("Lab 01")
	b.Status("building …", true)
	return b
}

// seen are the lines of the page that are on a screen of 80 columns.
func seen(t *testing.T, b *Board, height int) []string {
	frame := b.Frame(80, height)
	require.Len(t, frame, height)
	assert.Regexp(t, `^Lab 01 +building …$`, frame[0])
	assert.Regexp(t, `^(esc back  )?q quit`, frame[height-1])
	return strings.Fields(strings.Join(frame[2:height-2], "\n"))
}

func TestABoardScrolls(t *testing.T) {
	b := newBoard()
	b.Show(lined("result", 10))
	lines := func() string {
		f := seen(t, b, 8) // four lines of the page
		return f[1] + "-" + f[len(f)-1]
	}
	assert.Equal(t, "1-4", lines())
	assert.Contains(t, b.Frame(80, 8)[7], "↑↓ 1-4 of 10")
	for _, step := range []struct {
		key  tty.Key
		want string
	}{
		{tty.Up, "1-4"}, {tty.Down, "2-5"}, {' ', "6-9"}, {tty.PageDown, "7-10"}, {tty.PageUp, "3-6"},
		{'k', "2-5"}, {tty.End, "7-10"}, {tty.Home, "1-4"}, {'j', "2-5"}, {'x', "2-5"},
	} {
		b.Scroll(step.key)
		assert.Equal(t, step.want, lines(), "after key %d", step.key)
	}
	b.Status("building …", true)
	assert.Equal(t, "2-5", lines(), "only a page that is turned begins anew")
	b.Show(lined("result", 10))
	assert.Equal(t, "1-4", lines())
	b.Scroll(tty.End)
	assert.Len(t, seen(t, b, 30), 20, "there is room for all of it")
	assert.NotContains(t, b.Frame(80, 30)[29], "of 10")
}

func TestABoardIsCovered(t *testing.T) {
	b := newBoard()
	b.Show(lined("result", 1))
	b.Cover(lined("hint", 1))
	assert.Equal(t, []string{"hint", "1"}, seen(t, b, 8))
	assert.Contains(t, b.Frame(80, 8)[7], "esc back")
	b.Uncover()
	assert.Equal(t, []string{"result", "1"}, seen(t, b, 8))
	b.Cover(lined("hint", 1))
	b.Show(lined("another", 1))
	assert.Equal(t, []string{"another", "1"}, seen(t, b, 8), "a new result is in front of everything")
}

func TestABoardFitsEveryTerminal(t *testing.T) {
	b := newBoard()
	b.Show(lined("a text that is wrapped where the terminal is narrow: result", 10))
	for _, size := range [][2]int{{80, 24}, {200, 60}, {40, 10}, {50, 5}} {
		for _, line := range b.Frame(size[0], size[1]) {
			assert.LessOrEqual(t, len([]rune(line)), size[0])
		}
	}
	for _, height := range []int{0, 1, 2, 3, 4} { // tty cuts off what is below the last line
		assert.NotPanics(t, func() { b.Frame(10, height) })
	}
}
