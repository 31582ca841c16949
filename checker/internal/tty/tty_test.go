package tty

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// note is a program that draws what keys it got, and ends with q.
type note struct{ pressed []Key }

func (n *note) Frame(width, height int) []string {
	lines := []string{fmt.Sprintf("%dx%d", width, height), fmt.Sprint(len(n.pressed), " keys")}
	return append(lines, strings.Split(strings.Repeat("filler\n", 100), "\n")...)
}

func (n *note) Press(key Key) bool {
	n.pressed = append(n.pressed, key)
	return key == 'q'
}

func fixed(width, height int) func() (int, int) { return func() (int, int) { return width, height } }

func TestLoopDrawsAndObeys(t *testing.T) {
	keys, press := io.Pipe()
	defer press.Close()
	go func() { _, _ = io.WriteString(press, "x\x1b[Aq") }()
	var out strings.Builder
	n := &note{}
	require.NoError(t, Loop(t.Context(), Terminal{Keys: keys, Out: &out, Size: fixed(20, 3)}, n))
	assert.Equal(t, []Key{'x', Up, 'q'}, n.pressed)
	assert.True(t, strings.HasPrefix(out.String(), enter))
	assert.True(t, strings.HasSuffix(out.String(), leave), "the terminal has its own screen and its cursor again")
	drawn := strings.TrimSuffix(strings.TrimPrefix(out.String(), enter), leave)
	assert.Equal(t, "\x1b[2J\x1b[1;1H\x1b[K20x3\x1b[2;1H\x1b[K0 keys\x1b[3;1H\x1b[Kfiller"+
		"\x1b[2;1H\x1b[K1 keys\x1b[2;1H\x1b[K2 keys", drawn, "as many lines as the terminal has, and then those that change")
}

func TestLoopDrawsAnewForAnotherSize(t *testing.T) {
	keys, press := io.Pipe()
	var out strings.Builder
	sizes := 0
	size := func() (int, int) { // changes once
		if sizes++; sizes == 6 {
			_ = press.Close()
		}
		if sizes < 3 {
			return 80, 24
		}
		return 40, 10
	}
	require.NoError(t, Loop(t.Context(), Terminal{Keys: keys, Out: &out, Size: size}, &note{}))
	assert.Equal(t, 2, strings.Count(out.String(), clear))
	assert.Contains(t, out.String(), "40x10")
}

func TestLoopEnds(t *testing.T) {
	require.NoError(t, Loop(t.Context(), Terminal{Keys: strings.NewReader(""), Out: io.Discard, Size: fixed(80, 24)}, &note{}), "there are no further keys")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	keys, press := io.Pipe()
	defer press.Close()
	var out strings.Builder
	require.NoError(t, Loop(ctx, Terminal{Keys: keys, Out: &out, Size: fixed(80, 24)}, &note{}))
	assert.True(t, strings.HasSuffix(out.String(), leave))
}

func TestKeys(t *testing.T) {
	for name, c := range map[string]struct {
		reads []string
		keys  []Key
	}{
		"characters":             {[]string{"hq\x03\x04"}, []Key{'h', 'q', CtrlC, CtrlD}},
		"arrows":                 {[]string{"\x1b[A\x1b[B\x1bOA"}, []Key{Up, Down, Up}},
		"pages":                  {[]string{"\x1b[5~\x1b[6~\x1b[H\x1b[4~"}, []Key{PageUp, PageDown, Home, End}},
		"a sequence in two":      {[]string{"\x1b[", "A"}, []Key{Up}},
		"escape":                 {[]string{"\x1b", "q"}, []Key{Escape, 'q'}},
		"escape twice":           {[]string{"\x1b\x1b[A"}, []Key{Escape, Up}},
		"one that nothing means": {[]string{"\x1b[1;5Cq"}, []Key{Unknown, 'q'}},
	} {
		var d decoder
		var keys []Key
		for _, r := range c.reads {
			keys = append(keys, d.decode([]byte(r))...)
		}
		assert.Equal(t, c.keys, keys, name)
	}
}
