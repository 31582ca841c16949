package submission

import (
	"regexp"
	"strings"
	"unicode"
)

// handed is what the name of a file or folder tells of who handed it in.
type handed struct {
	id   string   // unique in the class, as far as the name tells
	name string   // the student's, where it tells
	keys []string // by which a roster may know the student
	rest string   // the file's own name, without what the LMS put before it
	late bool     // the LMS says that it was late
	text bool     // not a file: what was typed into the LMS
}

var (
	// "Jane Doe_123456_assignsubmission_file", alone or with "_lab.zip" behind it.
	moodle = regexp.MustCompile(`^(.+)_(\d+)_assignsubmission_(file|onlinetext)(?:_(.*))?$`)
	// "doejane_LATE_12345_67890_lab.zip": the name to sort by, the user, the submission.
	canvas = regexp.MustCompile(`^([^_]+)(_LATE)?_(\d+)_(\d+)_(.+)$`)
	// A file that was handed in again: "gather-1.go".
	again = regexp.MustCompile(`^(.+?)-(\d+)(\.[A-Za-z0-9.]+)$`)
)

// decode reads the name of one file or folder at the top of the submissions.
func decode(name string) handed {
	if m := moodle.FindStringSubmatch(name); m != nil {
		return handed{
			id: m[2], name: strings.TrimSpace(m[1]), keys: []string{m[2], m[1]}, rest: m[4], text: m[3] == "onlinetext",
		}
	}
	if m := canvas.FindStringSubmatch(name); m != nil {
		return handed{id: m[3], name: m[1], keys: []string{m[3], m[1]}, rest: m[5], late: m[2] != ""}
	}
	base, _ := cutEnding(name)
	return handed{id: base, keys: []string{base}, rest: name}
}

// fold makes names comparable: letters and digits, in lower case.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// sortable is how Canvas writes a name in its files: "Jane Doe" and "Doe, Jane" are
// both "doejane".
func sortable(name string) string {
	if last, first, ok := strings.Cut(name, ","); ok {
		return fold(last) + fold(first)
	}
	words := strings.Fields(name)
	if len(words) < 2 {
		return fold(name)
	}
	return fold(words[len(words)-1]) + fold(strings.Join(words[:len(words)-1], ""))
}

const maxID = 80

// safeID makes an ID that is a file name on every system and harmless in a gradebook.
// Two IDs that become one are told apart by whoever collects them.
func safeID(id string) string {
	id = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("-_.@+", r):
			return r
		}
		return '_'
	}, strings.ToValidUTF8(id, "_"))
	id = strings.TrimRight(id, "._")
	for i := range id {
		if i >= maxID {
			id = id[:i]
			break
		}
	}
	if id == "" || strings.ContainsRune("-.@+", rune(id[0])) || reserved[strings.ToLower(id)] {
		id = "_" + id
	}
	return id
}

// reserved are no file names on Windows, or mean something in a directory of results.
var reserved = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "index": true}

// plain takes from a student's name what does not print.
func plain(name string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(name, "?"))), " ")
}
