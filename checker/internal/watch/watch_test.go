package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// started runs Dir and returns a channel that says when a call began, and a stop
// that waits for the end of Dir.
func started(t *testing.T, dir string, during func(ctx context.Context)) (calls <-chan struct{}, stop func()) {
	began := make(chan struct{}, 16)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Dir(ctx, dir, func(ctx context.Context) {
			began <- struct{}{}
			during(ctx)
		}, nil)
	}()
	return began, func() {
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
	}
}

func TestASaveIsOneCall(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	name := filepath.Join(dir, "gather.go")
	calls, stop := started(t, dir, func(context.Context) {})
	<-calls // the first, at once
	// As an editor saves: a new file beside it, renamed into place.
	require.NoError(t, os.WriteFile(name+".tmp", []byte("package x\n"), 0o644))
	require.NoError(t, os.Rename(name+".tmp", name))
	<-calls
	require.NoError(t, os.WriteFile(name, []byte("package y\n"), 0o644))
	<-calls
	stop()
	require.Empty(t, calls, "one save was more than one call")
}

func TestOtherFilesAreNoSave(t *testing.T) {
	dir := t.TempDir()
	calls, stop := started(t, dir, func(context.Context) {})
	<-calls
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o644))
	time.Sleep(5 * quiet) // on a slow machine this could miss a fault, but never invent one
	stop()
	require.Empty(t, calls, "a file that is not Go was taken for a save")
}

func TestASaveEndsTheCallUnderWay(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	calls, stop := started(t, dir, func(ctx context.Context) { <-ctx.Done() })
	<-calls
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), nil, 0o644))
	<-calls // the first was cancelled, or this would never come
	stop()
}

func TestOtherJobs(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	others, ended := make(chan Job), make(chan error, 1)
	began, cancelled := make(chan struct{}), make(chan struct{})
	go func() {
		ended <- Dir(t.Context(), t.TempDir(), func(ctx context.Context) {
			close(began)
			<-ctx.Done()
			close(cancelled)
		}, others)
	}()
	<-began
	others <- func(ctx context.Context) {
		<-cancelled // or this would never return
		<-ctx.Done()
	}
	close(others)
	require.NoError(t, <-ended)
}

func TestADirectoryThatIsNotThere(t *testing.T) {
	err := Dir(t.Context(), filepath.Join(t.TempDir(), "gone"), func(context.Context) {}, nil)
	require.ErrorContains(t, err, "watch")
}
