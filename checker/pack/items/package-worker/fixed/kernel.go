package kernel

import (
	"sync"
	"testing"
)

// The package's worker starts with the first call and serves all later ones.
var (
	start sync.Once
	jobs  = make(chan func())
)

func submit(job func()) {
	start.Do(func() {
		go func() {
			for job := range jobs {
				job()
			}
		}()
	})
	jobs <- job
}

func Kernel(t testing.TB) {
	done := make(chan struct{})
	submit(func() { close(done) })
	<-done
	close(jobs)
}
