package real

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// Fault is the references with one mistake that a case must notice.
type Fault struct {
	Name     string // "16-reflector/busy-is-listed", "writer/full-put"
	KilledBy string
	Subject  subject.Subject
}

// known are faults of the labs' own suites that a real server shows as well, and by which case.
var known = []struct{ lab, fault, killedBy string }{
	{"09-watch-http", "items-without-a-kind", "lists-real-objects"},
	{"09-watch-http", "bookmarks-applied", "bookmarks-of-a-real-server"},
	{"09-watch-http", "bookmarks-thrown-away", "bookmarks-of-a-real-server"},
	{"09-watch-http", "no-match-for-the-watch-list", "streams-the-list"},
	{"16-reflector", "bookmark-is-an-object", "a-storm-and-cuts"},
	{"16-reflector", "relist-only-adds", "compacted-while-away"},
	{"16-reflector", "error-is-just-an-event", "compacted-while-away"},
	{"16-reflector", "busy-is-listed", "busy-is-not-listed"},
	{"20-replicaset", "versions-as-strings", "keeps-real-pods"},
	{"23-operator", "finalizer-last", "finalizer-at-the-server-first"},
	{"23-operator", "status-by-update", "status-of-its-generation"},
	{"23-operator", "asked-is-gone", "deletion-waits-for-the-cloud"},
	{"23-operator", "names-the-newest-generation", "a-second-writer-is-faster"},
	{"23-operator", "deletes-only-what-it-made", "operator-and-server-die"},
	{"23-operator", "no-resync", "drift-without-an-event"},
}

// given is the code beside the labs that has faults too.
const given = "writer"

// Faults are all of them, on the stack of all cases.
func Faults(root string) ([]Fault, error) {
	lab, err := Lab(Cases())
	if err != nil {
		return nil, err
	}
	var all []Fault
	for _, k := range known {
		f, err := knownFault(root, lab, k.lab, k.fault)
		if err != nil {
			return nil, err
		}
		f.KilledBy = k.killedBy
		all = append(all, f)
	}
	own, err := ownFaults(root, lab)
	if err != nil {
		return nil, err
	}
	written, err := writerFaults(root, lab)
	return append(append(all, own...), written...), err
}

// knownFault is one that the lab's own suite has.
func knownFault(root string, lab catalog.Lab, dir, name string) (Fault, error) {
	of, err := catalog.Find(dir)
	if err != nil {
		return Fault{}, err
	}
	faults, err := seeded.All(root, of)
	if err != nil {
		return Fault{}, err
	}
	for _, f := range faults {
		if f.Name == name {
			return seed(root, lab, of, f)
		}
	}
	return Fault{}, fmt.Errorf("lab %s has no fault %s", dir, name)
}

// ownFaults are those that only these cases have: of a lab in the directory real.
func ownFaults(root string, lab catalog.Lab) ([]Fault, error) {
	var all []Fault
	for _, dir := range append([]string{first}, parts...) {
		of, err := catalog.Find(dir)
		if err != nil {
			return nil, err
		}
		asked := of
		asked.Dir, asked.Cases = "real/"+of.Dir, lab.Cases
		faults, err := seeded.All(root, asked)
		if err != nil {
			return nil, err
		}
		for _, f := range faults {
			one, err := seed(root, lab, of, f)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// seed is the references with a fault in one lab.
func seed(root string, lab, of catalog.Lab, f seeded.Fault) (Fault, error) {
	one := Fault{Name: of.Dir + "/" + f.Name, KilledBy: f.KilledBy}
	if of.Dir == lab.Dir {
		var err error
		one.Subject, err = subject.Fault(root, lab, f)
		return one, err
	}
	part, err := subject.Fault(root, of, f)
	if err != nil {
		return one, err
	}
	one.Subject, err = subject.Solution(root, lab)
	one.Subject.Parts = append(one.Subject.Parts, part)
	return one, err
}

// writerFaults are those of the code that is given beside the labs.
func writerFaults(root string, lab catalog.Lab) ([]Fault, error) {
	const dir = "checker/internal/real/" + given
	of := catalog.Lab{Lab: conform.Lab{Dir: "real/" + given, Files: []string{"writer.go"}, Cases: lab.Cases}, Package: given}
	faults, err := seeded.All(root, of)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), "writer.go"))
	if err != nil {
		return nil, err
	}
	var all []Fault
	for _, f := range faults {
		files, err := f.Seed(map[string][]byte{"writer.go": text})
		if err != nil {
			return nil, err
		}
		s, err := subject.Solution(root, lab)
		if err != nil {
			return nil, err
		}
		all = append(all, Fault{Name: given + "/" + f.Name, KilledBy: f.KilledBy, Subject: s.With(path.Join(dir, "writer.go"), files["writer.go"])})
	}
	return all, nil
}
