package upstream

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var update = flag.Bool("update", false, "write the tables of exceptions and mistakes into the pages that show them")

// only names, in the environment of a process, the one exception that it is to
// try all the same: lab/case.
const only = "UPSTREAM_EXCEPTED"

// run puts upstream to the cases of a lab that it is held to.
func run[S any](t *testing.T, lab conform.Lab, cases []conform.Case[S], open func() S) {
	t.Helper()
	held, excepted, err := Split(lab.Dir, cases)
	require.NoError(t, err)
	one, trying := os.LookupEnv(only)
	if !trying {
		conform.Run(t, held, open)
		return
	}
	for _, c := range excepted {
		if one == lab.Dir+"/"+c.Name {
			conform.Run(t, []conform.Case[S]{c}, open)
		}
	}
}

// An exception that upstream would pass hides nothing today and a mistake
// tomorrow. Each is tried in a process of its own, because a case may end in one.
func TestExceptionsAreNeeded(t *testing.T) {
	for _, e := range Exceptions {
		t.Run(e.Lab+"/"+e.Case, func(t *testing.T) {
			self := exec.Command(os.Args[0], "-test.skip=^TestException", "-test.v")
			self.Env = append(os.Environ(), only+"="+e.Lab+"/"+e.Case)
			out, err := self.CombinedOutput()
			var failed *exec.ExitError
			require.ErrorAs(t, err, &failed, "Upstream passes this case: the exception can go.\n%s", out)
			assert.Contains(t, string(out), "/"+e.Case, "The case was not run.\n%s", out)
			assert.NotEmpty(t, e.Reason)
			assert.True(t, strings.HasPrefix(e.Link, "https://"), "an exception says where upstream shows so")
		})
	}
}

func TestExceptionsAreDocumented(t *testing.T) {
	documented(t, "../../docs/upstream.md", "exceptions", Table())
}

// documented requires that a page has a table between two comments of that name.
func documented(t *testing.T, name, what, table string) {
	begin, end := "<!-- "+what+":begin -->\n", "<!-- "+what+":end -->\n"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "%s has no %s", name, begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no %s", name, end)
	want := before + begin + table + end + after
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "run: cd checker/upstream && go test . -run Documented -update")
}
