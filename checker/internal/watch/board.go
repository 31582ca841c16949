package watch

import (
	"bytes"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

// Page is a text. It is written anew for a terminal of another width.
type Page func(s *render.Screen)

// Board is the screen of a lab that is watched: a head that says how things stand, a page
// that can be scrolled, and a foot with the keys. Any goroutine may call its methods.
type Board struct {
	look render.Options
	keys []render.Key

	mu     sync.Mutex // guards what follows
	head   render.Head
	main   Page // what became of the lab
	over   Page // in front of it, or nil
	top    int  // the first line of the page that is seen
	lines  []string
	fits   int // the width that the lines were written for; 0 if they have to be written
	height int // lines of the page that were seen last
}

// NewBoard returns a board for a terminal that can do what look says, whatever its width.
func NewBoard(look render.Options, keys []render.Key) *Board {
	return &Board{look: look, keys: keys, main: func(*render.Screen) {}}
}

// Title says which lab is watched.
func (b *Board) Title(title string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.head.Title = title
}

// Status says how things stand; busy is while something is being done.
func (b *Board) Status(status string, busy bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.head.Status, b.head.Busy = status, busy
}

// Show shows what became of the lab.
func (b *Board) Show(p Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.main = p
	b.turn(nil)
}

// Cover shows a page in front of what became of the lab, until Uncover or Show.
func (b *Board) Cover(p Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(p)
}

// Uncover shows what became of the lab again.
func (b *Board) Uncover() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over != nil {
		b.turn(nil)
	}
}

func (b *Board) turn(over Page) { b.over, b.top, b.fits = over, 0, 0 }

// widest is the longest line that is easy to read.
const widest = 100

// Frame draws the board.
func (b *Board) Frame(width, height int) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	columns := min(width, widest)
	if b.fits != columns {
		b.lines, b.fits = b.write(columns, b.page()), columns
	}
	b.height = max(0, height-4) // head and foot, with a line beside each
	b.scroll(0)
	bottom := min(b.top+b.height, len(b.lines))
	frame := append(b.write(columns, func(s *render.Screen) { s.Head(b.head) }), "")
	frame = append(frame, b.lines[b.top:bottom]...)
	for len(frame) < height-2 {
		frame = append(frame, "")
	}
	return append(frame, b.write(columns, func(s *render.Screen) {
		s.Keys(b.keys, b.over != nil, render.Part{First: b.top + 1, Last: bottom, Of: len(b.lines)})
	})...)
}

func (b *Board) page() Page {
	if b.over != nil {
		return b.over
	}
	return b.main
}

// write writes a page in lines.
func (b *Board) write(columns int, p Page) []string {
	var text bytes.Buffer
	look := b.look
	look.Width = columns
	p(render.New(&text, look))
	return strings.Split(strings.Trim(text.String(), "\n"), "\n")
}

// scroll moves the page by so many lines, as far as there are any.
func (b *Board) scroll(lines int) {
	b.top = max(0, min(b.top+lines, len(b.lines)-b.height))
}

// Scroll obeys the keys that move the page.
func (b *Board) Scroll(key tty.Key) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch key {
	case tty.Up, 'k':
		b.scroll(-1)
	case tty.Down, 'j':
		b.scroll(1)
	case tty.PageUp:
		b.scroll(-b.height)
	case tty.PageDown, ' ':
		b.scroll(b.height)
	case tty.Home:
		b.scroll(-len(b.lines))
	case tty.End:
		b.scroll(len(b.lines))
	}
}
