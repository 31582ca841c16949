package outcome

import (
	"regexp"
	"strings"
)

// What a name ends with where it is not a whole function's. The rest of the name is the
// function as written.
const (
	Literal      = " (func literal)"
	DeferredCall = " (deferred call)"
	GoStatement  = " (go statement)"
)

var (
	// unnamed is a part of a name that the compiler made up: a function literal and those
	// in it, or what a go or a defer statement with arguments is wrapped in.
	unnamed = regexp.MustCompile(`^(?:func\d+|gowrap\d+|deferwrap\d+|\d+)$`)
	// loopBody is the body of a range over a function, which is compiled to a function.
	loopBody = regexp.MustCompile(`(?:-range\d+)+`)
)

// written is the function of a frame as its author wrote it: "Gather" for "Gather[...]",
// "Pump.Add" for "(*Pump[...]).Add". The name of a function literal has the functions that the
// compiler inlined on the way to it as well: "(*state).start.(*state).answer.func1" is a
// literal in state.answer. known says which names the source declares.
func written(name string, known func(string) bool) string {
	parts := components(loopBody.ReplaceAllString(strings.TrimSuffix(withoutTypes(name), "-fm"), ""))
	suffix := ""
	if last := len(parts) - 1; last > 0 && unnamed.MatchString(parts[last]) {
		switch {
		case strings.HasPrefix(parts[last], "deferwrap"):
			suffix = DeferredCall
		case strings.HasPrefix(parts[last], "gowrap"):
			suffix = GoStatement
		default:
			suffix = Literal
		}
	}
	return strings.TrimSpace(declared(parts, suffix, known) + suffix)
}

// putOff reports whether a function, as written, is the call of a go or a defer statement. Its
// line is that statement, and it runs on another goroutine or at another time.
func putOff(fn string) bool {
	return strings.HasSuffix(fn, GoStatement) || strings.HasSuffix(fn, DeferredCall)
}

// declared is the innermost function among the components of a name, "" for the
// initialiser of a package variable.
func declared(parts []string, suffix string, known func(string) bool) string {
	outer := ""
	for len(parts) > 0 {
		for len(parts) > 1 && unnamed.MatchString(parts[len(parts)-1]) {
			parts = parts[:len(parts)-1]
		}
		fn, rest, sure := lastFunction(parts, suffix, known)
		switch {
		case fn == "init" || fn == "glob":
			return ""
		case sure || len(rest) == 0 && outer == "":
			return fn
		case outer == "":
			outer = fn
		}
		parts = rest
	}
	return outer
}

// lastFunction takes one function off the end of a name. It is sure of it where the name
// says so, or the source declares it.
func lastFunction(parts []string, suffix string, known func(string) bool) (fn string, rest []string, sure bool) {
	n := len(parts)
	switch {
	case n == 0:
		return "", nil, false
	case n == 1:
		return parts[0], nil, known(parts[0])
	}
	receiver, pointer := strings.CutPrefix(parts[n-2], "(*")
	method := strings.TrimSuffix(receiver, ")") + "." + parts[n-1]
	switch {
	case pointer, known(method), n == 2 && suffix == "": // nothing is inlined into the name of a whole function
		return method, parts[:n-2], true
	case known(parts[n-1]):
		return parts[n-1], parts[:n-1], true
	case n == 2 && !known(parts[0]):
		return method, nil, false
	}
	return parts[n-1], parts[:n-1], false
}

// withoutTypes drops the type arguments of a name, which can hold any character.
func withoutTypes(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// components splits a name at its dots; "glob..func1" has none that is empty.
func components(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '.' })
}
