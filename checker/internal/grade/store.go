package grade

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/report"
)

const maxResult = 64 << 20

// makeStore makes the directories that grading writes to.
func makeStore(out string) error {
	for _, d := range []string{"results", "logs"} {
		if err := os.MkdirAll(filepath.Join(out, d), 0o755); err != nil {
			return fmt.Errorf("make the directory of results: %w", err)
		}
	}
	return nil
}

func resultPath(out, student, lab string) string {
	return filepath.Join(out, "results", student, lab+".json")
}

// load reads an earlier result. One that is not whole is as good as none: it will be
// made again.
func load(out, student, lab string) (report.Grade, bool) {
	f, err := os.Open(resultPath(out, student, lab))
	if err != nil {
		return report.Grade{}, false
	}
	defer f.Close()
	g, err := report.ReadGrade(io.LimitReader(f, maxResult))
	return g, err == nil && g.Student.ID == student && g.Lab == lab
}

// save writes a result in one piece: to another name, to the disk, and then to its
// place. Killed at any moment, what stands in its place is whole.
func save(out string, g report.Grade) error {
	name := resultPath(out, g.Student.ID, g.Lab)
	if err := write(name, func(w io.Writer) error { return g.WriteJSON(w) }); err != nil {
		return fmt.Errorf("keep the result of %s, %s: %w", g.Student.ID, g.Lab, err)
	}
	return nil
}

func write(name string, content func(io.Writer) error) (err error) {
	dir, base := filepath.Split(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	sweep(dir, base)
	f, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := content(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return syncDir(dir)
}

// sweep removes what a run that was killed left half written.
func sweep(dir, base string) {
	left, err := filepath.Glob(filepath.Join(dir, "."+base+".*"))
	if err != nil {
		return
	}
	for _, l := range left {
		os.Remove(l)
	}
}

// syncDir makes a rename last. Not every system lets a directory be opened or synced;
// there the rename is as good as it gets.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}

// maxLog bounds what a log keeps of one failure.
const maxLog = 1 << 20

// writeLog keeps what is known of a failure of the grader's own.
func writeLog(out, student, lab string, cause error) error {
	text := printable.Shorten(strings.ToValidUTF8(cause.Error(), "?"), maxLog, "…")
	return write(filepath.Join(out, "logs", student, lab+".log"), func(w io.Writer) error {
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}
