package kernel

import (
	"errors"
	"testing"
)

// upload releases its slot when it fails, and once more at the end.
func upload(slots chan struct{}, send func() error) error {
	slots <- struct{}{}
	defer func() { <-slots }()
	if err := send(); err != nil {
		<-slots
		return err
	}
	return nil
}

func Kernel(t testing.TB) {
	slots := make(chan struct{}, 2)
	if upload(slots, func() error { return errors.New("no space") }) == nil {
		t.Error("the error is lost")
	}
	if upload(slots, func() error { return nil }) != nil {
		t.Error("an error that nobody returned")
	}
}
