package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/classdir"
	"github.com/controllerbook/controllerbook/checker/internal/page"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// browser finds a Chromium, or skips the test.
func browser(t *testing.T) string {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	for _, name := range []string{"chromium-headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on PATH")
	return ""
}

// screen is how a page is looked at.
type screen struct {
	name          string
	width, height int
	dark          bool
}

var screens = []screen{
	{"desktop-light", 1280, 1600, false}, {"desktop-dark", 1280, 1600, true},
	{"phone-light", 390, 1600, false}, {"phone-dark", 390, 1600, true},
}

// open runs the browser on a file.
func (s screen) open(t *testing.T, program, file string, args ...string) []byte {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	scheme := map[bool]string{true: "0", false: "1"}[s.dark]
	all := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + t.TempDir(),
		"--blink-settings=preferredColorScheme=" + scheme, fmt.Sprintf("--window-size=%d,%d", s.width, s.height),
	}, args...)
	cmd := exec.CommandContext(ctx, program, append(all, "file://"+file)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	return out
}

// TestPagesInABrowser opens pages as a teacher and a student do: at desktop and phone
// width, light and dark. It looks at a picture of each, and lets a script that is not
// the page's own measure what a reader with a keyboard, a magnifier or a screen reader
// depends on. SHOTS=dir keeps the pictures.
func TestPagesInABrowser(t *testing.T) {
	program := browser(t)
	dir := t.TempDir()
	class := resulttest.NewClass(1, 12, 3)
	class.Grades[0] = resulttest.Poisoned(strings.Join(resulttest.Hostile[:16], " "), verdict.WrongAnswer)
	class.Grades[0].Student = roster.Student{ID: "hostile", Name: resulttest.Hostile[0] + strings.Repeat("x", 300), Group: resulttest.Hostile[1]}
	require.NoError(t, classdir.Write(dir, class.All(), resulttest.Book()))
	lab, err := os.ReadFile("testdata/lab.html") // TestLabPage has written it
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lab.html"), lab, 0o644))
	for _, name := range []string{"html/index.html", "html/hostile.html", "feedback/s103.html", "lab.html"} {
		for _, s := range screens {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				file := filepath.Join(dir, name)
				picture := filepath.Join(t.TempDir(), "page.png")
				if keep := os.Getenv("SHOTS"); keep != "" {
					picture = filepath.Join(keep, s.name+"-"+strings.ReplaceAll(name, "/", "-")+".png")
				}
				s.open(t, program, file, "--screenshot="+picture)
				s.painted(t, picture)
				if s.name != "phone-dark" { // has the colours of the one and the measures of the other
					s.audit(t, program, file)
				}
			})
		}
	}
}

// painted wants a picture of the right size, whose paper is as light or dark as asked:
// the style sheet has passed its own policy.
func (s screen) painted(t *testing.T, path string) {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, image.Pt(s.width, s.height), picture.Bounds().Size())
	r, g, b, _ := picture.At(2, 2).RGBA()
	if brightness := (r + g + b) / 3 >> 8; s.dark {
		assert.Less(t, brightness, uint32(60))
	} else {
		assert.Greater(t, brightness, uint32(240))
	}
	r2, g2, b2, _ := picture.At(s.width/2, 1).RGBA()
	assert.Equal(t, [3]uint32{r, g, b}, [3]uint32{r2, g2, b2})
}

// findings is what audit.js reports.
type findings struct {
	Contrast  []string // texts that are hard to read: under 4.5 to 1
	Wide      []string // what sticks out of a page that must not scroll sideways
	Headings  []string // levels that are skipped
	Names     []string // what a screen reader would find without a name
	IDs       []string // that stand twice, or are linked to and not there
	First     string   // what the first press of Tab reaches
	Landmarks []string
	Texts     int // how many texts were measured
}

var policyLine = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

func (s screen) audit(t *testing.T, program, file string) {
	got := s.measure(t, program, file)
	assert.Empty(t, got.Contrast)
	assert.Empty(t, got.Wide)
	assert.Empty(t, got.Headings)
	assert.Empty(t, got.Names)
	assert.Empty(t, got.IDs)
	assert.Equal(t, "#main", got.First, "the skip link comes first")
	assert.Subset(t, got.Landmarks, []string{"header", "main", "footer", "h1"})
	assert.Greater(t, got.Texts, 25)
}

// measure runs audit.js in a copy of the page that allows scripts, with all open that
// can be opened.
func (s screen) measure(t *testing.T, program, file string) findings {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	script, err := os.ReadFile("testdata/audit.js")
	require.NoError(t, err)
	require.Len(t, policyLine.FindAll(text, -1), 1)
	opened := strings.ReplaceAll(policyLine.ReplaceAllString(string(text), ""), "<details", "<details open")
	opened = strings.Replace(opened, "</body>", "<pre id=audit></pre><script>"+string(script)+"</script></body>", 1)
	audited := filepath.Join(t.TempDir(), "audited.html")
	require.NoError(t, os.WriteFile(audited, []byte(opened), 0o644))
	dom := string(s.open(t, program, audited, "--dump-dom"))
	_, rest, ok := strings.Cut(dom, `<pre id="audit">`)
	require.True(t, ok, "the audit did not run")
	report, _, _ := strings.Cut(rest, "</pre>")
	var got findings
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(report)), &got), report)
	return got
}

// TestTheAuditSeesWhatIsWrong plants a defect of each kind.
func TestTheAuditSeesWhatIsWrong(t *testing.T) {
	program := browser(t)
	var good bytes.Buffer
	ada := result.Record{Student: resulttest.Ada().Student, Grades: []result.Grade{resulttest.Ada()}}
	require.NoError(t, page.WriteStudent(&good, audience.Reader{To: audience.ForStudent, Book: resulttest.SmallBook()}.Record(ada)))
	bad := strings.NewReplacer(
		"--soft: #565f69", "--soft: #a0a0a0", "--soft: #a9b2bd", "--soft: #505050", // under 4.5 to 1
		"<h3>", "<h5>", "</h3>", "</h5>",
		` scope="row"`, "",
		`href="#main"`, `href="#nowhere"`,
		"</main>", `<p><code>`+strings.Repeat("wide", 3)+`</code></p><div class="n">`+strings.Repeat("x", 10)+`<svg width="2000" height="2"></svg></div></main>`,
		"svg { display: block; max-width: 100%; }", "svg { display: block; }",
	).Replace(good.String())
	file := filepath.Join(t.TempDir(), "bad.html")
	require.NoError(t, os.WriteFile(file, []byte(bad), 0o644))
	for _, s := range screens[:2] {
		got := s.measure(t, program, file)
		assert.NotEmpty(t, got.Contrast, s.name)
		assert.NotEmpty(t, got.Wide)
		assert.NotEmpty(t, got.Headings)
		assert.NotEmpty(t, got.Names)
		assert.NotEmpty(t, got.IDs)
		assert.NotEqual(t, "#main", got.First)
	}
}
