package citations

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var fix = flag.Bool("fix", false, "write where each thread is used into docs/sources.md")

// TestThreadsStandInTheTable holds docs/sources.md to what is cited: each number that stands
// anywhere, no other, with where it stands. What a thread says no test can know.
func TestThreadsStandInTheTable(t *testing.T) {
	name := filepath.Join(root, table)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	cited, err := Cited(root)
	require.NoError(t, err)
	require.NotEmpty(t, cited)

	entries := Entries(string(text))
	assert.Equal(t, strings.Count(string(text), "\n| ["), len(entries), "%s has rows that are not in the form of the others", table)
	assert.True(t, slices.IsSortedFunc(entries, Less), "%s is not in order", table)
	fixed := string(text)
	for _, e := range entries {
		where, ok := cited[e.Thread]
		if !assert.True(t, ok, "%s has %v, which nothing cites", table, e.Thread) {
			continue
		}
		delete(cited, e.Thread)
		assert.Equal(t, e.URL(), e.Link)
		used := strings.Join(where, ", ")
		old := fmt.Sprintf("| [%v](%s) | %s | %s | %s |\n", e.Thread, e.Link, e.Kind, e.Says, e.Used)
		fixed = strings.Replace(fixed, old, fmt.Sprintf("| [%v](%s) | %s | %s | %s |\n", e.Thread, e.Link, e.Kind, e.Says, used), 1)
		if !*fix {
			assert.Equal(t, used, e.Used, "%v is used elsewhere: go test ./citations -run Threads -fix", e.Thread)
		}
	}
	for thread, where := range cited {
		t.Errorf("%v is cited in %s and is not in %s", thread, strings.Join(where, ", "), table)
	}
	if *fix {
		require.NoError(t, os.WriteFile(name, []byte(fixed), 0o644))
	}
}

func TestThreadsAreFound(t *testing.T) {
	assert.Equal(t, []Thread{
		{"controller-runtime", 3239}, {"controller-runtime", 3337}, {"kubernetes", 27004},
		{"kubernetes", 84959}, {"client-go", 1256}, {"kubernetes", 42},
	}, Threads(`(controller-runtime#3239, #3337) [#27004](https://github.com/kubernetes/kubernetes/issues/27004)

#84959 and https://github.com/kubernetes/client-go/issues/1256, a colour #ff0000

#42, an anchor page.html#123`))
}
