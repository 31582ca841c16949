package gotest

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// mischief is what a subject does at each call besides the right thing. Both cases of the
// test below are on the real clock.
type mischief struct {
	name, call, decl string
	grouped          bool            // a group proves both cases all the same
	want             verdict.Verdict // of both cases alone
	second           verdict.Verdict // of the second, where it is another
}

var mischiefs = []mischief{
	{name: "nothing", grouped: true, want: verdict.Pass},
	{name: "fills the heap", call: "hoard := make([]byte, 4<<20)\n\thoard[len(tasks)] = 1", grouped: true, want: verdict.Pass},
	{name: "prints", call: `fmt.Println("here I am")`, want: verdict.Pass},
	{name: "leaves a goroutine that runs on", call: "go func() {\n\t\tfor {\n\t\t\ttime.Sleep(0)\n\t\t}\n\t}()", want: verdict.GoroutineLeak},
	// The first case has eight tasks, and is over long before the timer fires. The second is not.
	{name: "leaves a timer that starts one in the next case", call: "if len(tasks) == 8 {\n\t\ttime.AfterFunc(300*time.Millisecond, func() {\n\t\t\tfor {\n\t\t\t\ttime.Sleep(0)\n\t\t\t}\n\t\t})\n\t} else {\n\t\ttime.Sleep(600 * time.Millisecond)\n\t}", want: verdict.Pass},
	{name: "leaves a goroutine that waits", call: "go func() { select {} }()", want: verdict.GoroutineLeak},
	{name: "has a goroutine from the start", decl: "func init() {\n\tgo func() {\n\t\tfor {\n\t\t\ttime.Sleep(0)\n\t\t}\n\t}()\n}", want: verdict.GoroutineLeak},
	{name: "races", call: "n := 0\n\tdone := make(chan int)\n\tgo func() { n++; close(done) }()\n\tn++\n\t<-done", want: verdict.DataRace},
	{name: "panics", call: `panic("boom")`, want: verdict.Panic},
	{name: "ends the process", call: "os.Exit(0)", want: verdict.Incomplete},
	// This one a process cannot see: the names of its variables are what stops it.
	{name: "is right only after the first case", call: armed, decl: "var armed atomic.Bool", grouped: true, want: verdict.Pass, second: verdict.WrongAnswer},
}

// armed returns no result until a task of some case has failed. The slice of tasks is its caller's.
const armed = `tasks = append([]func(context.Context) (T, error)(nil), tasks...)
	for i, task := range tasks {
		tasks[i] = func(ctx context.Context) (value T, err error) {
			if value, err = task(ctx); err != nil {
				armed.Store(true)
			} else if !armed.Load() {
				value = *new(T)
			}
			return value, err
		}
	}`

// write puts mischief into the reference.
func (m mischief) write(reference string) string {
	const body = "([]T, error) {\n\tinner, cancel"
	source := strings.Replace(reference, body, "([]T, error) {\n\t"+m.call+"\n\tinner, cancel", 1)
	source = strings.Replace(source, "import (\n", "import (\n\t\"os\"\n\t\"sync/atomic\"\n\t\"time\"\n", 1)
	return source + "\nvar _, _, _ = os.Exit, time.Sleep, atomic.AddInt32\n\n" + m.decl + "\n"
}

// TestAGroupProvesNothingOfWhatIsUnusual has subjects do to a second case what they can, and
// wants their verdicts to be those of processes of their own.
func TestAGroupProvesNothingOfWhatIsUnusual(t *testing.T) {
	kit := testKit(t)
	lab := mustFind(t, "01-goroutines")
	reference, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	var cases []conform.Meta
	for _, name := range []string{"many-failures-at-once", "results-are-not-raced-for"} {
		c, err := lab.Case(name)
		require.NoError(t, err)
		cases = append(cases, c)
	}
	for _, m := range mischiefs {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, err := subject.Given(kit.Root, lab, map[string][]byte{"gather.go": []byte(m.write(string(reference.Files["gather.go"])))})
			require.NoError(t, err)
			b, err := kit.Build(t.Context(), s)
			require.NoError(t, err)
			defer b.Remove()
			passed, err := b.together(t.Context(), cases, []int{0, 1}, 1)
			require.NoError(t, err)
			assert.Equal(t, m.grouped, len(passed) == 2, "%d cases proved in a group", len(passed))
			results, err := b.RunGroups(t.Context(), cases, 1, func(outcome.Result) {})
			require.NoError(t, err)
			assert.Equal(t, m.want, results[0].Verdict, results[0].Message)
			assert.Equal(t, cmp.Or(m.second, m.want), results[1].Verdict, results[1].Message)
		})
	}
}

func TestCasesThatWantItRunAlone(t *testing.T) {
	kit := testKit(t)
	lab := mustFind(t, "01-goroutines")
	s, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	kit.Budget.AtOnce = 2
	b := kit.binary("", s)
	cases := append([]conform.Meta{}, lab.Cases...)
	cases[3].Alone = true
	groups, rest := b.groups(cases, 1)
	assert.Equal(t, []int{3}, rest)
	seen := map[int]bool{}
	for _, g := range groups {
		for _, i := range g {
			assert.False(t, seen[i], "case %d is in two groups", i)
			seen[i] = true
		}
	}
	assert.Len(t, groups, 4)
	assert.Len(t, seen, len(cases)-1)

	s.Files["gather.go"] = append(s.Files["gather.go"], "\nvar calls int\n"...)
	groups, rest = kit.binary("", s).groups(cases, 1)
	assert.Empty(t, groups, "the subject has a variable in which it could keep something")
	assert.Len(t, rest, len(cases))
}

// TestLongCasesBeginFirst: a long case that began last would keep one processor busy alone.
func TestLongCasesBeginFirst(t *testing.T) {
	kit := testKit(t)
	lab := mustFind(t, "01-goroutines")
	s, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	kit.Budget.AtOnce = 2
	cases := append([]conform.Meta{}, lab.Cases...)
	for i := range cases {
		cases[i].Long = i == 2 || i == 5 || i == 11
	}
	for seed := range uint64(20) {
		groups, _ := kit.binary("", s).groups(cases, seed)
		first := []int{groups[0][0], groups[1][0], groups[2][0]}
		assert.ElementsMatch(t, []int{2, 5, 11}, first, "the first three groups to begin begin with the three long cases")
	}
}
