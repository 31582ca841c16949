package kernel

import (
	"errors"
	"testing"
)

func all(jobs ...func() error) error {
	errs := make(chan error, len(jobs))
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
