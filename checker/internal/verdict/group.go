package verdict

// Group is a kind of verdicts that mean much the same to a teacher: one colour in a chart.
type Group string

// The groups.
const (
	Passed      Group = "passed"
	Wrong       Group = "wrong"
	Concurrency Group = "concurrency"
	Crashed     Group = "crashed"
	NotBuilt    Group = "notbuilt"
	NotBegun    Group = "notbegun"
	Undecided   Group = "undecided" // by the checker's own fault
)

// Standing is what a verdict says about the subject. The greatest among the cases of a
// run decides its exit code.
type Standing int

// The standings, least severe first.
const (
	Sound   Standing = iota // the case holds
	Unknown                 // nothing is known: the checker failed
	Faulty                  // the case does not hold
)
