package submission

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/report"
)

// Roster is the list of a class.
type Roster struct {
	Students []report.Student
	Problems []string // rows that were passed over, and why

	byKey     map[string]int // what a submission's name may say of a student → index, -1 where it may be two
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

const maxRoster = 16 << 20

// ReadRoster reads a CSV file with a line of headers. The delimiter may be a comma, a
// semicolon or a tab, and a byte order mark is passed over.
func ReadRoster(r io.Reader) (*Roster, error) {
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

// header says in which columns each thing stands, most telling first.
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

// cells are the values of a row in the columns of one thing, those that are not empty.
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

// participant is what Moodle writes before the number that its files bear.
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
			r.Problems = append(r.Problems, fmt.Sprintf("Line %d of the roster has no ID: %s is passed over.", line, quote(name)))
		}
		return nil
	}
	id := safeID(strings.TrimPrefix(ids[0], participant))
	if r.ids[strings.ToLower(id)] {
		return fmt.Errorf("read the roster: line %d has the ID %q again", line, id)
	}
	r.ids[strings.ToLower(id)] = true
	r.Students = append(r.Students, report.Student{ID: id, Name: plain(name), Group: plain(firstOf(cells(row, head["group"])))})
	r.index(len(r.Students)-1, append(ids, id, name, sortable(name)))
	return r.time(line, id, firstOf(cells(row, head["time"])))
}

// index notes by which words a submission's name may mean a student. Words that mean
// two students mean none.
func (r *Roster) index(student int, keys []string) {
	for _, k := range keys {
		k = fold(strings.TrimPrefix(k, participant))
		if k == "" {
			continue
		}
		if other, taken := r.byKey[k]; taken && other != student {
			r.byKey[k] = -1
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

// find returns the student that one of the keys means.
func (r *Roster) find(keys []string) (report.Student, bool) {
	for _, k := range keys {
		if i, ok := r.byKey[fold(k)]; ok && i >= 0 {
			return r.Students[i], true
		}
	}
	return report.Student{}, false
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
