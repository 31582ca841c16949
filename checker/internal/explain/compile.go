package explain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Compile explains a lab that does not build. The text is the compiler's, with
// the learner's paths.
func Compile(text string) Explanation {
	e := Explanation{Verdict: verdict.CompileError, Title: verdict.CompileError.Title()}
	if do, ok := exhaustion[outcome.Exhausted(text)]; ok {
		e.Title, e.What, e.Next.Do = "too much to compile", text, do
		return e
	}
	errs := compileErrors(text)
	if len(errs) == 0 {
		e.What = "Your code does not compile. The compiler says:"
		e.Facts = []Fact{{"compiler", clipLines(text, maxErrors, maxText)}}
		e.Next.Do = "Fix what the compiler names."
		return e
	}
	if misfit(errs) {
		return unfit(e, errs)
	}
	e.What = "Your code does not compile, so no case was run. The compiler says:"
	e.More = max(0, len(errs)-maxErrors)
	for _, c := range errs[:len(errs)-e.More] {
		e.Places = append(e.Places, Place{Label: c.message, At: c.at, Notes: c.notes})
	}
	e.Next = Step{At: errs[0].at, Do: "Fix the first error: those after it often follow from it."}
	return e
}

// exhaustion is what to do where no line is to blame.
var exhaustion = map[outcome.Exhausted]string{
	outcome.TooMuchMemory: "Look for types or constants that double with each step, and for a large array that is filled where it is declared: make what is large when the program runs.",
	outcome.TooMuchTime:   "Look for types that grow with each step, and for functions of thousands of lines.",
	outcome.TooDeep:       "Give the inner parts of a long expression names of their own.",
	outcome.TooLarge:      "Make what is large when the program runs, instead of declaring it.",
}

// compileError is one message of the compiler and the lines that belong to it.
type compileError struct {
	at      outcome.Location
	message string
	notes   []string
}

var compilerLine = regexp.MustCompile(`^(\S+\.go):(\d+):(?:\d+:)? (.*)$`)

func compileErrors(text string) []compileError {
	var errs []compileError
	for line := range strings.SplitSeq(text, "\n") {
		m := compilerLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			n, _ := strconv.Atoi(m[2])
			errs = append(errs, compileError{at: outcome.Location{File: m[1], Line: n}, message: clip(m[3])})
		case len(errs) > 0 && strings.HasPrefix(line, "\t"):
			last := &errs[len(errs)-1]
			last.notes = append(last.notes, clip(line))
		}
	}
	return errs
}

// misfit reports whether the subject compiles and the tests do not compile with it. What
// the pins of the stub notice is explained as a changed declaration; this is the rest,
// such as a struct that can no longer be compared.
func misfit(errs []compileError) bool {
	return !slices.ContainsFunc(errs, func(c compileError) bool { return !strings.HasPrefix(c.at.File, "checker/") })
}

func unfit(e Explanation, errs []compileError) Explanation {
	e.What = "Your code compiles by itself, but not with the lab's tests: something exported cannot be used as the stub's can."
	for _, c := range errs[:min(len(errs), maxErrors)] {
		e.Facts = append(e.Facts, Fact{"compiler", strings.ReplaceAll(c.message, "subject.", "")})
	}
	e.Next.Do = "Compare the exported declarations with those of the stub. Unexported ones are yours to change."
	return e
}
