package kernel

import (
	"errors"
	"testing"
)

// Each worker sends its error, and the caller receives the first.
func all(jobs ...func() error) error {
	errs := make(chan error)
	for _, job := range jobs {
		go func() { errs <- job() }()
	}
	for range jobs {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func Kernel(t testing.TB) {
	bad := func() error { return errors.New("no") }
	if all(bad, bad, bad) == nil {
		t.Error("no error")
	}
}
