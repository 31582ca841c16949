package gotest

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// shareable are some of the ways to go wrong, each as a subject.
func shareable(t *testing.T, kit *Kit) (ways []way, subjects []subject.Subject) {
	for _, b := range bodies {
		if slices.Contains([]string{"panics", "deadlocks on a mutex", "leaks", "races", "answers wrong"}, b.name) {
			ways = append(ways, b)
			subjects = append(subjects, submitted(t, kit, confinedHead+b.body))
		}
	}
	require.Len(t, ways, 5)
	return ways, subjects
}

// goesWrong runs a binary that goes wrong in a way, and wants no trace of a place in what is
// said of it.
func goesWrong(t *testing.T, binary *Binary, w way) {
	c, err := binary.Subject.Lab.Case(w.on)
	require.NoError(t, err)
	r, err := binary.Run(t.Context(), c, 1)
	require.NoError(t, err)
	assert.Equal(t, w.want, r.Verdict, "%s: %s\n%s", w.name, r.Message, r.Raw)
	if w.line != "" {
		lines := strings.Split(confinedHead+w.body, "\n")
		require.Positive(t, r.At.Line, w.name)
		assert.Contains(t, lines[r.At.Line-1], w.line, w.name)
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.NotRegexp(t, `controllerbook/\d`, string(text)+r.Raw)
}

// What a subject does in a binary that it shares, it does in one of its own, and nothing that
// is said of it shows which of the two it was.
func TestASharedBinaryShowsNoTrace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there are no plans here")
	}
	kit := testKit(t)
	kit.Planned = true
	ways, subjects := shareable(t, kit)
	broken := submitted(t, kit, confinedHead+"return limit, nil }\n")
	release, err := kit.BuildAhead(t.Context(), append(slices.Clone(subjects), broken))
	require.NoError(t, err)
	var refused *CompileError
	_, err = kit.Build(t.Context(), broken)
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, refused.Text, "labs/01-goroutines/gather.go:")
	assert.NotRegexp(t, `controllerbook/\d`, refused.Text)
	var file string
	for i, w := range ways {
		binary, err := kit.Build(t.Context(), subjects[i])
		require.NoError(t, err)
		goesWrong(t, binary, w)
		file = binary.Path
		binary.Remove()
	}
	require.FileExists(t, file, "what is shared stays until it is released")
	release()
	require.NoFileExists(t, file)
	binary, err := kit.Build(t.Context(), subjects[0])
	require.NoError(t, err)
	assert.NotEqual(t, file, binary.Path)
}

// together builds subjects ahead, and returns the file that each is in.
func together(t *testing.T, kit *Kit, subjects ...subject.Subject) (files []string, binaries []*Binary) {
	t.Helper()
	release, err := kit.BuildAhead(t.Context(), subjects)
	require.NoError(t, err)
	for _, s := range subjects {
		b, err := kit.Build(t.Context(), s)
		require.NoError(t, err)
		t.Cleanup(b.Remove)
		files, binaries = append(files, b.Path), append(binaries, b)
	}
	release()
	return files, binaries
}

// Where processes are confined, only those share a binary of whom nothing runs in the
// processes of others, and what one is found guilty of is the same.
func TestStrangersShareWhatCannotHurt(t *testing.T) {
	everyMode(t, func(t *testing.T, kit *Kit) {
		ways, subjects := shareable(t, kit)
		begins := submitted(t, kit, confinedHead+ways[0].body+"\nfunc init() { println(1) }\n")
		files, binaries := together(t, kit, append(slices.Clone(subjects), begins)...)
		for i, w := range ways {
			assert.Equal(t, files[0], files[i])
			goesWrong(t, binaries[i], w)
		}
		if kit.Isolation.On() {
			assert.NotEqual(t, files[0], files[len(ways)])
		}
	})
}

// One that takes more than its share of memory, or with which the others cannot be linked,
// is alone, and so are the others.
func TestASubjectThatIsTooLargeIsNotShared(t *testing.T) {
	i, err := sandbox.Choose(t.Context(), string(sandbox.Auto))
	if err != nil {
		t.Skip(err)
	}
	kit := confined(t, i)
	ways, subjects := shareable(t, kit)
	large := submitted(t, kit, confinedHead+"hoard[limit]++\n"+ways[0].body+"\nvar hoard [1 << 27]byte\n")
	files, binaries := together(t, kit, subjects[0], large)
	assert.NotEqual(t, files[0], files[1])
	goesWrong(t, binaries[0], ways[0])

	tooLarge := submitted(t, kit, confinedHead+"hoard[limit]++\n"+ways[0].body+"\nvar hoard = [250 << 20]byte{1}\n")
	release, err := kit.BuildAhead(t.Context(), []subject.Subject{subjects[0], tooLarge})
	require.NoError(t, err)
	defer release()
	b, err := kit.Build(t.Context(), subjects[0])
	require.NoError(t, err)
	defer b.Remove()
	goesWrong(t, b, ways[0])
}
