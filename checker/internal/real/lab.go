package real

import (
	"cmp"
	_ "embed" // the cases
	"encoding/json"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// data is what package realtest says of its cases; a test of that package writes it.
//
//go:embed cases.json
var data []byte

// Case is a case without its check.
type Case struct {
	conform.Meta
	Labs []string `json:"labs"` // that it is about
	Own  bool     `json:"own"`  // it breaks the server, or needs it for itself: a server of the run's own
}

// Cases are all cases, in the order in which the labs are built, and last those that need
// the server for themselves.
func Cases() []Case {
	var all []Case
	if err := json.Unmarshal(data, &all); err != nil {
		panic("real: cases.json: " + err.Error()) // it is embedded
	}
	slices.SortStableFunc(all, func(a, b Case) int { return cmp.Compare(last(a), last(b)) })
	return all
}

func last(c Case) int {
	if c.Own {
		return 1
	}
	return 0
}

// Single are the names of the cases that run with nothing beside them.
func Single() []string {
	var names []string
	for _, c := range Cases() {
		if c.Own {
			names = append(names, c.Name)
		}
	}
	return names
}

// About are the cases that are about one of the labs, or all if there are none.
func About(labs []catalog.Lab) []Case {
	return slices.DeleteFunc(Cases(), func(c Case) bool {
		return len(labs) > 0 && !slices.ContainsFunc(labs, func(l catalog.Lab) bool { return slices.Contains(c.Labs, l.Dir) })
	})
}

// NeedDatabases reports whether one of the cases needs the custom resource of lab 23.
func NeedDatabases(cases []Case) bool {
	return slices.ContainsFunc(cases, func(c Case) bool { return slices.Contains(c.Labs, "23-operator") })
}

// first is the lab at the bottom of the stack; the others are its parts.
const first = "09-watch-http"

var parts = []string{
	"10-workqueue", "11-delaying-queue", "12-rate-limiting-queue", "13-priority-queue", "14-deltafifo",
	"15-indexer", "16-reflector", "17-informer", "19-reconciler", "20-replicaset", "23-operator",
}

// Lab is the stack of labs as something to judge: lab 09 with the labs above it as its
// parts, and with the bridge, the wiring and the cases of a real server.
func Lab(cases []Case) (catalog.Lab, error) {
	lab, err := catalog.Find(first)
	if err != nil {
		return lab, err
	}
	lab.Title, lab.Builds = "The real API server", "your labs against Kubernetes itself, with client-go as the witness"
	lab.Wiring, lab.Parts = "checker/internal/real/stack", parts
	lab.Suite, lab.Bridge = "checker/internal/real/realtest", "checker/internal/real/bridge"
	lab.Cases = nil
	for _, c := range cases {
		lab.Cases = append(lab.Cases, c.Meta)
	}
	return lab, nil
}
