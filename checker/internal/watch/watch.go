// Package watch says when the files of a lab were saved, and draws the screen of those who
// wait for what becomes of it.
package watch

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long a directory must be still before a change counts: an editor
// writes, renames and sets modes in one save.
const quiet = 60 * time.Millisecond

// Job is what is done about a change. It returns soon after ctx is done.
type Job func(ctx context.Context)

// Dir runs saved once at the start and again after each change of a Go file in dir, and
// each job that comes over others, until others is closed or ctx is done; a nil
// channel has none. It watches the directory and not its files, because
// editors save by renaming a new file into place. A job that is under way when
// the next begins has its context cancelled and is waited for: two never overlap.
func Dir(ctx context.Context, dir string, saved Job, others <-chan Job) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	stop := start(ctx, saved)
	defer func() { stop() }()
	still := time.NewTimer(0)
	still.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-w.Events:
			if !ok {
				return nil
			}
			if filepath.Ext(e.Name) == ".go" && e.Op != fsnotify.Chmod {
				still.Reset(quiet)
			}
		case err := <-w.Errors:
			return fmt.Errorf("watch %s: %w", dir, err)
		case <-still.C:
			stop()
			stop = start(ctx, saved)
		case job, ok := <-others:
			if !ok {
				return nil
			}
			stop()
			stop = start(ctx, job)
		}
	}
}

// start runs a job in the background; stop cancels it and waits for it.
func start(ctx context.Context, job Job) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		job(ctx)
	}()
	return func() { cancel(); <-done }
}
