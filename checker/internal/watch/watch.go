// Package watch says when the files of a lab were saved.
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

// Dir calls changed once at the start and again after each change of a Go file in
// dir, until ctx is done. It watches the directory and not its files, because
// editors save by renaming a new file into place. A call that is under way when
// the next change comes has its context cancelled and is waited for: two never overlap.
func Dir(ctx context.Context, dir string, changed func(ctx context.Context)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	stop := start(ctx, changed)
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
			stop = start(ctx, changed)
		}
	}
}

// start calls changed in the background; stop cancels the call and waits for it.
func start(ctx context.Context, changed func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		changed(ctx)
	}()
	return func() { cancel(); <-done }
}
