package watchhttp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// stream is one running watch: what Client.Watch returns. One goroutine reads the
// answer, is the only one to send to result, and closes it; so nothing is ever sent to
// a closed channel. It can wait in two places, and ctx ends both: a read, because
// ctx is the request's, and a send.
type stream[T kit.Object] struct {
	typ    kit.Type[T]
	ctx    context.Context
	cancel context.CancelFunc
	result chan kit.Event[T]
}

func newStream[T kit.Object](ctx context.Context, cancel context.CancelFunc, typ kit.Type[T]) *stream[T] {
	return &stream[T]{typ: typ, ctx: ctx, cancel: cancel, result: make(chan kit.Event[T])}
}

// Stop ends the watch. Cancelling a context may be done twice, never blocks, and needs
// no lock.
func (s *stream[T]) Stop() { s.cancel() }

// ResultChan delivers the events; it is the same channel at every call.
func (s *stream[T]) ResultChan() <-chan kit.Event[T] { return s.result }

// run delivers what body brings. The channel has no buffer: a reader that is slow
// makes this goroutine wait, then the connection fills, then the server's write
// waits, and it is the server who decides how long it bears that.
func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	defer s.cancel()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}

// read returns the next event, an Error for what is no event, and false at the end,
// by whatever name the reader calls it: a clean end, a cut and half an object look
// different over HTTP/1.1 and HTTP/2, and mean the same. What was delivered was whole.
func (s *stream[T]) read(in *lines) (event kit.Event[T], ok bool) {
	line, err := in.next()
	switch {
	case errors.Is(err, errTooLong):
		return unreadable[T](err), true
	case err != nil:
		return event, false
	}
	event, err = decode(s.typ, line)
	if err != nil {
		return unreadable[T](err), true
	}
	return event, true
}

// send waits until the reader takes event, or reports false when the watch has ended.
func (s *stream[T]) send(event kit.Event[T]) bool {
	select {
	case s.result <- event:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// decode reads one event.
func decode[T kit.Object](typ kit.Type[T], line []byte) (kit.Event[T], error) {
	var f frame[json.RawMessage]
	if err := json.Unmarshal(line, &f); err != nil {
		return kit.Event[T]{}, err
	}
	if f.Object == nil || string(f.Object) == "null" {
		return kit.Event[T]{}, errors.New("a watch event without an object")
	}
	switch f.Type {
	case kit.Added, kit.Modified, kit.Deleted, kit.Bookmark:
		obj := typ.New()
		return kit.Event[T]{Type: f.Type, Object: obj}, json.Unmarshal(f.Object, obj)
	case kit.Error:
		status := new(kit.Status)
		return kit.Event[T]{Type: f.Type, Status: status}, json.Unmarshal(f.Object, status)
	default:
		return kit.Event[T]{}, fmt.Errorf("invalid watch event type %q", f.Type)
	}
}

// unreadable is how a reader learns that the server has said something that makes
// no sense. To skip it would be to lose an event and to tell nobody.
func unreadable[T kit.Object](err error) kit.Event[T] {
	refusal := kit.NewStatusError(kit.ReasonInternalError, "unable to decode an event from the watch stream: %v", err)
	return kit.Event[T]{Type: kit.Error, Status: &refusal.ErrStatus}
}

var errTooLong = errors.New("event too long")

// keep is how large a buffer outlives the line it was made for: one object of ten
// megabytes must not pin as many for as long as the watch runs.
const keep = 64 << 10

// lines splits a stream into lines of a bounded length.
//
// bufio.Scanner looks like the tool for this. But it hands out what is left before the
// end as if it were a line: half an object, if the connection was cut, that is no
// different from nonsense.
type lines struct {
	in     *bufio.Reader
	max    int
	buffer []byte
}

func newLines(r io.Reader, max int) *lines { return &lines{in: bufio.NewReader(r), max: max} }

// next returns the next line that is ended, valid until the next call. The error is
// the reader's own, or errTooLong.
func (l *lines) next() ([]byte, error) {
	if cap(l.buffer) > keep {
		l.buffer = nil
	}
	l.buffer = l.buffer[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buffer)+len(part)-1 > l.max {
			return nil, fmt.Errorf("%w: more than %d bytes", errTooLong, l.max)
		}
		l.buffer = append(l.buffer, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.buffer, err
		}
	}
}
