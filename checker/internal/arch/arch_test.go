// Package arch holds the import graph to its shape: catalog → subject → gate →
// overlay → gotest → outcome → explain → render, and outcome → result → audience →
// {export, page} → classdir.
package arch

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

const (
	module   = "github.com/controllerbook/controllerbook/"
	internal = module + "checker/internal/"
	bridges  = "checker/internal/bridges/"

	realBridge = "checker/internal/real/bridge"
)

// allowed says what each package of the checker may import beside the standard
// library, and why where that is not plain from its name. Suites and kit have
// rules of their own below.
var allowed = map[string][]string{
	"checker":                    {internal + "cli"},
	"checker/internal/verdict":   {},
	"checker/internal/goroutine": {},
	"checker/internal/wire":      {internal + "printable"},
	"checker/internal/printable": {},
	"checker/internal/stubs":     {},
	"checker/internal/overlay":   {},                     // pure: what is written, and where, is gotest's business
	"checker/nudge":              {},                     // its code runs in the subject, at prologues and between statements
	"checker/internal/yields":    {internal + "catalog"}, // source as text
	"checker/internal/libgcc":    {},
	"checker/internal/conform": {
		module + "checker/nudge", internal + "goroutine", internal + "libgcc", internal + "printable", internal + "verdict", internal + "wire",
		"github.com/anishathalye/porcupine",
	},
	"checker/internal/conform/listwatch": {internal + "conform", module + "labs/kit"},
	"checker/internal/conform/namesake":  {module + "labs/kit"},
	"checker/internal/conform/queues":    {internal + "conform", module + "labs/kit"},
	"checker/internal/conform/probe":     {}, // what it looks at is the runtime's
	"checker/internal/conform/model":     {internal + "conform", "pgregory.net/rapid"},
	"checker/internal/conform/fake":      {internal + "conform", module + "labs/kit"},
	"checker/internal/catalog":           {internal + "conform", internal + "stubs"},
	"checker/internal/suites":            {internal + "catalog", internal + "conform", internal + "suites/"}, // the list of them
	"checker/internal/subject":           {internal + "catalog", internal + "conform", internal + "digest", internal + "overlay", internal + "seeded"},
	"checker/internal/seeded":            {internal + "catalog", internal + "syntax", internal + "verdict"},
	"checker/internal/submission":        {internal + "printable", internal + "roster"}, // what it reads is untrusted: it runs nothing
	"checker/internal/exportdata":        {},
	"checker/internal/mutate":            {internal + "syntax"},                                             // source as text: it runs nothing
	"checker/internal/gate":              {internal + "printable", internal + "syntax"},                     // reads source as text: it must never be fooled by what it checks
	"checker/internal/pins":              {internal + "exportdata", internal + "gate", internal + "syntax"}, // what it finds are violations
	"checker/internal/sandbox":           {"golang.org/x/sys/"},
	"checker/internal/outcome":           {internal + "conform", internal + "goroutine", internal + "printable", internal + "syntax", internal + "verdict", internal + "wire"},
	"checker/internal/syntax":            {},                                                                                                                                                // source as text
	"checker/internal/buildplan":         {internal + "atomicfile", internal + "catalog", internal + "outcome", internal + "printable", internal + "sandbox", "golang.org/x/sync/errgroup"}, // repeats the go command's calls, whatever they are for
	"checker/internal/gotest": {
		internal + "buildplan", internal + "catalog", internal + "conform", internal + "gate", internal + "outcome", internal + "overlay",
		internal + "sandbox", internal + "subject", internal + "syntax", internal + "verdict", internal + "wire", internal + "yields",
	},
	"checker/internal/judge": {
		internal + "conform", internal + "gate", internal + "gotest", internal + "outcome", internal + "pins", internal + "subject", internal + "verdict",
	},
	"checker/internal/explain": {
		internal + "conform", internal + "gate", internal + "outcome", internal + "printable", internal + "verdict", internal + "wire",
	},
	"checker/internal/timeline": {internal + "wire"}, // where things stand in a picture; it draws none
	"checker/internal/render": {
		internal + "catalog", internal + "conform", internal + "explain", internal + "outcome", internal + "printable", internal + "timeline", internal + "verdict", internal + "wire",
		"github.com/fatih/color", // here and nowhere else
	},
	"checker/internal/atomicfile": {},
	"checker/internal/cachedir":   {},
	"checker/internal/digest":     {}, // source as bytes
	"checker/internal/memo": {
		internal + "atomicfile", internal + "catalog", internal + "conform", internal + "digest", internal + "explain", internal + "gotest",
		internal + "judge", internal + "outcome", internal + "subject", internal + "verdict", "golang.org/x/sync/errgroup",
	},
	"checker/internal/roster": {internal + "printable"},
	"checker/internal/result": {
		internal + "conform", internal + "gate", internal + "outcome", internal + "printable", internal + "roster",
	},
	"checker/internal/audience": {
		internal + "conform", internal + "explain", internal + "outcome", internal + "printable", internal + "result",
		internal + "roster", internal + "timeline", internal + "verdict",
	},
	// What reaches a reader is made of an audience.Grade, so that it cannot hold more than the
	// reader may see. Only result.Grade could say more.
	"checker/internal/export": {
		internal + "audience", internal + "explain", internal + "outcome", internal + "printable", internal + "result",
		internal + "roster", internal + "verdict",
	},
	"checker/internal/cohort": {
		internal + "audience", internal + "conform", internal + "result", internal + "roster", internal + "verdict",
	},
	"checker/internal/page": {
		internal + "audience", internal + "cohort", internal + "conform", internal + "explain", internal + "printable",
		internal + "result", internal + "roster", internal + "timeline", internal + "verdict",
	},
	"checker/internal/classdir": {
		internal + "atomicfile", internal + "audience", internal + "cohort", internal + "export", internal + "page", internal + "result",
	},
	"checker/internal/result/resulttest": { // for tests
		internal + "audience", internal + "catalog", internal + "conform", internal + "gate", internal + "outcome", internal + "result",
		internal + "roster", internal + "verdict", internal + "wire", "github.com/stretchr/testify/assert",
	},
	"checker/internal/autograder":        {internal + "catalog"},
	"checker/internal/progress":          {internal + "atomicfile", internal + "outcome", internal + "verdict"},
	"checker/internal/watch":             {internal + "render", internal + "tty", "github.com/fsnotify/fsnotify"},
	"checker/internal/tty":               {"golang.org/x/term"},
	"checker/internal/play":              {internal + "tty"},                                                                        // draws what it is given
	"checker/internal/assembly":          {internal + "assembly/parts", module + "labs/kit", module + "solutions/22-control-plane"}, // where lab 22 and its parts meet
	"checker/internal/assembly/parts":    {module + "labs/kit", module + "solutions/"},                                              // not lab 22: an edit of that compiles nothing here
	"checker/internal/assembly/operator": {internal + "assembly/parts", module + "labs/kit", module + "solutions/23-operator"},      // where lab 23 and its parts meet
	"checker/internal/play/cloud":        {module + "labs/kit"},
	"checker/internal/play/live":         {internal + "assembly", internal + "assembly/operator", internal + "play", internal + "play/cloud", internal + "tty", module + "labs/kit"},
	"checker/internal/contract":          {internal + "catalog"},
	"checker/internal/real":              {internal + "catalog", internal + "conform", internal + "real/site", internal + "seeded", internal + "subject"}, // starts the server and the witness, and links neither
	"checker/internal/real/site":         {},
	"checker/internal/real/writer":       {module + "labs/kit"},
	"checker/internal/real/stack":        {module + "labs/kit", module + "solutions/"}, // where the labs that talk to a server meet
	realBridge: {
		internal + "conform", internal + "real/realtest", internal + "real/site", internal + "real/stack", internal + "real/writer", module + "labs/kit",
	},
	"checker/internal/real/realtest": {internal + "conform", internal + "conform/fake", internal + "real/site", internal + "real/writer", module + "labs/kit"}, // a suite
	"checker/internal/lesson":        {internal + "atomicfile", internal + "catalog", internal + "conform", internal + "gate"},
	"checker/internal/prose":         {internal + "catalog", internal + "printable", internal + "suites"},                                                              // the suites' sentences, for the linter of prose
	"checker/internal/handout":       {internal + "catalog", internal + "conform", internal + "lesson", internal + "seeded", internal + "suites", internal + "syntax"}, // reads the checker as text, and knows what must not be in it
	"checker/internal/similarity":    {internal + "printable", internal + "roster", internal + "syntax"},
	"checker/internal/grade": {
		internal + "atomicfile", internal + "catalog", internal + "digest", internal + "gotest", internal + "judge", internal + "outcome",
		internal + "printable", internal + "result", internal + "roster", internal + "subject", internal + "submission",
		internal + "verdict",
	},
	"checker/internal/faults": {
		internal + "atomicfile", internal + "cachedir", internal + "catalog", internal + "conform", internal + "digest", internal + "exportdata", internal + "gotest", internal + "judge",
		internal + "mutate", internal + "outcome", internal + "seeded", internal + "subject", internal + "trivial", internal + "verdict",
		"golang.org/x/sync/errgroup",
	},
	"checker/internal/trivial": {internal + "syntax"}, // source as text
	"checker/internal/stress":  {internal + "atomicfile", internal + "conform", internal + "gotest", internal + "outcome", internal + "verdict"},
	"checker/internal/trust":   {internal + "atomicfile"}, // measures nothing: it keeps and writes
	"checker/internal/pack": {
		internal + "catalog", internal + "conform", internal + "gotest", internal + "outcome", internal + "pack/packtest", internal + "subject", internal + "verdict",
	},
	"checker/internal/pack/packtest": {module + "checker/nudge", internal + "conform"}, // a suite: it knows no subject
	"checker/internal/cli":           {internal, "github.com/spf13/cobra", "golang.org/x/term"},
}

// byPlace are the rules for the many packages of one kind.
var byPlace = []struct {
	prefix string
	allow  []string
}{
	// A lab never imports another lab: neighbours arrive as kit interfaces.
	{"labs/kit", nil},
	{"labs/", []string{module + "labs/kit", "golang.org/x/sync/"}},
	{"solutions/", []string{module + "labs/kit", "golang.org/x/sync/"}},
	{"checker/alternatives/", []string{module + "labs/kit", "golang.org/x/sync/"}},
	{"checker/internal/stubs/", []string{module + "labs/kit", "golang.org/x/sync/"}},
	// A suite knows the contract and not the solution: that comes over the bridge.
	{"checker/internal/suites/", []string{
		internal + "conform", internal + "conform/fake", internal + "conform/listwatch", internal + "conform/model", internal + "conform/namesake", internal + "conform/probe", internal + "conform/queues",
		internal + "verdict", module + "labs/kit",
		"pgregory.net/rapid", "github.com/anishathalye/porcupine",
	}},
	// A bridge brings one suite and one solution together. Only the program that the checker
	// writes for it imports it.
	{bridges, []string{
		internal + "conform", internal + "suites/", internal + "assembly", module + "labs/kit", module + "solutions/",
	}},
}

// unlinked says what must not be linked into a package, directly or by what it imports.
var unlinked = map[string][]string{
	"checker/internal/submission": {"html/template", "net/http", "go/parser", internal + "catalog", internal + "suites/", internal + "result", "github.com/stretchr/testify/"},
	"checker/internal/roster":     {"html/template", "net/http"},
	"checker/internal/result":     {"html/template", "net/http", internal + "catalog", internal + "suites/", internal + "explain"},
	"checker/internal/export":     {"html/template", "net/http", internal + "catalog", internal + "suites/", internal + "page", internal + "cohort"},
	"checker/internal/cohort":     {"html/template", "net/http", internal + "catalog", internal + "suites/", internal + "page", internal + "export"},
	"checker/internal/classdir":   {"net/http", internal + "catalog", internal + "suites/"},
	"checker/internal/grade":      {internal + "audience", internal + "export", internal + "page", internal + "classdir"},
}

// TestOnlyLabsWithServersLinkOne: each verdict waits for the linker, and net/http with all
// that it brings makes a build half as long again.
func TestOnlyLabsWithServersLinkOne(t *testing.T) {
	for _, lab := range catalog.Labs() {
		serves := slices.Contains(lab.Imports, "net/http")
		require.Equal(t, serves, slices.Contains(linked(t, module+lab.Bridge), "net/http"), lab.Dir)
	}
}

func TestWhatIsNotLinked(t *testing.T) {
	for pkg, forbidden := range unlinked {
		for _, dep := range linked(t, module+pkg) {
			if permitted(dep, forbidden) {
				t.Errorf("%s links %s", pkg, dep)
			}
		}
	}
}

// linked are the import paths of all that go list finds to be linked into what args name.
func linked(t *testing.T, args ...string) []string {
	out, err := exec.Command("go", append([]string{"list", "-race", "-deps"}, args...)...).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func TestImportsFollowTheGraph(t *testing.T) {
	for _, p := range packages(t) {
		rel := strings.TrimPrefix(p.ImportPath, module)
		allow, known := allowed[rel]
		for _, place := range byPlace {
			if !known && strings.HasPrefix(rel+"/", place.prefix) {
				allow, known = place.allow, true
				break
			}
		}
		imports := p.Imports
		if !known && len(imports) == 0 {
			continue // tests only
		}
		require.True(t, known, "package %s has no place in the import graph: give it one", rel)
		for _, i := range imports {
			if standard(i) || permitted(i, allow) {
				continue
			}
			t.Errorf("%s imports %s, which the graph does not allow", rel, strings.TrimPrefix(i, module))
		}
	}
}

// provers are the only packages that may import the list of suites: what proves things
// about suites, and what generates files from them.
var provers = []string{"checker/internal/cli", "checker/internal/handout", "checker/internal/prose"}

// TestOnlyProversLinkSuites: the packages that judge, explain and report know the labs by
// the catalog's data. They neither import a suite nor anything that does.
func TestOnlyProversLinkSuites(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range packages(t) {
		imports[strings.TrimPrefix(p.ImportPath, module)] = p.Imports
	}
	var links func(rel string) bool
	links = func(rel string) bool {
		return rel == "checker/internal/suites" || strings.HasPrefix(rel, "checker/internal/suites/") ||
			slices.ContainsFunc(imports[rel], func(i string) bool { return strings.HasPrefix(i, module) && links(strings.TrimPrefix(i, module)) })
	}
	isBridge := func(rel string) bool { return strings.HasPrefix(rel, bridges) || rel == realBridge }
	for rel := range imports {
		for _, i := range imports[rel] {
			require.False(t, isBridge(strings.TrimPrefix(i, module)), "%s imports a bridge", rel)
			require.False(t, i == internal+"real/realtest" && rel != realBridge, "%s links the suite of real", rel)
		}
		if isBridge(rel) || strings.HasPrefix(rel, "checker/internal/suites") || rel == "checker" || slices.Contains(provers, rel) {
			continue
		}
		require.False(t, links(rel), "%s links the suites", rel)
	}
	require.True(t, links("checker/internal/handout"), "this test does not see who links them")
}

func packages(t *testing.T) []listed {
	cmd := exec.Command("go", "list", "-race", "-json=ImportPath,Imports,Standard", module+"...")
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	d := json.NewDecoder(strings.NewReader(string(out)))
	for d.More() {
		var p listed
		require.NoError(t, d.Decode(&p))
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}

// standard reports whether a path is the standard library's: its first element has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func permitted(path string, allow []string) bool {
	for _, a := range allow {
		if path == a || strings.HasSuffix(a, "/") && strings.HasPrefix(path, a) {
			return true
		}
	}
	return false
}
