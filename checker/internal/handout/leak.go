package handout

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// Leak is something that a handout must not give away, and where it stands.
type Leak struct{ Path, What, Text string }

func (l Leak) String() string { return fmt.Sprintf("%s: %s: %q", l.Path, l.What, l.Text) }

// Secrets are what must not stand in a handout: the names, rules, reasons and hints of
// hidden cases, the names and mistakes of faults, and the lines of solutions. What the
// contract or a lesson says, too, is not among them. Nor is a name that is a plain word,
// such as "converges", unless it stands in quotes: nobody recognises a case in it.
type Secrets struct {
	names     map[string]string   // name → what it is
	sentences map[string][]secret // by their first bytes
	passages  map[passage]string
	open      map[string]bool // names that public cases have
	faults    int             // how many there are
}

type secret struct{ text, what string }

// passage is consecutive lines of a solution, too many to be a coincidence.
type passage [3]string

const (
	window  = 16 // bytes by which sentences are found
	weight  = 70 // bytes that a passage has at least
	minimum = 24 // bytes under which a hint is a phrase that anybody uses
)

// collect gathers the secrets of all labs.
func collect(root string) (*Secrets, error) {
	s := &Secrets{names: map[string]string{}, sentences: map[string][]secret{}, passages: map[passage]string{}, open: map[string]bool{}}
	known, err := readPublished(root)
	if err != nil {
		return nil, err
	}
	for _, lab := range suites.All() {
		s.addCases(lab, known)
		if err := s.addFaults(root, lab, known); err != nil {
			return nil, err
		}
		for _, f := range lab.Files {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(lab.SolutionPath()), f))
			if err != nil {
				return nil, fmt.Errorf("read what a handout must not hold: %w", err)
			}
			for _, p := range passages(string(text)) {
				s.passages[p] = "code of " + lab.SolutionPath() + "/" + f
			}
		}
	}
	for name := range s.open {
		delete(s.names, name)
	}
	for _, text := range known.code {
		for _, p := range passages(text) {
			delete(s.passages, p)
		}
	}
	return s, nil
}

func (s *Secrets) addCases(lab catalog.Lab, known *published) {
	for _, c := range lab.Cases {
		if c.Public {
			s.open[c.Name] = true
			continue
		}
		s.names[c.Name] = "the name of a hidden case of " + lab.Dir
		s.addSentence(c.Rule, "the rule of hidden case "+c.Name, known)
		s.addSentence(c.Why, "the reason of hidden case "+c.Name, known)
		for _, h := range c.Hint {
			s.addSentence(h, "a hint for hidden case "+c.Name, known)
		}
	}
}

func (s *Secrets) addFaults(root string, lab catalog.Lab, known *published) error {
	mistakes, err := seeded.All(root, lab)
	if err != nil {
		return err
	}
	s.faults += len(mistakes)
	for _, f := range mistakes {
		if strings.Contains(f.Name, "-") {
			s.names[f.Name] = "the name of a fault of " + lab.Dir
		}
		s.addSentence(f.Mistake, "the mistake of fault "+f.Name, known)
	}
	return nil
}

func (s *Secrets) addSentence(text, what string, known *published) {
	text = plain(text)
	if len(text) < minimum || strings.Contains(known.prose, text) {
		return
	}
	s.sentences[text[:window]] = append(s.sentences[text[:window]], secret{text, what})
}

// published is what students can read in any case.
type published struct {
	prose string
	code  []string
}

// readPublished reads the contracts, the kit and the lessons, and the sentences of public cases.
func readPublished(root string) (*published, error) {
	p := &published{}
	prose := []string{}
	for _, lab := range catalog.Labs() {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(lab.LabPath()), "README.md"))
		if err != nil {
			return nil, fmt.Errorf("read a lesson: %w", err)
		}
		head, rest, _ := strings.Cut(string(text), tableBegin)
		_, tail, _ := strings.Cut(rest, tableEnd)
		prose = append(prose, head, tail)
		for _, f := range lab.Files {
			stub, err := lab.Stub(f)
			if err != nil {
				return nil, err
			}
			prose = append(prose, string(stub))
			p.code = append(p.code, string(stub))
		}
		for _, c := range lab.Cases {
			if c.Public {
				prose = append(append(prose, c.Rule, c.Why), c.Hint...)
			}
		}
	}
	kit, err := filepath.Glob(filepath.Join(root, "labs", "kit", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range kit {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the kit: %w", err)
		}
		p.code = append(p.code, string(text))
	}
	p.prose = plain(strings.Join(prose, "\n\n"))
	return p, nil
}

var marks = regexp.MustCompile(`(?m)^\s*(//|\|)|\\|\s+`)

// plain is a text without the things that hide a sentence from a search: line breaks,
// comment marks, backslashes.
func plain(text string) string {
	return strings.Join(strings.Fields(marks.ReplaceAllString(text, " ")), " ")
}

// passages are all runs of lines in a source that are long enough to be somebody's own.
func passages(source string) []passage {
	var lines []string
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, `"`) { // imports look alike everywhere
			lines = append(lines, line)
		}
	}
	var all []passage
	for i := 0; i+len(passage{}) <= len(lines); i++ {
		p := passage(lines[i : i+len(passage{})])
		if len(p[0])+len(p[1])+len(p[2]) >= weight {
			all = append(all, p)
		}
	}
	return all
}

var word = regexp.MustCompile("[a-z0-9]+(-[a-z0-9]+)+|[`\"][a-z0-9]+[`\"]")

// Search looks for the secrets in every file.
func (s *Secrets) Search(t tree) []Leak {
	var leaks []Leak
	for _, path := range t.paths() {
		text := string(t[path])
		for _, name := range word.FindAllString(text, -1) {
			name = strings.Trim(name, "`\"")
			if what, secret := s.names[name]; secret {
				leaks = append(leaks, Leak{path, what, name})
			}
		}
		for _, found := range s.find(plain(text)) {
			leaks = append(leaks, Leak{path, found.what, found.text})
		}
		for _, p := range passages(text) {
			if what, secret := s.passages[p]; secret {
				leaks = append(leaks, Leak{path, what, strings.Join(p[:], "\n")})
			}
		}
	}
	return leaks
}

// SearchBinary looks for names and sentences in a compiled program. Its strings stand
// one behind the other, so a name may be part of a longer, innocent one: where it is
// part of a public name it is not looked for.
func (s *Secrets) SearchBinary(path string, binary []byte) []Leak {
	all := &Secrets{sentences: map[string][]secret{}}
	for key, secrets := range s.sentences {
		all.sentences[key] = slices.Clone(secrets)
	}
	for name, what := range s.names {
		if len(name) >= window && !s.partOfOpen(name) {
			all.sentences[name[:window]] = append(all.sentences[name[:window]], secret{name, what})
		}
	}
	var leaks []Leak
	for _, found := range all.find(string(binary)) {
		leaks = append(leaks, Leak{path, found.what, found.text})
	}
	return leaks
}

func (s *Secrets) partOfOpen(name string) bool {
	for open := range s.open {
		if strings.Contains(open, name) {
			return true
		}
	}
	return false
}

// find returns the sentences that stand in a text.
func (s *Secrets) find(text string) []secret {
	var found []secret
	for i := 0; i+window <= len(text); i++ {
		for _, secret := range s.sentences[text[i:i+window]] {
			if strings.HasPrefix(text[i:], secret.text) {
				found = append(found, secret)
			}
		}
	}
	return found
}
