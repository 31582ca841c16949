package hostile

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/submission"
	"github.com/controllerbook/controllerbook/labs/kit"
	watchhttp "github.com/controllerbook/controllerbook/solutions/09-watch-http"
)

// FuzzArchive: whatever bytes a student submits as an archive, nothing is read of it but
// files of the lab, within the limits, and nothing is left on the disk.
func FuzzArchive(f *testing.F) {
	reference, err := os.ReadFile("../../../solutions/01-goroutines/gather.go")
	require.NoError(f, err)
	w := &Workshop{Reference: string(reference), Stub: stub, Victim: "/nowhere/victim", Listener: "127.0.0.1:1"}
	for _, s := range archives {
		if s.pack == nil {
			continue
		}
		if ending, text := s.pack(w); len(text) < 64<<10 { // the corpus stays small
			f.Add(ending == ".zip", text)
		}
	}
	f.Fuzz(func(t *testing.T, zipped bool, text []byte) {
		dir := t.TempDir()
		class, temp := filepath.Join(dir, "class"), filepath.Join(dir, "temp")
		require.NoError(t, os.Mkdir(class, 0o755))
		require.NoError(t, os.Mkdir(temp, 0o755))
		name := "ada.tar.gz"
		if zipped {
			name = "ada.zip"
		}
		require.NoError(t, os.WriteFile(filepath.Join(class, name), text, 0o644))
		readClass(t, class, temp)
		left, err := os.ReadDir(temp)
		require.NoError(t, err)
		assert.Empty(t, left, "reading an archive left something behind")
		there, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, there, 2, "something was written beside the class")
	})
}

// readClass reads a class within small limits, and wants nothing in it but files of the lab.
func readClass(t *testing.T, class, temp string) {
	const largest = 8 << 10
	lab := submission.Lab{Dir: "01-goroutines", Files: []string{"gather.go"}}
	c, err := submission.Open(class, submission.Options{
		Labs: []submission.Lab{lab}, Book: []submission.Lab{lab}, Temp: temp, MaxFile: largest,
		Limits: submission.Limits{Entries: 200, Depth: 8, Packed: 1 << 20, Unpacked: 1 << 20, Candidate: 64 << 10, Directory: 64 << 10},
	})
	require.NoError(t, err)
	defer c.Close()
	for _, h := range c.Handins {
		found, err := c.Read(h)
		require.NoError(t, err, "what is wrong with a submission is no fault of the machine")
		require.Len(t, found, 1)
		for base, content := range found[0].Files {
			assert.Equal(t, "gather.go", base)
			assert.LessOrEqual(t, len(content), largest+1)
		}
	}
}

// answers is a server that says the same to everybody.
type answers struct{ body io.Reader }

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(a.body), Request: r}, nil
}

// FuzzWatchStream: whatever a server sends as a watch, its client delivers each whole event
// once, and ends: at the end of the stream, or with one error. In which pieces the bytes
// arrive makes no difference.
func FuzzWatchStream(f *testing.F) {
	const pod = `{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}`
	for _, text := range []string{
		`{"type":"ADDED","object":` + pod + "}\n" + `{"type":"BOOKMARK","object":` + pod + "}\n",
		`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}` + "\n" + `{"type":"ADDED","object":` + pod + "}\n",
		`{"type":"ADDED","object":` + pod, `{"type":"DELETED","object":null}` + "\n", `{"type":"GONE"}` + "\n", "\n\n", "404 page not found\n",
		`{"type":"ADDED","object":[]}` + "\n", strings.Repeat(" ", 5000) + "\n", "\x00\n", `{"type":"ADDED","object":` + strings.Repeat("[", 2000) + "\n", "",
	} {
		f.Add([]byte(text))
	}
	const longest = 4 << 10
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := watched(t, bytes.NewReader(text), longest)
		assert.Equal(t, whole, watched(t, iotest.OneByteReader(bytes.NewReader(text)), longest), "it depends on how the bytes arrive")
		assert.LessOrEqual(t, len(whole), bytes.Count(text, []byte("\n"))+1)
		for i, e := range whole {
			if e.Type == kit.Error {
				assert.NotNil(t, e.Status)
				assert.Len(t, whole, i+1, "something came after an error")
			} else {
				assert.NotNil(t, e.Object)
			}
		}
	})
}

// watched is all that a watch delivers of a body.
func watched(t *testing.T, body io.Reader, longest int) []kit.Event[*kit.Pod] {
	client := watchhttp.NewClient(kit.Pods, "http://api", watchhttp.Options{HTTP: &http.Client{Transport: answers{body}}, MaxEvent: longest})
	w, err := client.Watch(context.Background(), kit.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	var all []kit.Event[*kit.Pod]
	for e := range w.ResultChan() {
		all = append(all, e)
	}
	return all
}
