package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func repository(t *testing.T) string {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

// channels is lab 02, the shortest, with its mutants.
func channels(t *testing.T, root string) (catalog.Lab, *Mutated) {
	lab, err := catalog.Find("2")
	require.NoError(t, err)
	all, err := Mutate(t.Context(), root, lab, []string{Reference})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.NotEmpty(t, all[0].All)
	return lab, all[0]
}

// quarry is the mutant of m that an operator makes first.
func quarry(t *testing.T, m *Mutated, operator string) *Quarry {
	for _, mutant := range m.All {
		if mutant.Operator == operator {
			return &Quarry{Of: m, Mutant: mutant}
		}
	}
	t.Fatalf("%s has no mutant by %s", m.Path, operator)
	return nil
}

func TestAMutantIsRunOnce(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	cache := t.TempDir()
	kit := &gotest.Kit{Root: root, Temp: t.TempDir(), Budget: Budget}
	for run := range 2 {
		ledger := ledgerIn(t, cache, root, lab)
		q := quarry(t, m, "close-twice")
		done := 0
		require.NoError(t, Run(t.Context(), kit, map[string]*Ledger{lab.Dir: ledger}, []*Quarry{q}, func(*Quarry) { done++ }))
		assert.Equal(t, 1, done)
		assert.Equal(t, verdict.Panic, q.Fate.Verdict)
		assert.True(t, q.Fate.Killed())
		assert.Equal(t, run == 1, q.Known())
		require.NoError(t, ledger.Close())
	}
}

func TestASuiteThatFailsItsReferenceKillsNothing(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	m.files["pool.go"] = quarry(t, m, "close-twice").Apply(m.files["pool.go"])
	ledger := ledgerIn(t, t.TempDir(), root, lab)
	defer ledger.Close()
	kit := &gotest.Kit{Root: root, Temp: t.TempDir(), Budget: Budget}
	err := Run(t.Context(), kit, map[string]*Ledger{lab.Dir: ledger}, []*Quarry{{Of: m, Mutant: m.All[0]}}, func(*Quarry) {})
	require.ErrorContains(t, err, "panic without any mutation")
}

// A mutant with which the suite fails itself gets no verdict and is not remembered, and those
// behind it are tried.
func TestAMutantThatBreaksTheSuite(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	m.files["pool.go"] = append(m.files["pool.go"], `
func init() {
	if mutantNumber == 1 {
		mutantOS.Exit(3) // as a suite does that cannot read its orders
	}
}
`...) // a bundle brings the names
	breaks, dies := &Quarry{Of: m, Mutant: m.All[0]}, quarry(t, m, "close-twice")
	cache := t.TempDir()
	kit := &gotest.Kit{Root: root, Temp: t.TempDir(), Budget: Budget}
	ledger := ledgerIn(t, cache, root, lab)
	defer ledger.Close()
	require.NoError(t, Run(t.Context(), kit, map[string]*Ledger{lab.Dir: ledger}, []*Quarry{breaks, dies}, func(*Quarry) {}))
	assert.False(t, breaks.Fate.Killed())
	assert.Contains(t, breaks.Fate.Broken, "could not read its orders")
	assert.Equal(t, verdict.Panic, dies.Fate.Verdict)

	again := ledgerIn(t, cache, root, lab)
	defer again.Close()
	_, known := again.Fate(m.mutated(breaks.Mutant), 1)
	assert.False(t, known)
	_, known = again.Fate(m.mutated(dies.Mutant), tries)
	assert.True(t, known)
}

func ledgerIn(t *testing.T, dir, root string, lab catalog.Lab) *Ledger {
	l, err := OpenLedger(t.Context(), dir, root, lab)
	require.NoError(t, err)
	return l
}

func TestALedgerRemembers(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	dir := t.TempDir()
	open := func() *Ledger { return ledgerIn(t, dir, root, lab) }
	fates := []Fate{{}, {Refused: true}, {Case: "keeps-order", Verdict: verdict.DataRace}}
	l := open()
	for i, fate := range fates {
		require.NoError(t, l.Write(m.mutated(m.All[i]), fate, tries))
	}
	require.NoError(t, l.Close())
	files, err := filepath.Glob(filepath.Join(dir, lab.Dir+"-*.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], text[:len(text)-3], 0o644)) // the last line was cut off

	l = open()
	for i, fate := range fates[:2] {
		known, ok := l.Fate(m.mutated(m.All[i]), tries)
		assert.True(t, ok)
		assert.Equal(t, fate, known)
	}
	_, ok := l.Fate(m.mutated(m.All[2]), tries)
	assert.False(t, ok, "a line that was cut off says nothing")
	require.NoError(t, l.Write(m.mutated(m.All[2]), fates[2], tries))
	require.NoError(t, l.Close())
	known, ok := open().Fate(m.mutated(m.All[2]), tries)
	assert.True(t, ok, "what is written behind it does")
	assert.Equal(t, fates[2], known)
}

func TestOneRoundIsEnoughForWhatIsListed(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	dir := t.TempDir()
	open := func() *Ledger { return ledgerIn(t, dir, root, lab) }
	listed, other := &Quarry{Equivalent: true}, &Quarry{}
	files := func(i int) map[string][]byte { return m.mutated(m.All[i]) }
	killed := Fate{Case: "keeps-order", Verdict: verdict.WrongAnswer}
	l := open()
	require.NoError(t, l.Write(files(0), Fate{}, listed.rounds()))
	require.NoError(t, l.Write(files(1), Fate{}, other.rounds()))
	require.NoError(t, l.Write(files(2), killed, listed.rounds()))
	require.NoError(t, l.Close())

	l = open()
	defer l.Close()
	knows := func(i int, q *Quarry) bool {
		_, known := l.Fate(files(i), q.rounds())
		return known
	}
	assert.True(t, knows(0, listed))
	assert.False(t, knows(0, other), "it has to survive the other rounds once it is no longer listed")
	assert.True(t, knows(1, listed))
	assert.True(t, knows(1, other))
	assert.True(t, knows(2, listed))
	assert.True(t, knows(2, other), "one round was enough to kill it")
}

func TestALedgerIsOfOneSuiteAndOfAnyMutant(t *testing.T) {
	root := repository(t)
	lab, err := catalog.Find("22")
	require.NoError(t, err)
	const checker = "./checker/internal/gotest"
	all, err := list(t.Context(), root, []catalog.Lab{lab}, checker)
	require.NoError(t, err)
	files := all.of(lab, checker)
	for _, name := range []string{
		"go.sum", "checker/internal/suites/controlplanetest/suite.go", "checker/internal/bridges/controlplane/bridge.go",
		"labs/kit/kit.go", "checker/internal/conform/run.go", "checker/internal/gotest/run.go", "checker/internal/outcome/fold.go",
		"solutions/10-workqueue/queue.go", // a part, as the reference
	} {
		assert.Contains(t, files, name)
	}
	assert.NotContains(t, files, "solutions/22-control-plane/controlplane.go")
	assert.NotContains(t, files, "checker/internal/suites/storetest/suite.go", "another lab's")
}

func TestTheLikeliestKillersComeFirst(t *testing.T) {
	m := &Mutated{Lab: catalog.Lab{Lab: conform.Lab{Dir: "01-made-up", Cases: []conform.Meta{
		{Name: "first", Func: "F"}, {Name: "second", Func: "G"}, {Name: "third", Func: "H"}, {Name: "fourth", Func: "G"},
	}}}}
	h := &Hunt{kills: map[string]map[string]int{}}
	names := func(function string) (names []string) {
		for _, c := range h.order(m, function) {
			names = append(names, c.Name)
		}
		return names
	}
	assert.Equal(t, []string{"second", "fourth", "first", "third"}, names("G"), "those about the function")
	q := &Quarry{Of: m, Fate: Fate{Case: "third", Verdict: verdict.Deadlock}}
	q.Func = "helper"
	h.note(q)
	assert.Equal(t, []string{"second", "fourth", "third", "first"}, names("G"), "then those that kill much")
	assert.Equal(t, []string{"third", "first", "second", "fourth"}, names("helper"), "those that killed others of the function")
}

func TestEquivalents(t *testing.T) {
	entries, err := parseEquivalents(`# Why these live.

== solution

11111111 F boundary
	- if a < b {
	+ if a <= b {

	Because.

== dispatcher

22222222 G.H drop-lock
	- mu.Lock()
	One reason
	- on two lines.
`)
	require.NoError(t, err)
	assert.Equal(t, []Equivalent{
		{Of: Reference, ID: "11111111", Func: "F", Operator: "boundary", Change: []string{"- if a < b {", "+ if a <= b {"}, Reason: "Because.", line: 5},
		{Of: "dispatcher", ID: "22222222", Func: "G.H", Operator: "drop-lock", Change: []string{"- mu.Lock()"}, Reason: "One reason - on two lines.", line: 13},
	}, entries)

	for text, problem := range map[string]string{
		"a b c\n":                       "1: ",
		"\n\ta line\n":                  "2: ",
		"== solution\n\n\ta line\n":     "3: ",
		"== solution\nid function\n":    "2: ",
		"== solution\na b c\n\treason":  "",
		"# comment\n== solution\n\n# x": "",
	} {
		_, err := parseEquivalents(text)
		if problem == "" {
			assert.NoError(t, err, text)
		} else {
			assert.ErrorContains(t, err, problem, text)
		}
	}
}

func TestEquivalentsAreHeldToTheMutants(t *testing.T) {
	root := repository(t)
	lab, m := channels(t, root)
	q := quarry(t, m, "buffer")
	right := Equivalent{Of: Reference, ID: q.ID, Func: q.Func, Operator: q.Operator, Change: q.Change, Reason: "Made up."}
	outdated := func(change func(*Equivalent)) []string {
		e := right
		change(&e)
		return Outdated(lab, []Equivalent{e}, []*Mutated{m})
	}
	assert.Empty(t, outdated(func(*Equivalent) {}))
	assert.True(t, Listed([]Equivalent{right}, m, q.Mutant))
	assert.Empty(t, outdated(func(e *Equivalent) { e.Of = "dispatcher"; e.ID = "00000000" }), "it is not looked up")
	for want, change := range map[string]func(*Equivalent){
		"is no mutant of the solution": func(e *Equivalent) { e.ID = "00000000" },
		"says something else":          func(e *Equivalent) { e.Change = []string{"- x"} },
		"has no reason":                func(e *Equivalent) { e.Reason = "" },
	} {
		problems := outdated(change)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], want)
	}
	problems := Outdated(lab, []Equivalent{right, right}, []*Mutated{m})
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "stands twice")
}

// TestListsAreUpToDate looks up every entry of every list. Whether the mutants live is
// checker mutate's business: that takes hours, and this a second.
func TestListsAreUpToDate(t *testing.T) {
	root := repository(t)
	files, err := filepath.Glob(filepath.Join(root, "checker", "mutants", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			lab, err := catalog.Find(strings.TrimSuffix(filepath.Base(file), ".txt"))
			require.NoError(t, err)
			list, err := Equivalents(root, lab)
			require.NoError(t, err)
			names, err := MutatedNames(root, lab)
			require.NoError(t, err)
			for _, e := range list {
				require.Contains(t, names, e.Of)
			}
			all, err := Mutate(t.Context(), root, lab, names)
			require.NoError(t, err)
			assert.Empty(t, Outdated(lab, list, all))
		})
	}
}
