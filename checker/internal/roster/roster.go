// Package roster says who the students of a class are.
package roster

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Student is one student of a class.
type Student struct {
	ID    string `json:"id"` // unique in the class
	Name  string `json:"name,omitempty"`
	Group string `json:"group,omitempty"`
}

// Roster is the list of a class.
type Roster struct {
	Students []Student
	Problems []string // rows that were passed over, and why

	byKey     map[string]int // folded ID or name → index in Students, or ambiguous
	ids       map[string]bool
	submitted map[string]time.Time
}

// columns are the headers that are known, most telling first: ours, then those of
// Moodle's grading worksheet and participants list, Canvas's gradebook and GitHub
// Classroom's roster.
var columns = map[string][]string{
	"id":     {"id", "student id", "id number", "sis user id", "identifier", "username", "github username", "sis login id", "login", "user id", "email address", "email"},
	"name":   {"name", "full name", "student", "student name"},
	"given":  {"first name", "given name"},
	"family": {"last name", "surname", "family name"},
	"group":  {"group", "groups", "section", "team"},
	"time":   {"submitted", "submitted at", "submission time", "last modified submission"},
}

// ambiguous stands in byKey for a key that two students share.
const ambiguous = -1

const maxRoster = 16 << 20 // bytes

// Read reads a CSV file with a line of headers. The delimiter may be a comma, a
// semicolon or a tab, and a byte order mark is passed over.
func Read(r io.Reader) (*Roster, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRoster))
	if err != nil {
		return nil, fmt.Errorf("read the roster: %w", err)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	c := csv.NewReader(bytes.NewReader(text))
	c.FieldsPerRecord, c.LazyQuotes, c.Comma = -1, true, delimiter(text)
	rows, err := c.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the roster: %w", err)
	}
	if len(rows) == 0 {
		return nil, errors.New("read the roster: it is empty; its first line must name the columns, such as id,name,group")
	}
	head := header(rows[0])
	if len(head["id"]) == 0 {
		return nil, fmt.Errorf("read the roster: none of its columns (%s) is an ID; call one id", strings.Join(rows[0], ", "))
	}
	roster := &Roster{byKey: map[string]int{}, ids: map[string]bool{}, submitted: map[string]time.Time{}}
	for i, row := range rows[1:] {
		if err := roster.add(i+2, head, row); err != nil {
			return nil, err
		}
	}
	return roster, nil
}

// delimiter is the one that the line of headers has most of.
func delimiter(text []byte) rune {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	best, most := ',', bytes.Count(first, []byte(","))
	for _, d := range ";\t" {
		if n := bytes.Count(first, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}

// header returns for each kind of column where it stands, most telling first.
func header(row []string) map[string][]int {
	at := map[string]int{}
	for i, h := range row {
		h = strings.Join(strings.FieldsFunc(strings.ToLower(h), func(r rune) bool { return strings.ContainsRune(" _-()\u00a0", r) }), " ")
		if _, twice := at[h]; !twice {
			at[h] = i
		}
	}
	found := map[string][]int{}
	for what, names := range columns {
		for _, n := range names {
			if i, ok := at[n]; ok {
				found[what] = append(found[what], i)
			}
		}
	}
	return found
}

// cells returns the values of a row in columns of one kind, without the empty ones.
func cells(row []string, at []int) []string {
	var values []string
	for _, i := range at {
		if i < len(row) && strings.TrimSpace(row[i]) != "" {
			values = append(values, strings.TrimSpace(row[i]))
		}
	}
	return values
}

func firstOf(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// participant is what Moodle writes in front of the number that also stands in the names
// of its files.
const participant = "Participant "

func (r *Roster) add(line int, head map[string][]int, row []string) error {
	ids := cells(row, head["id"])
	name := firstOf(cells(row, head["name"]))
	if name == "" {
		name = strings.TrimSpace(firstOf(cells(row, head["given"])) + " " + firstOf(cells(row, head["family"])))
	}
	if name == "Points Possible" { // Canvas's second line
		return nil
	}
	if len(ids) == 0 {
		if name != "" {
			r.Problems = append(r.Problems, fmt.Sprintf("Line %d of the roster has no ID: %s is passed over.", line, printable.Quote(name)))
		}
		return nil
	}
	id := SafeID(strings.TrimPrefix(ids[0], participant))
	if r.ids[strings.ToLower(id)] {
		return fmt.Errorf("read the roster: line %d has the ID %q again", line, id)
	}
	r.ids[strings.ToLower(id)] = true
	r.Students = append(r.Students, Student{ID: id, Name: CleanName(name), Group: CleanName(firstOf(cells(row, head["group"])))})
	r.index(len(r.Students)-1, append(ids, id, name, sortable(name)))
	return r.time(line, id, firstOf(cells(row, head["time"])))
}

// index adds the keys by which Find finds a student. A key that two students share
// finds neither.
func (r *Roster) index(student int, keys []string) {
	for _, k := range keys {
		k = fold(strings.TrimPrefix(k, participant))
		if k == "" {
			continue
		}
		if other, taken := r.byKey[k]; taken && other != student {
			r.byKey[k] = ambiguous
			continue
		}
		r.byKey[k] = student
	}
}

func (r *Roster) time(line int, id, text string) error {
	if text == "" || text == "-" {
		return nil
	}
	t, err := ParseTime(text)
	if err != nil {
		return fmt.Errorf("read the roster: line %d: %w", line, err)
	}
	r.submitted[id] = t
	return nil
}

// Submitted is when a student submitted, by the roster's column of times; zero if it
// does not say.
func (r *Roster) Submitted(id string) time.Time { return r.submitted[id] }

// Find returns the student to whom the first key that is known belongs. Keys are IDs and
// names, compared without regard to case, spaces and punctuation.
func (r *Roster) Find(keys []string) (Student, bool) {
	for _, k := range keys {
		if i, ok := r.byKey[fold(k)]; ok && i >= 0 {
			return r.Students[i], true
		}
	}
	return Student{}, false
}

var layouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
	"Monday, 2 January 2006, 3:04 PM", // Moodle's grading worksheet
}

// ParseTime reads a moment: RFC 3339, the same with a blank and without seconds, or
// Moodle's form. One without a zone is in UTC, so that every machine reads it alike.
// A date alone is its last second.
func ParseTime(text string) (time.Time, error) {
	for _, l := range layouts {
		if t, err := time.Parse(l, text); err == nil {
			return t.UTC(), nil
		}
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t.Add(24*time.Hour - time.Second), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: write it as 2026-10-01T23:59+02:00", text)
}
