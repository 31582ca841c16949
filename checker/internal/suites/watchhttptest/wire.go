package watchhttptest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// overhear writes the events of every watch into the history as they stand in the answer, between
// Handler and Client: which of the two has changed one can be seen there.
func (s *site) overhear() {
	s.through(overheard{s.transport, s.t.Named("the answer")})
}

// overheard is a Transport whose answers to watches are tapped.
type overheard struct {
	inner http.RoundTripper
	a     *conform.Actor
}

func (o overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := o.inner.RoundTrip(r)
	if err == nil && r.URL.Query().Has("watch") {
		res.Body = &tapped{ReadCloser: res.Body, a: o.a}
	}
	return res, err
}

// tapped notes each line that is read. One goroutine reads at a time, as of any body.
type tapped struct {
	io.ReadCloser
	a       *conform.Actor
	partial []byte // of the line that has not ended
}

func (b *tapped) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.partial = append(b.partial, p[:n]...)
	for {
		line, rest, ended := bytes.Cut(b.partial, []byte("\n"))
		if !ended {
			return n, err
		}
		b.a.Note("has %s", inWords(line))
		b.partial = bytes.Clone(rest)
	}
}

// inWords is a line of a watch as histories show events, or the line itself if it is no event.
func inWords(line []byte) string {
	var frame struct {
		Type   kit.EventType
		Object json.RawMessage
	}
	event := kit.Event[*kit.Pod]{Object: new(kit.Pod)}
	if json.Unmarshal(line, &frame) != nil {
		return string(line)
	}
	event.Type = frame.Type
	var into any = event.Object
	if frame.Type == kit.Error {
		event.Status = new(kit.Status)
		into = event.Status
	}
	if json.Unmarshal(frame.Object, into) != nil {
		return string(line)
	}
	return listwatch.Show(event)
}
