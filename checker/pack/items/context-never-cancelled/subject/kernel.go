package kernel

import (
	"context"
	"testing"
)

type session struct {
	ctx    context.Context
	cancel context.CancelFunc
	ended  chan struct{}
}

func open() *session {
	s := &session{ended: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go func() {
		<-s.ctx.Done()
		s.ended <- struct{}{}
	}()
	return s
}

// close forgets the cancel.
func (s *session) close() {
}

func Kernel(t testing.TB) {
	open().close()
}
