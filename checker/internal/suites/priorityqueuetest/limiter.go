package priorityqueuetest

import (
	"sync"
	"time"
)

// limiter is the rate limiter under the subject's queue: it answers what the case
// wants and counts every call.
type limiter struct {
	answer func(item string, before int) time.Duration

	mu        sync.Mutex // guards the fields below
	count     map[string]int
	forgotten []string
}

func limitedBy(answer func(item string, before int) time.Duration) *limiter {
	return &limiter{answer: answer, count: map[string]int{}}
}

// unlimited is for cases that are not about rate limiting.
func unlimited() *limiter {
	return limitedBy(func(string, int) time.Duration { return 0 })
}

func (l *limiter) When(item string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.count[item]
	l.count[item]++
	return l.answer(item, before)
}

func (l *limiter) NumRequeues(item string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count[item]
}

func (l *limiter) Forget(item string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgotten = append(l.forgotten, item)
	delete(l.count, item)
}

func (l *limiter) forgets() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.forgotten...)
}
