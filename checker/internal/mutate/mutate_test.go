package mutate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `package lab

import "sync"

// Count counts.
type Count struct {
	mu sync.Mutex
	n  int
}

// Add adds.
func (c *Count) Add(n int) {
	c.mu.Lock() // guards n
	defer c.mu.Unlock()
	c.n += n
}

func given(n int) int { return n + 1 }
`

func TestGivenCodeIsLeftAlone(t *testing.T) {
	for _, m := range mutants(t, small, "package lab\n\n// another comment\nfunc given(n int) int { return n + 1 }\n").All {
		assert.Equal(t, "Count.Add", m.Func, "given stands in the stub as it stands here")
	}
	found := false
	for _, m := range mutants(t, small, "package lab\n\nfunc given(n int) int { return n + 2 }\n").All {
		found = found || m.Func == "given"
	}
	assert.True(t, found, "the stub's given is another one")
}

func TestAnIDNamesWhatIsChangedAndNotWhere(t *testing.T) {
	before := mutants(t, small)
	moved := strings.Replace(small, "c.mu.Lock() // guards n", "\n\tc.mu.Lock()   /* a comment */", 1)
	moved = strings.Replace(moved, "// Count counts.", "// One\n// Two", 1)
	after := mutants(t, moved)
	require.Equal(t, len(before.All), len(after.All))
	for i, m := range before.All {
		assert.Equal(t, m.ID, after.All[i].ID)
	}
	ids := map[string]bool{}
	for _, m := range before.All {
		assert.False(t, ids[m.ID], "%s stands twice", m.ID)
		ids[m.ID] = true
	}
	for _, m := range mutants(t, strings.ReplaceAll(small, "c.n += n", "c.n += n + n")).All {
		if m.Operator == "drop-statement" && strings.Contains(m.Change[0], "c.n") {
			assert.False(t, ids[m.ID], "what is dropped reads otherwise")
		}
	}
}

func TestChangesThatReadTheSameAreCounted(t *testing.T) {
	ids := map[string]bool{}
	all := mutants(t, "package lab\n\nfunc f(n int) {\n\tn++\n\tn++\n}\n")
	for _, m := range all.All {
		ids[m.ID] = true
	}
	assert.Len(t, ids, 4, "each n++ is dropped, and made an n--")
}

func TestWhatDoesNotCompileIsCountedApart(t *testing.T) {
	all := mutants(t, "package lab\n\nfunc f(a chan int) int {\n\tfor {\n\t\tselect {\n\t\tcase n := <-a:\n\t\t\treturn n\n\t\t}\n\t}\n}\n")
	assert.Equal(t, []string{"- case n := <-a: - return n"}, by(all, "drop-case"))
	all = mutants(t, "package lab\n\nfunc f(a int) int {\n\tswitch {\n\tcase a > 0:\n\t\treturn 1\n\tdefault:\n\t\treturn 2\n\t}\n}\n")
	assert.Equal(t, []string{"- case a > 0: - return 1"}, by(all, "drop-case"))
	assert.Equal(t, 1, all.NotCompiled, "without default a return is missing")
}

func TestDiff(t *testing.T) {
	for _, m := range mutants(t, small).All {
		if m.Operator == "drop-lock" {
			assert.Equal(t, 13, m.Line)
			assert.Equal(t, `--- a.go
+++ a.go
@@ -10,8 +10,7 @@
 
 // Add adds.
 func (c *Count) Add(n int) {
-	c.mu.Lock() // guards n
-	defer c.mu.Unlock()
+	 // guards n
 	c.n += n
 }
 
`, m.Diff("a.go", []byte(small)))
			assert.True(t, m.Says([]string{"-\tc.mu.Lock() // another comment", "  - defer c.mu.Unlock()"}))
			assert.False(t, m.Says([]string{"-\tc.mu.Lock()"}))
			assert.False(t, m.Says(nil))
			return
		}
	}
	t.Fatal("no lock was dropped")
}

func TestDiffOfChangesThatAreApart(t *testing.T) {
	source := "package lab\n\nimport \"sync\"\n\nfunc f(mu *sync.Mutex, n int) {\n\tmu.Lock()\n" + strings.Repeat("\tn++\n", 9) + "\tmu.Unlock()\n}\n"
	for _, m := range mutants(t, source).All {
		if m.Operator == "drop-lock" {
			diff := m.Diff("a.go", []byte(source))
			assert.Contains(t, diff, "@@ -3,7 +3,6 @@\n import \"sync\"\n \n func f(mu *sync.Mutex, n int) {\n-\tmu.Lock()\n \tn++\n")
			assert.Contains(t, diff, "@@ -13,5 +12,4 @@\n \tn++\n \tn++\n \tn++\n-\tmu.Unlock()\n }\n")
			return
		}
	}
	t.Fatal("no lock was dropped")
}

func TestASourceThatDoesNotCompileIsAnError(t *testing.T) {
	imports, err := imported()
	require.NoError(t, err)
	for _, text := range []string{"package lab\n\nfunc f( {\n", "package lab\n\nvar a int = \"\"\n"} {
		_, err = Of(Source{Path: "example.com/lab", Files: map[string][]byte{"lab.go": []byte(text)}}, imports)
		assert.Error(t, err)
	}
}
