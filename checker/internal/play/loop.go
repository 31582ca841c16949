package play

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Cluster is what is played with. Its methods are called by one goroutine.
type Cluster interface {
	// Snapshot says how things stand. It must not block.
	Snapshot() Snapshot
	// Do begins to carry an action out. What came of it is the next snapshots' Notice.
	// It must not block.
	Do(action Action)
}

// Terminal is where frames go and keys come from.
type Terminal struct {
	Keys  io.Reader // raw: one byte a key
	Out   io.Writer
	Size  func() (width, height int)
	Style Style
}

// perFrame is how long a frame stands.
const perFrame = 100 * time.Millisecond

// Escape sequences of every terminal since the VT100, and xterm's alternate screen.
const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[2J"
	leave = "\x1b[?25h\x1b[?1049l"
	home  = "\x1b[H"
)

// Leave gives the terminal its own screen and its cursor back.
func Leave(w io.Writer) { _, _ = io.WriteString(w, leave) }

// Loop draws the cluster and obeys keys until one of them is Quit, the keys end, or
// ctx is done. It blocks until then, and leaves one goroutine behind that waits for a
// further key: the process is about to end.
func Loop(ctx context.Context, t Terminal, c Cluster) error {
	if _, err := io.WriteString(t.Out, enter); err != nil {
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	defer Leave(t.Out)
	keys := read(t.Keys)
	ticker := time.NewTicker(perFrame)
	defer ticker.Stop()
	var last []string
	for {
		width, height := t.Size()
		frame := Frame(c.Snapshot(), width, height, t.Style)
		if !slices.Equal(frame, last) {
			if err := draw(t.Out, frame); err != nil {
				return err
			}
			last = frame
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case key, ok := <-keys:
			action := actions[key]
			if !ok || action == Quit {
				return nil
			}
			if action != None {
				c.Do(action)
			}
		}
	}
}

// draw writes a frame over the one before: each line is cleared behind its end, and
// nothing scrolls.
func draw(w io.Writer, frame []string) error {
	if _, err := io.WriteString(w, home+strings.Join(frame, "\x1b[K\r\n")+"\x1b[K\x1b[J"); err != nil {
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	return nil
}

// read hands on keys until there are no more.
func read(r io.Reader) <-chan byte {
	keys := make(chan byte)
	go func() {
		defer close(keys)
		buffer := make([]byte, 64)
		for {
			n, err := r.Read(buffer)
			for _, b := range buffer[:n] {
				keys <- b
			}
			if err != nil {
				return
			}
		}
	}()
	return keys
}
