package memo

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

var lab = catalog.New(conform.Lab{
	Dir: "99-box", Files: []string{"box.go"}, Cases: []conform.Meta{{Name: "it-holds"}, {Name: "it-closes"}, {Name: "it-opens"}},
})

// box is a subject of the lab.
func box(text string) subject.Subject {
	return subject.Subject{Lab: lab, Path: lab.LabPath(), Files: map[string][]byte{"box.go": []byte(text)}}
}

// order asks for the cases of these numbers, or for all.
func order(s subject.Subject, numbers ...int) judge.Order {
	o := judge.Order{Subject: s, Cases: lab.Cases}
	if len(numbers) > 0 {
		o.Cases = nil
	}
	for _, n := range numbers {
		o.Cases = append(o.Cases, lab.Cases[n])
	}
	return o
}

// ended is the verdict on an order whose cases end so.
func ended(o judge.Order, verdicts ...verdict.Verdict) Verdict {
	v := Verdict{At: time.Date(2026, 11, 23, 5, 30, 0, 0, time.UTC)}
	for i, c := range o.Cases {
		v.Results = append(v.Results, outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: verdicts[i]})
	}
	return v
}

const (
	pass  = verdict.Pass
	wrong = verdict.WrongAnswer
	race  = verdict.DataRace
)

func newMemo(t *testing.T) *Memo { return &Memo{filepath.Join(t.TempDir(), "verdicts"), "a build"} }

func TestAVerdictIsRemembered(t *testing.T) {
	m, o := newMemo(t), order(box("a box"))
	_, known := m.Recall(o)
	assert.False(t, known)
	assert.Empty(t, m.Keep(o, ended(o, pass, wrong, race)))
	v, known := m.Recall(o)
	require.True(t, known)
	assert.True(t, v.At.Equal(ended(o, pass, wrong, race).At))
	assert.Equal(t, ended(o, pass, wrong, race).Results, v.Results)

	v, known = m.Recall(order(o.Subject, 2, 0))
	require.True(t, known, "some of its cases are known, too")
	assert.Equal(t, ended(order(o.Subject, 2, 0), race, pass).Results, v.Results)
}

// TestEveryFieldIsRemembered: what is shown of a remembered result is what was shown of it
// at first, to the byte.
func TestEveryFieldIsRemembered(t *testing.T) {
	m, o := newMemo(t), order(box("a box"), 0)
	at := outcome.Location{File: "labs/99-box/box.go", Line: 7, Func: "Box.Put"}
	v := ended(o, race)
	v.Results[0] = outcome.Result{
		Lab: lab.Dir, Case: "it-holds", Verdict: race, Max: 5, Message: "a \xff b", Detail: "d", At: at,
		Goroutines: []outcome.Goroutine{{State: "chan send", At: at, Count: 2, Ways: []string{"receive from c"}, HeldBy: &outcome.Holder{}}},
		Race:       []outcome.Access{{Op: "write", At: at, Holds: []outcome.Lock{{Name: "b.mu", At: at}}, Via: []outcome.Location{at}, Main: true}},
		History:    []wire.Event{{Who: "test", At: time.Second, What: "Put", Open: true, Began: 1}},
		Output:     "printed \x00\xfe", Seed: 1 << 63, Copy: 3, Passed: 1, Runs: 2, Took: time.Minute, CPU: time.Second, Raw: "WARNING: DATA RACE\xff",
	}
	v.Steps = map[string]explain.Step{"it-holds": {At: at, Do: "look there"}}
	m.Keep(o, v)
	back, known := m.Recall(o)
	require.True(t, known)
	assert.Equal(t, v.Results, back.Results)
	assert.Equal(t, v.Steps, back.Steps)

	refused := Verdict{Judgement: judge.Judgement{Refused: "labs/99-box"}}
	refused.Results = ended(o, verdict.Forbidden).Results
	other := order(box("import \"os\""), 0)
	m.Keep(other, refused)
	back, known = m.Recall(other)
	require.True(t, known)
	assert.Equal(t, refused.Refused, back.Refused)
}

func TestWhatAVerdictFollowsFrom(t *testing.T) {
	m, s := newMemo(t), box("a box")
	s.Parts = []subject.Subject{box("a lid")}
	m.Keep(order(s), ended(order(s), pass, pass, pass))
	_, known := m.Recall(order(s))
	require.True(t, known)
	part := box("a lid")
	part.Lab.Dir = "98-lid"
	unreadable := s
	unreadable.Wrong = map[string]string{"box.go": "cannot be read"}
	elsewhere := s
	elsewhere.Path = "solutions/99-box"
	for name, other := range map[string]subject.Subject{
		"another text": box("A box"), "the reference for a part": s.WithReference("99-box"), "an unreadable file": unreadable, "another's code": elsewhere,
		"another part":           {Lab: s.Lab, Path: s.Path, Files: s.Files, Parts: []subject.Subject{part}},
		"another text of a part": {Lab: s.Lab, Path: s.Path, Files: s.Files, Parts: []subject.Subject{box("a lid!")}},
	} {
		_, known := m.Recall(order(other))
		assert.False(t, known, name)
	}
	_, known = (&Memo{m.dir, "another build"}).Recall(order(s))
	assert.False(t, known, "another build")
	var none *Memo
	assert.Empty(t, none.Keep(order(s), ended(order(s), pass, pass, pass)))
	_, known = none.Recall(order(s))
	assert.False(t, known)
}

// TestThePartsOfALab: in a lab that is made of others a change of any of them counts.
func TestThePartsOfALab(t *testing.T) {
	whole, err := catalog.Find("22")
	require.NoError(t, err)
	root := t.TempDir()
	for _, dir := range append([]string{whole.Dir}, whole.Parts...) {
		own, err := catalog.Find(dir)
		require.NoError(t, err)
		for _, name := range own.Files {
			text, err := own.Stub(name)
			require.NoError(t, err)
			file := filepath.Join(root, own.LabPath(), name)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, text, 0o644))
		}
	}
	key := func() string {
		s, err := subject.Learner(root, whole)
		require.NoError(t, err)
		return newMemo(t).key(s)
	}
	before := key()
	assert.Equal(t, before, key())
	for _, dir := range whole.Parts {
		part, err := catalog.Find(dir)
		require.NoError(t, err)
		file := filepath.Join(root, part.LabPath(), part.Files[0])
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(text, "// one word more\n"...), 0o644))
		assert.NotEqual(t, before, key(), dir)
		require.NoError(t, os.WriteFile(file, text, 0o644))
	}
}

func TestOpenLooksAtAllElse(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	key := func() string {
		m, err := Open(t.Context(), t.TempDir(), &gotest.Kit{Root: root})
		require.NoError(t, err)
		return m.key(box("a box"))
	}
	write("go.mod", "module example.com/book\n")
	write("checker/internal/suites/boxtest/suite.go", "package boxtest")
	before := key()
	assert.Equal(t, before, key())
	write("checker/internal/suites/boxtest/suite.go", "package boxtest // changed")
	assert.NotEqual(t, before, key(), "another suite")
	write("checker/internal/suites/boxtest/suite.go", "package boxtest")
	for name, value := range map[string]string{"GODEBUG": "panicnil=0", "CC": "another-compiler", "CGO_CFLAGS": "-O0"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			assert.NotEqual(t, before, key())
		})
	}
	t.Setenv("GOFLAGS", "-tags=another")
	assert.Equal(t, before, key(), "no build sees these flags")
	t.Setenv("PATH", t.TempDir())
	_, err := Open(context.Background(), t.TempDir(), &gotest.Kit{Root: root})
	require.Error(t, err)
}

// TestWhatLasts: a verdict in which a limit or the machine may have had a part, or one about
// several runs, is not shown again.
func TestWhatLasts(t *testing.T) {
	lasts := map[verdict.Verdict]bool{
		pass: true, wrong: true, race: true, verdict.NotImplemented: true, verdict.Forbidden: true,
		verdict.GoroutineLeak: true, verdict.Deadlock: true, verdict.Panic: true,
	}
	for _, v := range verdict.All {
		m, o := newMemo(t), order(box("a box"))
		m.Keep(o, ended(o, pass, v, pass))
		_, known := m.Recall(o)
		assert.Equal(t, lasts[v], known, v)
	}
	m, o := newMemo(t), order(box("a box"))
	o.Stability = 2
	m.Keep(o, ended(o, pass, pass, pass))
	_, known := m.Recall(o)
	assert.False(t, known)
}

func TestWhatEndsInTwoWaysIsRunEachTime(t *testing.T) {
	m, all := newMemo(t), order(box("a box"))
	one := order(all.Subject, 1)
	m.Keep(all, ended(all, pass, pass, pass))
	assert.Empty(t, m.Keep(one, ended(one, verdict.CheckerError)), "it says nothing of the code")
	_, known := m.Recall(all)
	assert.True(t, known)

	assert.Equal(t, []string{"it-closes"}, m.Keep(one, ended(one, race)))
	for _, o := range []judge.Order{all, one} {
		_, known = m.Recall(o)
		assert.False(t, known)
	}
	_, known = m.Recall(order(all.Subject, 0, 2))
	assert.True(t, known, "these have always ended alike")
	assert.Equal(t, []string{"it-closes"}, m.Keep(all, ended(all, pass, pass, pass)))
	_, known = m.Recall(all)
	assert.False(t, known, "to pass once more changes nothing")
	assert.Empty(t, m.Keep(order(all.Subject, 0), ended(order(all.Subject, 0), pass)), "the question was about another case")

	other := order(box("a better box"))
	assert.Empty(t, m.Keep(other, ended(other, pass, pass, pass)))
	_, known = m.Recall(other)
	assert.True(t, known)
}

func TestStressIsHeeded(t *testing.T) {
	several := order(box("a box"), 1)
	several.Stability = 2
	for _, before := range []bool{true, false} {
		m, o := newMemo(t), order(box("a box"))
		if before {
			m.Keep(o, ended(o, pass, pass, pass))
		}
		m.Keep(several, ended(several, verdict.Unstable))
		if !before {
			assert.Equal(t, []string{"it-closes"}, m.Keep(o, ended(o, pass, pass, pass)))
		}
		_, known := m.Recall(o)
		assert.False(t, known)
	}
}

func TestAnEntryKeepsTheMoreCases(t *testing.T) {
	m, all := newMemo(t), order(box("a box"))
	one := order(all.Subject, 1)
	m.Keep(one, ended(one, wrong))
	_, known := m.Recall(all)
	assert.False(t, known)
	m.Keep(all, ended(all, pass, wrong, pass))
	step := map[string]explain.Step{"it-closes": {Do: "look there"}}
	v := ended(one, wrong)
	v.Steps = step
	m.Keep(one, v)
	back, known := m.Recall(all)
	assert.True(t, known)
	assert.Equal(t, step, back.Steps)
}

func TestADamagedFileIsNoVerdict(t *testing.T) {
	m, o := newMemo(t), order(box("a box"))
	m.Keep(o, ended(o, wrong, wrong, wrong))
	name := m.file(lab.Dir, m.key(o.Subject))
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	unknown := func(text []byte, what string, arg int) {
		require.NoError(t, os.WriteFile(name, text, 0o644))
		_, known := m.Recall(o)
		assert.False(t, known, what, arg)
	}
	for i := 0; i < len(whole); i += 3 {
		flipped := append([]byte{}, whole...)
		flipped[i] ^= 0x20
		unknown(flipped, "byte %d", i)
		unknown(whole[:i], "the first %d bytes", i)
	}
	unknown([]byte(hash([]byte("nonsense"))+"\nnonsense"), "nonsense with a hash %d", 0)
	unknown(make([]byte, largest+1), "%d bytes", largest+1)

	other := order(box("another box"))
	m.Keep(other, ended(other, pass, pass, pass))
	foreign, err := os.ReadFile(m.file(lab.Dir, m.key(other.Subject)))
	require.NoError(t, err)
	unknown(foreign, "the file of another program %d", 0)

	m.Keep(o, ended(o, pass, pass, pass))
	_, known := m.Recall(o)
	assert.True(t, known, "it is replaced")
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Mkdir(name, 0o755))
	assert.Empty(t, m.Keep(o, ended(o, pass, pass, pass)))
	_, known = m.Recall(o)
	assert.False(t, known, "a directory is none, and stays")
}

func TestOnlyTheNewestAreKept(t *testing.T) {
	m := newMemo(t)
	text := func(i int) subject.Subject { return box(string(rune('a' + i))) }
	for i := range 2 * newest {
		o := order(text(i))
		m.Keep(o, ended(o, pass, pass, pass))
		at := time.Now().Add(time.Duration(i-2*newest) * time.Minute)
		require.NoError(t, os.Chtimes(m.file(lab.Dir, m.key(o.Subject)), at, at))
	}
	for i := range 2 * newest {
		_, known := m.Recall(order(text(i)))
		assert.Equal(t, i >= newest, known, i)
	}
	huge := order(box("huge"))
	v := ended(huge, wrong, wrong, wrong)
	v.Results[0].Raw = string(make([]byte, largest))
	m.Keep(huge, v)
	_, known := m.Recall(huge)
	assert.False(t, known, "it says too much")
}
