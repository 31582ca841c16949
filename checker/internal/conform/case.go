// Package conform is what a lab's hidden tests are made of: a table of claims
// about a subject, and the machinery that checks a subject against them.
//
// A suite is an ordinary package. It declares a Subject type and a table of Cases.
// A bridge, a package of its own, hands a constructor to Run. The same Run serves
// the stub, the learner, the reference solution, a submission, every seeded fault and
// the real client-go.
//
// What it can miss: schedules that did not happen. A case that passes has passed
// on the schedules of that run; the checker widens them with many copies side by
// side and a subject that gives way at random, and still proves nothing.
package conform

// Case is one claim about every correct implementation of S.
type Case[S any] struct {
	Name   string   // kebab-case, stable for ever: the ID in results and progress files
	Points int      // what a pass earns
	Func   string   // the learner's function it is about: "Gather", "Pump.Add"
	Rule   string   // the invariant, one sentence: what every correct implementation holds
	Why    string   // why Kubernetes needs it
	Hint   []string // progressive nudges, least first
	Source string   // where the truth is from: upstream file or test, memory model, RFC
	Public bool     // shown in class handouts

	// Look is where a mistake against the claim usually is, for the next step of a learner who has
	// made one: functions of the stub, or a few words ("the loop that adds what is due"). It
	// is nil where that is Func, and Anywhere where no place is likelier than others.
	Look []string

	// Contract are the sentences that the claim stands on, word for word as the stub's
	// documentation or labs/kit has them. A check asserts nothing that they do not promise.
	Contract []string

	// Mode says how Check is run: once, in a bubble, or as many copies.
	Mode Mode

	// Alone has the case always run in a process of its own. It is for claims about what
	// the whole process holds, heap and goroutines, and about its end.
	Alone bool

	// Long has the case begin before the others, because it takes a good part of the lab's
	// time: begun last, it would keep one processor busy while the other has nothing to do.
	Long bool

	// Check checks the claim on fresh subjects. It must accept every correct implementation.
	Check func(t *T, open func() S)
}

// Anywhere is the Look of a case whose next step had better name no function, since it
// would only be the one by which everything begins.
var Anywhere = []string{}

// Mode is how a check is run.
type Mode int

const (
	// Plain is once, on the real scheduler and the real clock. A check that needs several
	// bubbles is plain and calls T.Virtual for each.
	Plain Mode = iota
	// Virtual is once, inside T.Virtual: for claims about time.
	Virtual
	// Copies is many times side by side, inside T.Copies: for claims about order and exclusion.
	Copies
)

// bound is a case with the subjects that it is put to. It has no type parameter: each bridge
// compiles again what has one, and a learner waits for that.
type bound struct {
	name  string
	mode  Mode
	check func(t *T)
}

// bind has each case get its subjects from open.
func bind[S any](cases []Case[S], open func() S) []bound {
	all := make([]bound, len(cases))
	for i := range cases {
		c := &cases[i]
		all[i] = bound{c.Name, c.Mode, func(t *T) { c.Check(t, open) }}
	}
	return all
}

// run runs the check in its mode.
func (b bound) run(t *T) {
	switch b.mode {
	case Virtual:
		t.Virtual(b.check)
	case Copies:
		t.Copies(b.check)
	default:
		b.check(t)
	}
}

// Meta is a Case without its Check: all that catalog, reports and lessons need.
type Meta struct {
	Name   string   `json:"name"`
	Points int      `json:"points"`
	Func   string   `json:"func"`
	Rule   string   `json:"rule"`
	Why    string   `json:"why"`
	Hint   []string `json:"hint"`
	Source string   `json:"source"`
	Public bool     `json:"public"`
	Alone  bool     `json:"alone,omitempty"`
	Long   bool     `json:"long,omitempty"`
	Look   []string `json:"look,omitzero"`

	Contract []string `json:"contract,omitempty"`
}

// Places are where a mistake against the claim is looked for: Look, or else Func. There are
// none where Look is Anywhere.
func (m Meta) Places() []string {
	if m.Look == nil {
		return []string{m.Func}
	}
	return m.Look
}

// Lab is the untyped view of one suite: what the catalog lists.
type Lab struct {
	Dir     string   `json:"dir"`               // "01-goroutines": the directory under labs, solutions and stubs
	Title   string   `json:"title"`             // "Goroutines"
	Builds  string   `json:"builds"`            // one line: what the learner builds
	Files   []string `json:"files"`             // the stub's files, in reading order
	Imports []string `json:"imports,omitempty"` // what those files may import beside labs/kit and what every lab may
	Wiring  string   `json:"wiring,omitempty"`  // the directory of the code that puts the lab together with Parts, "" where it stands alone
	Parts   []string `json:"parts,omitempty"`   // the labs it is made of, by directory
	Cases   []Meta   `json:"cases"`
}

// Describe returns a table of cases without the checks.
func Describe[S any](cases []Case[S]) []Meta {
	metas := make([]Meta, len(cases))
	for i, c := range cases {
		metas[i] = Meta{c.Name, c.Points, c.Func, c.Rule, c.Why, c.Hint, c.Source, c.Public, c.Alone, c.Long, c.Look, c.Contract}
	}
	return metas
}
