package grade

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/result"
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
func load(out, student, lab string) (result.Grade, bool) {
	f, err := os.Open(resultPath(out, student, lab))
	if err != nil {
		return result.Grade{}, false
	}
	defer f.Close()
	g, err := result.ReadGrade(io.LimitReader(f, maxResult))
	return g, err == nil && g.Student.ID == student && g.Lab == lab
}

// save writes a result. If the checker is killed at any moment, what is in its place is
// whole.
func save(out string, g result.Grade) error {
	name := resultPath(out, g.Student.ID, g.Lab)
	if err := write(name, func(w io.Writer) error { return g.WriteJSON(w) }); err != nil {
		return fmt.Errorf("keep the result of %s, %s: %w", g.Student.ID, g.Lab, err)
	}
	return nil
}

func write(name string, content func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	atomicfile.RemoveLeftovers(name)
	return atomicfile.Write(name, content)
}

// maxLog bounds what a log keeps of one failure, in bytes.
const maxLog = 1 << 20

// writeLog keeps what is known of a failure of the grader's own.
func writeLog(out, student, lab string, cause error) error {
	text := printable.Shorten(strings.ToValidUTF8(cause.Error(), "?"), maxLog, "…")
	return write(filepath.Join(out, "logs", student, lab+".log"), func(w io.Writer) error {
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}
