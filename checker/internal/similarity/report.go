package similarity

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// Schema is the name and version of the JSON form.
const Schema = "controllerbook/similarity/v1"

// Caution stands in every form of the report.
const Caution = "These pairs are leads for a teacher to judge, not verdicts. People who read the same lesson write similar code, a short lab leaves little room to differ, and a good disguise leaves no trace. Read both, and ask."

// Report is what is alike in a class.
type Report struct {
	Schema  string `json:"schema"`
	Caution string `json:"caution"`
	Share   int    `json:"share"` // per cent from which on a pair is in it
	Labs    []Lab  `json:"labs"`
}

// Lab is what is alike in one lab.
type Lab struct {
	Lab        string  `json:"lab"`
	Title      string  `json:"title"`
	Compared   int     `json:"compared"`         // submissions with code of their own
	Without    int     `json:"without"`          // with none beside the stub's
	Unread     int     `json:"unread,omitempty"` // that could not be read, and were not compared
	Discounted int     `json:"discounted"`       // fingerprints left out because much of the class has them
	Crowd      []Party `json:"crowd,omitempty"`  // who has little but such fingerprints; no pair names them
	Pairs      []Lead  `json:"pairs"`
}

// Lead is a pair of submissions to look at.
type Lead struct {
	A         Party  `json:"a"`
	B         Party  `json:"b"`
	SameGroup bool   `json:"same_group,omitempty"`
	Shared    int    `json:"shared"` // fingerprints that both have
	Passages  []Both `json:"passages"`
}

// Party is one of a pair.
type Party struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Share int    `json:"share,omitempty"` // per cent of its own fingerprints that the other has too
}

// Both is lines that look alike.
type Both struct {
	A Place `json:"a"`
	B Place `json:"b"`
}

// Place is lines of a file, both ends included, and what they say.
type Place struct {
	File string `json:"file"`
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"-"`
}

// maxPassages is how many passages of a pair are reported. The others are shorter.
const maxPassages = 8

// NewLab puts a result into the words of a report.
func NewLab(dir, title string, r Result, submissions []Submission, students map[string]roster.Student) Lab {
	lab := Lab{Lab: dir, Title: title, Compared: r.Compared, Without: r.Empty, Discounted: r.Discounted, Pairs: []Lead{}}
	for _, id := range r.Crowd {
		lab.Crowd = append(lab.Crowd, Party{ID: id, Name: students[id].Name})
	}
	files := map[string]map[string][]byte{}
	for _, s := range submissions {
		files[s.ID] = s.Files
	}
	for _, p := range r.Pairs {
		a, b := students[p.A], students[p.B]
		lead := Lead{
			A: Party{p.A, a.Name, p.ShareA}, B: Party{p.B, b.Name, p.ShareB}, Shared: p.Shared,
			SameGroup: a.Group != "" && a.Group == b.Group,
		}
		for _, both := range p.Passages[:min(len(p.Passages), maxPassages)] {
			lead.Passages = append(lead.Passages, Both{place(both.A, files[p.A]), place(both.B, files[p.B])})
		}
		lab.Pairs = append(lab.Pairs, lead)
	}
	return lab
}

// Limits on what is shown of a passage.
const (
	maxLines = 60
	maxWidth = 160 // bytes of a line
)

func place(l Lines, files map[string][]byte) Place {
	lines := strings.Split(string(files[l.File]), "\n")
	from, to := min(l.From-1, len(lines)), min(l.To, len(lines))
	var text []string
	for i, line := range lines[from:to] {
		if i == maxLines {
			text = append(text, "…")
			break
		}
		text = append(text, fmt.Sprintf("%4d  %s", l.From+i, printable.Text(strings.ReplaceAll(line, "\t", "    "), maxWidth)))
	}
	return Place{l.File, l.From, l.To, strings.Join(text, "\n")}
}

// WriteJSON writes the report, indented, with a newline at its end.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, lab := range r.Labs {
		lab.text(&b, r.Share)
	}
	b.WriteString(printable.Wrap(Caution, 80))
	_, err := io.WriteString(w, b.String())
	return err
}

func (l Lab) text(b *strings.Builder, share int) {
	fmt.Fprintf(b, "%s  %d compared", l.Lab, l.Compared)
	if l.Without > 0 {
		fmt.Fprintf(b, ", %d without code of their own", l.Without)
	}
	if l.Unread > 0 {
		fmt.Fprintf(b, ", %d unread", l.Unread)
	}
	if l.Discounted > 0 {
		fmt.Fprintf(b, ", %d fingerprints are the class's", l.Discounted)
	}
	b.WriteString("\n")
	if len(l.Crowd) > 0 {
		b.WriteString(printable.Wrap(fmt.Sprintf("  %d have little but what much of the class has. They may have one source: compare any two of them by eye: %s",
			len(l.Crowd), l.crowd()), 80))
	}
	if len(l.Pairs) == 0 {
		fmt.Fprintf(b, "  no pair shares %d %% or more\n", share)
	}
	for _, p := range l.Pairs {
		group := ""
		if p.SameGroup {
			group = "  (same group)"
		}
		fmt.Fprintf(b, "  %3d %% of %s   %3d %% of %s%s\n", p.A.Share, p.A, p.B.Share, p.B, group)
		for _, both := range p.Passages {
			fmt.Fprintf(b, "         %-28s %s\n", both.A, both.B)
		}
	}
	b.WriteString("\n")
}

// crowd names a dozen submissions of the crowd.
func (l Lab) crowd() string {
	var names []string
	for i, p := range l.Crowd {
		if i == 12 {
			names = append(names, fmt.Sprintf("and %d more", len(l.Crowd)-i))
			break
		}
		names = append(names, line(p.ID))
	}
	return strings.Join(names, ", ")
}

func (p Party) String() string {
	if p.Name == "" {
		return line(p.ID)
	}
	return line(p.ID) + " (" + line(p.Name) + ")"
}

func line(s string) string { return printable.Text(strings.ReplaceAll(s, "\n", " "), 60) }

func (p Place) String() string { return fmt.Sprintf("%s:%d-%d", p.File, p.From, p.To) }
