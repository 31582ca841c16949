package fake

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Server is an API server: what all its resources have in common. They are made by Serve.
type Server struct {
	t      *conform.T
	actor  *conform.Actor // what is asked and answered
	others *conform.Actor // what happens in the cluster beside

	mu       sync.Mutex // guards everything below, and what the resources say that it guards
	version  int64
	requests []*Request
}

// NewServer is a server without resources, at version 100: from there on versions have three digits, so
// that as words they come in the same order as numbers, and no history suggests that they were mistaken
// for words. SkipTo is for cases about that.
func NewServer(t *conform.T) *Server {
	return &Server{t: t, actor: t.Named("server"), others: t.Named("cluster"), version: 100}
}

// Verb is what a request asks for.
type Verb string

// The verbs.
const (
	Create Verb = "create"
	Get    Verb = "get"
	List   Verb = "list"
	Watch  Verb = "watch"
	Update Verb = "update"
	Status Verb = "update the status of"
	Delete Verb = "delete"
)

// Request is one request of a client, and how it was answered.
type Request struct {
	Verb     Verb
	Resource string          // "pods"
	Key      string          // "shop/a"; "" for a List or a Watch, and while a created object has no name
	Options  kit.ListOptions // of a List or a Watch
	Sent     kit.Object      // the object of a Create or an Update as it was sent; nil otherwise
	At       time.Duration   // when it came, from the beginning of the case

	Answered bool
	Answer   kit.Object // the object that the request came to; nil if there is none, or it has failed
	Err      error      // what the client got
}

// Interceptor stands between the clients and the server. It gets a request before it is
// carried out, and calls next for that, or returns an error in the place of the server. What
// it does after next comes before the answer, and an error that it returns then is that of
// an answer that was lost. It may block. It is called without a lock, by many goroutines.
type Interceptor func(ctx context.Context, q *Request, next func() error) error

// Refuse answers requests of these verbs with err, or all requests if there are no verbs.
func Refuse(err error, verbs ...Verb) Interceptor {
	return Before(func(q *Request) error {
		if len(verbs) == 0 || slices.Contains(verbs, q.Verb) {
			return err
		}
		return nil
	})
}

// Before asks f about each request before it is carried out: an error is the answer.
func Before(f func(q *Request) error) Interceptor {
	return func(_ context.Context, q *Request, next func() error) error {
		if err := f(q); err != nil {
			return err
		}
		return next()
	}
}

// After calls f with each request when it was carried out, and before the client has the answer.
func After(f func(q *Request)) Interceptor {
	return func(_ context.Context, q *Request, next func() error) error {
		err := next()
		f(q)
		return err
	}
}

// Slow makes every request take that long.
func Slow(d time.Duration) Interceptor {
	return func(ctx context.Context, _ *Request, next func() error) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return next()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Version is the version that the server has reached.
func (s *Server) Version() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// SkipTo makes version the one that the server has reached.
func (s *Server) SkipTo(version int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// Requests are all requests since the last Forget, in the order in which they came.
func (s *Server) Requests() []Request {
	return s.those(func(*Request) bool { return true })
}

// Forget starts to count requests anew.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

func (s *Server) those(match func(q *Request) bool) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, q := range s.requests {
		if match(q) {
			found = append(found, *q)
		}
	}
	return found
}

// exchange takes a request, carries it out by do, which has the lock, and answers it. The
// text that do returns is the answer as the history shows it.
func exchange[A any](ctx context.Context, s *Server, q *Request, shown string, between []Interceptor, do func() (A, string, error)) (A, error) {
	s.take(q)
	call := s.actor.Call("%s %s %s", q.Verb, q.Resource, shown)
	var answer, none A
	var text string
	next := func() error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		var err error
		answer, text, err = do()
		return err
	}
	for _, i := range slices.Backward(between) {
		inner := next
		next = func() error { return i(ctx, q, inner) }
	}
	err := next()
	s.answer(q, err)
	if err != nil {
		call.Returned("%s", outcome(err))
		return none, err
	}
	call.Returned("%s", text)
	return answer, nil
}

func (s *Server) take(q *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.At = s.t.Elapsed()
	s.requests = append(s.requests, q)
}

func (s *Server) answer(q *Request, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.Answered, q.Err = true, err
	if err != nil {
		q.Answer = nil
	}
}

// outcome is an error in a word, if there is one for it.
func outcome(err error) string {
	if reason := kit.ReasonFor(err); reason != "" {
		return string(reason)
	}
	return err.Error()
}

// note writes down what somebody other than the subject has done.
func (s *Server) note(format string, args ...any) {
	s.others.Note("%s", fmt.Sprintf(format, args...))
}
