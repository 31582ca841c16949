package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// ReportSchema is the version of Report.
const ReportSchema = "controllerbook/bench/v1"

// Report is what was measured.
type Report struct {
	Schema   string    `json:"schema"`
	Pack     *Pack     `json:"pack"`
	Go       string    `json:"go"`
	Runs     int       `json:"runs"` // of each program
	Seed     uint64    `json:"seed"`
	Total    Count     `json:"total"`
	Classes  []Count   `json:"classes"`
	Programs []Program `json:"programs"`
	Broken   []Broken  `json:"broken,omitempty"` // programs that do not compile; they are not counted
}

// Broken is a program that does not compile.
type Broken struct {
	Program  string `json:"program"`
	Compiler string `json:"compiler"`
}

// Count counts the programs of a class. One and FalseOne are averages over the runs: how
// many programs a single run finds, or blames wrongly. Ever and FalseEver count those that
// any of the runs did.
type Count struct {
	Class     string  `json:"class"`
	Wrong     int     `json:"wrong"` // programs with a mistake
	One       float64 `json:"found_in_one_run"`
	Ever      int     `json:"found_in_all_runs"`
	Other     int     `json:"other"` // runs of them that ended with a verdict that is not expected, and is no pass
	Right     int     `json:"right"` // programs without a mistake
	FalseOne  float64 `json:"false_in_one_run"`
	FalseEver int     `json:"false_in_all_runs"`
	Undecided int     `json:"undecided"` // runs in which the checker itself failed
}

// Program is one program and how its runs ended.
type Program struct {
	Item     string                  `json:"item"`
	Fixed    bool                    `json:"fixed"`
	Class    string                  `json:"class"`
	Subtype  string                  `json:"subtype"`
	Expect   []string                `json:"expect"` // empty for a right program
	Verdicts map[verdict.Verdict]int `json:"verdicts"`
	Took     time.Duration           `json:"took_ns"` // of an average run

	meta Meta
}

// NewReport counts what came of a pack's programs.
func NewReport(p *Pack, goVersion string, o Order, runs []Run) *Report {
	r := &Report{Schema: ReportSchema, Pack: p, Go: goVersion, Runs: o.Runs, Seed: o.Seed, Total: Count{Class: "all"}}
	classes := map[string]*Count{}
	for _, run := range runs {
		if run.Compiler != "" {
			r.Broken = append(r.Broken, Broken{run.Name(), run.Compiler})
			continue
		}
		program := newProgram(run)
		r.Programs = append(r.Programs, program)
		if classes[program.Class] == nil {
			classes[program.Class] = &Count{Class: program.Class}
		}
		r.Total.add(program)
		classes[program.Class].add(program)
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		r.Classes = append(r.Classes, *classes[name])
	}
	return r
}

func newProgram(run Run) Program {
	meta := run.Item.Meta
	if run.Fixed {
		meta.Expect = nil
	}
	p := Program{
		Item: run.Item.ID, Fixed: run.Fixed, Class: meta.Class, Subtype: meta.Subtype, Expect: meta.Expect,
		Verdicts: map[verdict.Verdict]int{}, meta: meta,
	}
	for _, result := range run.Results {
		p.Verdicts[result.Verdict]++
		p.Took += result.Took / time.Duration(len(run.Results))
	}
	return p
}

// outcomes counts the runs of a program: those whose verdict is expected, those with
// another failing verdict, and those that the checker itself failed in.
func (p Program) outcomes() (expected, other, undecided int) {
	for v, n := range p.Verdicts {
		switch {
		case p.meta.Holds(v):
			expected += n
		case v.Standing() == verdict.Faulty:
			other += n
		case v.Standing() == verdict.Unknown:
			undecided += n
		}
	}
	return expected, other, undecided
}

func (p Program) runs() int {
	n := 0
	for _, times := range p.Verdicts {
		n += times
	}
	return n
}

func (c *Count) add(p Program) {
	expected, other, undecided := p.outcomes()
	c.Undecided += undecided
	share := func(n int) float64 { return float64(n) / float64(p.runs()) }
	if len(p.Expect) == 0 {
		c.Right++
		c.FalseOne += share(other)
		c.FalseEver += min(other, 1)
		return
	}
	c.Wrong++
	c.One += share(expected)
	c.Ever += min(expected, 1)
	c.Other += other
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the tables for readers, and below them each program that was not judged
// rightly in every run.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	many := fmt.Sprintf("in %d runs", r.Runs)
	fmt.Fprintf(t, "class\twith a mistake\tfound in one run\t%s\tother verdicts\tright\tfalse in one run\t%s\t\n", many, many)
	for _, c := range append(slices.Clone(r.Classes), r.Total) {
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%d\t%d\t%d\t%.1f\t%d\t\n", c.Class, c.Wrong, c.One, c.Ever, c.Other, c.Right, c.FalseOne, c.FalseEver)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, kind := range []struct {
		title string
		is    func(Program) bool
	}{
		{"right, and blamed", func(p Program) bool { _, other, _ := p.outcomes(); return len(p.Expect) == 0 && other > 0 }},
		{"never found", func(p Program) bool { expected, _, _ := p.outcomes(); return len(p.Expect) > 0 && expected == 0 }},
		{"found in some runs", func(p Program) bool {
			expected, _, _ := p.outcomes()
			return 0 < expected && expected < p.runs()
		}},
	} {
		if err := writeList(w, kind.title, r.Programs, kind.is); err != nil {
			return err
		}
	}
	for _, broken := range r.Broken {
		if _, err := fmt.Fprintf(w, "\n%s does not compile, and is not counted:\n%s\n", broken.Program, broken.Compiler); err != nil {
			return err
		}
	}
	if r.Total.Undecided > 0 {
		_, err := fmt.Fprintf(w, "\nThe checker itself failed in %d runs.\n", r.Total.Undecided)
		return err
	}
	return nil
}

// writeList lists the programs that are of a kind, if there are any.
func writeList(w io.Writer, title string, all []Program, is func(Program) bool) error {
	var b strings.Builder
	for _, p := range all {
		if !is(p) {
			continue
		}
		name := p.Item
		if p.Fixed {
			name += ", fixed"
		}
		var ended []string
		for _, v := range slices.SortedFunc(maps.Keys(p.Verdicts), func(a, b verdict.Verdict) int { return cmp.Compare(p.Verdicts[b], p.Verdicts[a]) }) {
			ended = append(ended, fmt.Sprintf("%s %d", v.Title(), p.Verdicts[v]))
		}
		fmt.Fprintf(&b, "  %s (%s): %s\n", name, p.Class, strings.Join(ended, ", "))
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s:\n%s", title, b.String())
	return err
}
