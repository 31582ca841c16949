package submission

import (
	"regexp"
	"strings"
)

// Lab is what Open has to know of a lab.
type Lab struct {
	Number  int                               // 1
	Dir     string                            // "01-goroutines"
	Package string                            // "goroutines"
	Files   []string                          // their base names
	Stub    func(file string) ([]byte, error) // the pristine source of one of Files
}

// numbered matches the name of a folder that stands for a lab by its number.
var numbered = regexp.MustCompile(`^(?:lab|labs|exercise|ex|assignment|homework|hw)?[-_ .]?0*(\d{1,2})(?:[-_ .].*)?$`)

// labOf returns the directory of the lab that a folder is named after, "" for none.
func labOf(book []Lab, name string) string {
	name = strings.ToLower(name)
	m := numbered.FindStringSubmatch(name)
	for _, l := range book {
		_, word, _ := strings.Cut(l.Dir, "-")
		if name == l.Dir || name == word || name == l.Package || m != nil && number(m[1]) == l.Number {
			return l.Dir
		}
	}
	return ""
}

// looksLikeLab reports whether a path begins with a folder for labs, or for one of them.
func looksLikeLab(book []Lab, name string) bool {
	first, _, below := strings.Cut(name, "/")
	return below && (strings.EqualFold(first, "labs") || labOf(book, first) != "")
}

// The ranks of a folder, surest first. The surest that a submission has wins.
const (
	exact   = iota // labs/01-goroutines
	named          // 01-goroutines
	nearly         // lab1, goroutines, Lab 01
	unnamed        // any other, for Options.Unnamed
	never
)

// rank says how sure it is that a folder is the lab's. anywhere means that a folder named after
// no lab may be.
func rank(book []Lab, dir string, lab Lab, anywhere bool) int {
	parts := strings.Split(dir, "/")
	last := parts[len(parts)-1]
	if last == lab.Dir {
		if len(parts) > 1 && parts[len(parts)-2] == "labs" {
			return exact
		}
		return named
	}
	for i := len(parts) - 1; i >= 0; i-- {
		switch labOf(book, parts[i]) {
		case "":
		case lab.Dir:
			return nearly
		default:
			return never
		}
	}
	if anywhere {
		return unnamed
	}
	return never
}
