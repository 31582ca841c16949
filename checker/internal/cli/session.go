package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/tty"
	"github.com/controllerbook/controllerbook/checker/internal/watch"
)

// watchKeys is what the foot of the screen says.
var watchKeys = []render.Key{
	{Key: "h", Does: "hint"}, {Key: "n", Does: "next"}, {Key: "l", Does: "list"}, {Key: "a", Does: "all"},
	{Key: "r", Does: "raw"}, {Key: "o", Does: "report"}, {Key: "q", Does: "quit"},
}

// session is `checker watch` on a terminal. Keys are obeyed by the goroutine of the
// terminal, and labs are graded by another.
type session struct {
	*app
	root   string
	board  *watch.Board
	stints chan stint

	stint // the current one; of the terminal's goroutine

	mu   sync.Mutex // guards the progress file and what follows
	last *graded    // what became of the lab that is shown; nil before it was graded
}

// stint is the time during which one lab is watched. It ends when jobs is closed.
type stint struct {
	lab  catalog.Lab
	jobs chan watch.Job
}

func (a *app) newSession(root string, out *os.File) *session {
	look := render.Options{Color: a.colored(out), ASCII: a.ascii, Keys: true}
	return &session{app: a, root: root, board: watch.NewBoard(look, watchKeys), stints: make(chan stint, 1)}
}

// run watches the lab, and those that the learner goes on with, until a key ends it. It
// blocks until then.
func (s *session) run(ctx context.Context, lab catalog.Lab, in, out *os.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	served := make(chan struct{})
	go func() {
		defer close(served)
		cancel(s.serve(ctx))
	}()
	s.begin(lab)
	restore, err := tty.Raw(in)
	if err == nil {
		err = tty.Loop(ctx, tty.Terminal{Keys: in, Out: out, Size: tty.Size(out)}, s)
		restore()
	}
	cancel(nil)
	<-served
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// serve grades one lab after the other, each for as long as its stint lasts.
func (s *session) serve(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case st := <-s.stints:
			if err := watch.Dir(ctx, watched(s.root, st.lab), s.gradeOne(st.lab), st.jobs); err != nil {
				return err
			}
		}
	}
}

// begin ends the current stint, if there is one, and begins with the lab.
func (s *session) begin(lab catalog.Lab) {
	next := stint{lab, make(chan watch.Job, 1)}
	select {
	case s.stints <- next:
	default:
		return // the one before has not begun yet
	}
	if s.jobs != nil {
		close(s.jobs)
	}
	s.stint = next
	s.board.Title(fmt.Sprintf("Lab %02d  %s", lab.Number, lab.Title))
	s.board.Show(func(screen *render.Screen) {
		screen.Note(lab.Builds)
		screen.Note(fmt.Sprintf("The lesson is %s/README.md. Saving a file there grades the lab.", lab.LabPath()))
	})
}

// Frame draws the board.
func (s *session) Frame(width, height int) []string { return s.board.Frame(width, height) }

// Press obeys a key.
func (s *session) Press(key tty.Key) (quit bool) {
	switch key {
	case 'q', 'Q', tty.CtrlC, tty.CtrlD:
		return true
	case tty.Escape:
		s.board.Uncover()
	case 'h':
		s.hint()
	case 'n':
		s.next()
	case 'l':
		s.list()
	case 'a':
		s.job(s.gradeAll(s.lab))
	case 'r':
		s.original()
	case 'o':
		s.report()
	default:
		s.board.Scroll(key)
	}
	return false
}

// job has a job done in the place of the one under way. If another waits already, the
// keys are faster than the machine.
func (s *session) job(job watch.Job) {
	select {
	case s.jobs <- job:
	default:
	}
}

func (s *session) hint() {
	var page watch.Page
	notes := s.progress(func(state *progress.State) (changed bool) {
		c, ok := openCase(state, s.lab)
		if !ok {
			page = said("Every case of this lab has passed.")
			return false
		}
		lab, n := s.lab, oneMore(state, s.lab, c)
		page = func(screen *render.Screen) { screen.Hint(lab, c, n) }
		return true
	})
	s.board.Cover(noted(notes, page))
}

// next shows what is next in the lab, or goes on with the next lab.
func (s *session) next() {
	s.progress(func(state *progress.State) (changed bool) {
		if c, ok := openCase(state, s.lab); ok {
			lab := s.lab
			s.board.Cover(func(screen *render.Screen) { screen.Next(lab, c, "") })
		} else if lab, ok := nextLab(state); ok {
			s.begin(lab)
		} else {
			s.board.Cover(said("Every case of every lab has passed."))
		}
		return false
	})
}

func (s *session) list() {
	var state *progress.State
	notes := s.progress(func(now *progress.State) (changed bool) {
		state = now
		return false
	})
	s.board.Cover(noted(notes, func(screen *render.Screen) { list(screen, state) }))
}

func (s *session) original() {
	raw := ""
	if g := s.shown(); g != nil {
		raw = g.raw()
	}
	if raw == "" {
		s.board.Cover(said("The runtime and the race detector have said nothing."))
		return
	}
	s.board.Cover(func(screen *render.Screen) { screen.Folded(raw) })
}

// report writes the page of the last verdict and says where it is.
func (s *session) report() {
	g := s.shown()
	if g == nil {
		s.board.Cover(said("The lab has not been graded yet."))
		return
	}
	lab := g.subject.Lab
	file := pageFile(s.root, lab, ".html")
	if err := writePage(file, pageOf(g.run, g.subject, reportTitle(lab))); err != nil {
		message, help := diagnose(err)
		s.board.Cover(func(screen *render.Screen) { screen.Problem(message, help) })
		return
	}
	s.board.Cover(said(fmt.Sprintf("The report of lab %d is written: open file://%s in a browser.", lab.Number, filepath.ToSlash(file))))
}

// shown is what became of the lab that is on the screen, nil before it was graded.
func (s *session) shown() *graded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// progress hands on the learner's progress and saves it if it was changed. It returns what
// is wrong with the file.
func (s *session) progress(use func(*progress.State) (changed bool)) (notes string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var problems bytes.Buffer
	a := &app{Streams: Streams{Err: &problems}, ascii: s.ascii}
	state := a.loadProgress(s.root)
	if use(state) {
		a.save(state)
	}
	return problems.String()
}

// said is a page of one sentence.
func said(text string) watch.Page { return func(screen *render.Screen) { screen.Note(text) } }

// noted is a page below what has to be said first.
func noted(notes string, p watch.Page) watch.Page {
	return func(screen *render.Screen) {
		screen.Folded(notes)
		p(screen)
	}
}
