package gotest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// everyMode runs f with a kit for each mode that this machine offers, and says which
// it does not.
func everyMode(t *testing.T, f func(t *testing.T, kit *Kit)) {
	for _, mode := range []sandbox.Mode{sandbox.Namespaces, sandbox.Landlock, sandbox.None} {
		t.Run(string(mode), func(t *testing.T) {
			i, err := sandbox.Choose(t.Context(), string(mode))
			if err != nil {
				t.Skipf("this machine does not offer %s: %v", mode, err)
			}
			f(t, confined(t, i))
		})
	}
}

// oneKit is shared by the tests that confine, one after the other: a plan takes three
// builds, and is the same in all modes.
var oneKit Kit

func TestMain(m *testing.M) {
	temp, err := os.MkdirTemp("", "gotest-")
	if err != nil {
		panic(err)
	}
	oneKit.Temp = temp
	code := m.Run()
	_ = os.RemoveAll(temp)
	os.Exit(code)
}

func confined(t *testing.T, i sandbox.Isolation) *Kit {
	oneKit.Root, oneKit.Isolation = testKit(t).Root, i
	return &oneKit
}

// submitted is source as a submission for lab 01.
func submitted(t *testing.T, kit *Kit, source string) subject.Subject {
	t.Helper()
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	s, err := subject.Given(kit.Root, lab, map[string][]byte{"gather.go": []byte(source)})
	require.NoError(t, err)
	return s
}

func TestTheReferencePassesConfined(t *testing.T) {
	everyMode(t, func(t *testing.T, kit *Kit) {
		for _, dir := range []string{"01-goroutines", "06-servers"} { // without and with a network
			lab, err := catalog.Find(dir)
			require.NoError(t, err)
			reference, err := subject.Solution(kit.Root, lab)
			require.NoError(t, err)
			s, err := subject.Given(kit.Root, lab, reference.Files)
			require.NoError(t, err)
			b, err := kit.Build(t.Context(), s)
			require.NoError(t, err)
			defer b.Remove()
			results, err := b.RunAll(t.Context(), lab.Cases, 1, 1, func(outcome.Result) {})
			require.NoError(t, err)
			for _, r := range results {
				assert.Equal(t, verdict.Pass, r.Verdict, "%s: %s", r.Case, r.Message)
			}
		}
	})
}

func TestATreeOnDiskBuildsConfined(t *testing.T) {
	i, err := sandbox.Choose(t.Context(), string(sandbox.Auto))
	if err != nil {
		t.Skip(err)
	}
	kit := confined(t, i)
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	for _, read := range []func(string, catalog.Lab) (subject.Subject, error){subject.Solution, subject.Stub} {
		s, err := read(kit.Root, lab)
		require.NoError(t, err)
		b, err := kit.Build(t.Context(), s)
		require.NoError(t, err)
		b.Remove()
	}
}

// confinedHead is head without what lab 01 does not allow: it could not be imported.
var confinedHead = strings.NewReplacer("\t\"os\"\n", "", "\t\"runtime\"\n", "", "os.Exit, runtime.Goexit, ", "").Replace(head)

func TestVerdictsAreTheSameConfined(t *testing.T) {
	everyMode(t, func(t *testing.T, kit *Kit) {
		for _, b := range bodies {
			if !slices.Contains([]string{"eats memory", "floods its output", "panics", "deadlocks on a mutex", "leaks", "races", "answers wrong"}, b.name) {
				continue
			}
			t.Run(strings.ReplaceAll(b.name, " ", "-"), func(t *testing.T) {
				s := submitted(t, kit, confinedHead+b.body)
				binary, err := kit.Build(t.Context(), s)
				require.NoError(t, err)
				defer binary.Remove()
				c, err := s.Lab.Case(b.on)
				require.NoError(t, err)
				r, err := binary.Run(t.Context(), c, 1)
				require.NoError(t, err)
				require.Equal(t, b.want, r.Verdict, r.Message)
				// The race detector's runtime ends a process that is out of addresses without a stack.
				if b.line != "" && b.want != verdict.OutOfMemory {
					assert.Contains(t, strings.Split(confinedHead+b.body, "\n")[r.At.Line-1], b.line)
					assert.Equal(t, "labs/01-goroutines/gather.go", r.At.File)
				}
			})
		}
	})
}

// bombs are sources that take the tools, and what is said of them.
var bombs = []struct{ name, source, want string }{
	{"a type error", confinedHead + "\n\treturn 42, nil\n}", "labs/01-goroutines/gather.go:33:9: cannot use 42"},
	{"an import that the lab does not allow", strings.Replace(confinedHead, "\t\"time\"\n", "\t\"time\"\n\t\"os\"\n", 1) + "\n\tos.Exit(0); return nil, nil\n}", "could not import os"},
	{"no such function", "package goroutines\n", "checker/internal/bridges/goroutines/bridge.go:15:23: undefined: subject.Gather"},
}

// doubling is a constant of 2ⁿ bytes.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("const s0 = \"x\"\n")
	for i := range n {
		fmt.Fprintf(&b, "const s%d = s%d + s%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "var Length = len(s%d)\nvar Text = s%d\n", n, n)
	return b.String()
}

func TestWhatDoesNotBuildIsTheSubjects(t *testing.T) {
	everyMode(t, func(t *testing.T, kit *Kit) {
		for _, b := range bombs {
			t.Run(strings.ReplaceAll(b.name, " ", "-"), func(t *testing.T) {
				began := time.Now()
				_, err := kit.Build(t.Context(), submitted(t, kit, b.source))
				var broken *CompileError
				require.ErrorAs(t, err, &broken)
				t.Logf("%s: %.200s", time.Since(began).Round(time.Millisecond), broken.Text)
				assert.Contains(t, broken.Text, b.want)
				assert.NotContains(t, broken.Text, kit.Temp, "a path of the checker's own reached the learner")
			})
		}
		left, err := filepath.Glob(filepath.Join(kit.Temp, "build-*"))
		require.NoError(t, err)
		assert.Empty(t, left, "a failed build left files behind")
	})
}

// TestSubmissionsDoNotMeet builds two submissions and looks at what the first left.
func TestSubmissionsDoNotMeet(t *testing.T) {
	everyMode(t, func(t *testing.T, kit *Kit) {
		s := submitted(t, kit, confinedHead+"\n\treturn nil, nil\n}")
		first, err := kit.Build(t.Context(), s)
		require.NoError(t, err)
		before := fingerprint(t, filepath.Join(kit.Temp, "packages"))
		first.Remove()
		second, err := kit.Build(t.Context(), s)
		require.NoError(t, err)
		second.Remove()
		assert.Equal(t, before, fingerprint(t, filepath.Join(kit.Temp, "packages")), "a build changed what other builds are made of")
	})
}

// fingerprint is what the files of a directory hold. Their times say nothing: the files are those
// of the go command's cache, which sets them anew once an hour.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	return all
}

// TestWhatACaseSaysIsBounded has the subject return an error with a text of 256 MiB,
// which every assertion would like to print.
func TestWhatACaseSaysIsBounded(t *testing.T) {
	i, err := sandbox.Choose(t.Context(), string(sandbox.Auto))
	if err != nil {
		t.Skip(err)
	}
	kit := confined(t, i)
	for _, body := range []string{
		"\n\treturn nil, fmt.Errorf(\"%0*d\", 256<<20, 0)\n}",
		"\n\tpanic(fmt.Sprintf(\"%0*d\", 256<<20, 0))\n}",
	} {
		s := submitted(t, kit, confinedHead+body)
		b, err := kit.Build(t.Context(), s)
		require.NoError(t, err)
		defer b.Remove()
		c, err := s.Lab.Case("keeps-order")
		require.NoError(t, err)
		r, err := b.Run(t.Context(), c, 1)
		require.NoError(t, err)
		assert.Contains(t, []verdict.Verdict{verdict.WrongAnswer, verdict.OutOfMemory, verdict.OutputFlood, verdict.Panic}, r.Verdict)
		said := len(r.Message) + len(r.Detail) + len(r.Output)
		for _, e := range r.History {
			said += len(e.What) + len(e.Result)
		}
		t.Logf("%s, %d bytes for the results and %d of raw text", r.Verdict, said, len(r.Raw))
		assert.Less(t, said, 64<<10)
		assert.LessOrEqual(t, len(r.Raw), outputBytes)
	}
}
