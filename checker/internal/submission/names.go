package submission

import (
	"regexp"
	"strings"
)

// submitter is what the name of a file or folder says about who submitted it.
type submitter struct {
	id   string   // unique in the class, as far as the name tells
	name string   // the student's, where it tells
	keys []string // by which a roster may know the student
	rest string   // the file's own name, without what the LMS put before it
	late bool     // the LMS says that it was late
	text bool     // not a file but a text that was typed into the LMS
}

var (
	// "Jane Doe_123456_assignsubmission_file", alone or with "_lab.zip" behind it.
	moodle = regexp.MustCompile(`^(.+)_(\d+)_assignsubmission_(file|onlinetext)(?:_(.*))?$`)
	// "doejane_LATE_12345_67890_lab.zip": the name to sort by, the user, the submission.
	canvas = regexp.MustCompile(`^([^_]+)(_LATE)?_(\d+)_(\d+)_(.+)$`)
	// A file that was submitted again: "gather-1.go".
	resubmitted = regexp.MustCompile(`^(.+?)-(\d+)(\.[A-Za-z0-9.]+)$`)
)

// decode reads the name of one file or folder at the top of the submissions.
func decode(name string) submitter {
	if m := moodle.FindStringSubmatch(name); m != nil {
		return submitter{
			id: m[2], name: strings.TrimSpace(m[1]), keys: []string{m[2], m[1]}, rest: m[4], text: m[3] == "onlinetext",
		}
	}
	if m := canvas.FindStringSubmatch(name); m != nil {
		return submitter{id: m[3], name: m[1], keys: []string{m[3], m[1]}, rest: m[5], late: m[2] != ""}
	}
	base, _ := cutEnding(name)
	return submitter{id: base, keys: []string{base}, rest: name}
}
