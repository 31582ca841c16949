package kernel

import (
	"sync"
	"testing"
)

type session struct{ user string }

type sessions struct {
	mu sync.Mutex
	of map[int]*session
}

func (s *sessions) get(id int) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[id]
}

// open puts the session where others find it, and says then whose it is.
func (s *sessions) open(id int, user string) {
	entry := &session{}
	s.mu.Lock()
	s.of[id] = entry
	s.mu.Unlock()
	entry.user = user
}

func Kernel(t testing.TB) {
	s := &sessions{of: map[int]*session{}}
	var wg sync.WaitGroup
	for id := range 20 {
		wg.Go(func() { s.open(id, "root") })
		wg.Go(func() {
			if found := s.get(id); found != nil && found.user != "root" {
				t.Errorf("session %d is of %q", id, found.user)
			}
		})
	}
	wg.Wait()
}
