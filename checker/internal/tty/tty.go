// Package tty has a whole terminal for one program: a screen that is drawn in place, and
// keys as they are pressed.
package tty

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Terminal is where frames go and keys come from.
type Terminal struct {
	Keys io.Reader // raw: see Raw
	Out  io.Writer
	Size func() (width, height int)
}

// Program is what is on the terminal. Its methods are called by one goroutine.
type Program interface {
	// Frame returns at most height lines; what is wider than width is cut off. It must not block.
	Frame(width, height int) []string
	// Press obeys a key, and says whether that ends the program. It must not block.
	Press(key Key) (quit bool)
}

// perFrame is how long a frame stands.
const perFrame = 100 * time.Millisecond

// Escape sequences of every terminal since the VT100, and xterm's alternate screen. A line
// that is too wide is cut off and not wrapped: it cannot push others away.
const (
	enter  = "\x1b[?1049h\x1b[?25l\x1b[?7l"
	leave  = "\x1b[?7h\x1b[?25h\x1b[?1049l"
	clear  = "\x1b[2J"
	lineAt = "\x1b[%d;1H\x1b[K%s" // cleared first: behind its end may be the last column
)

// Raw puts the terminal into raw mode, in which keys come one at a time and Ctrl-C is one
// of them. restore puts it back into the mode that it was in.
func Raw(in *os.File) (restore func(), err error) {
	mode, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, fmt.Errorf("put the terminal into raw mode: %w", err)
	}
	return func() { _ = term.Restore(int(in.Fd()), mode) }, nil
}

// Size returns a function for the size of the terminal, which may change. It is 80x24 where
// none is known.
func Size(out *os.File) func() (width, height int) {
	return func() (int, int) {
		width, height, err := term.GetSize(int(out.Fd()))
		if err != nil || width <= 0 || height <= 0 {
			return 80, 24
		}
		return width, height
	}
}

// Leave gives the terminal its own screen and its cursor back.
func Leave(w io.Writer) { _, _ = io.WriteString(w, leave) }

// Loop draws the program and hands it keys until one of them ends it, there are no
// further keys, or ctx is done. It blocks until then, and leaves one goroutine behind that
// waits for a further key: the process is about to end.
func Loop(ctx context.Context, t Terminal, p Program) error {
	if _, err := io.WriteString(t.Out, enter); err != nil {
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	defer Leave(t.Out)
	keys := read(t.Keys)
	ticker := time.NewTicker(perFrame)
	defer ticker.Stop()
	var last frame
	for {
		next := newFrame(t, p)
		if err := next.draw(t.Out, last); err != nil {
			return err
		}
		last = next
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case key, ok := <-keys:
			if !ok || p.Press(key) {
				return nil
			}
		}
	}
}

// frame is what stands on a terminal of that size.
type frame struct {
	width, height int
	lines         []string
}

func newFrame(t Terminal, p Program) frame {
	width, height := t.Size()
	lines := p.Frame(width, height)
	return frame{width, height, lines[:min(len(lines), height)]}
}

// draw brings the terminal from the last frame to this one. Lines that stay are not
// touched, so that nothing flickers. A terminal whose size changes may have moved what was on it.
func (f frame) draw(w io.Writer, last frame) error {
	var b strings.Builder
	if f.width != last.width || f.height != last.height {
		b.WriteString(clear)
		last = frame{}
	}
	for i := range max(len(f.lines), len(last.lines)) {
		line, stood := at(f.lines, i), at(last.lines, i)
		if line != stood {
			fmt.Fprintf(&b, lineAt, i+1, line)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	return nil
}

// at is a line, "" below the last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
