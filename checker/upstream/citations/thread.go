package citations

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// A Thread is an issue or pull request on GitHub.
type Thread struct {
	Repo   string // by its short name, as in kubernetes#6627
	Number int
}

func (t Thread) String() string { return fmt.Sprintf("%s#%d", t.Repo, t.Number) }

// owners are the repositories whose threads the book cites.
var owners = map[string]string{
	"kubernetes":         "kubernetes/kubernetes",
	"client-go":          "kubernetes/client-go",
	"utils":              "kubernetes/utils",
	"controller-runtime": "kubernetes-sigs/controller-runtime",
	"kubebuilder":        "kubernetes-sigs/kubebuilder",
	"istio":              "istio/istio",
	"go":                 "golang/go",

	// Operators in the wild.
	"ack":                           "aws-controllers-k8s/community",
	"assisted-service":              "openshift/assisted-service",
	"cloud-credential-operator":     "openshift/cloud-credential-operator",
	"cluster-api-provider-outscale": "outscale/cluster-api-provider-outscale",
	"crossplane-runtime":            "crossplane/crossplane-runtime",
	"hive":                          "openshift/hive",
	"kubeuser":                      "openkube-hub/KubeUser",
	"multigres-operator":            "multigres/multigres-operator",
	"ocm-work":                      "open-cluster-management-io/work",
}

// URL leads to the thread: GitHub sends the number of a pull request on from /issues/.
func (t Thread) URL() string {
	return fmt.Sprintf("https://github.com/%s/issues/%d", owners[t.Repo], t.Number)
}

// linked is a number with its link: the link says whose number it is.
var linked = regexp.MustCompile(`\[#\d+\]\((https://github\.com/[^)]*)\)`)

var threadAt = regexp.MustCompile(`(?:^|[^\w/&#.-])([a-z][a-z-]*[a-z])?#(\d{2,6})\b|github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)`)

// Threads returns the threads that a text cites. A number without a repository is one of the
// repository before it in the same paragraph, or else one of kubernetes.
func Threads(text string) []Thread {
	var all []Thread
	for _, paragraph := range strings.Split(linked.ReplaceAllString(text, "$1"), "\n\n") {
		repo := "kubernetes"
		for _, m := range threadAt.FindAllStringSubmatch(paragraph, -1) {
			switch {
			case m[3] != "":
				repo = shortName(m[3])
			case m[1] != "":
				repo = m[1]
			}
			n, _ := strconv.Atoi(m[2] + m[4])
			all = append(all, Thread{Repo: repo, Number: n})
		}
	}
	return all
}

func shortName(full string) string {
	for short, owner := range owners {
		if owner == full {
			return short
		}
	}
	return full
}

// table is where all threads stand.
const table = "docs/sources.md"

// Cited returns where in the repository each thread is cited: the labs by number, documents
// by name.
func Cited(root string) (map[Thread][]string, error) {
	found := map[Thread]map[string]bool{}
	for _, dir := range []string{"README.md", "docs", "labs", "solutions", "checker/internal/stubs", "checker/internal/suites", "checker/faults", "checker/upstream"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			if ext := filepath.Ext(name); ext != ".go" && ext != ".md" || name == table || strings.HasPrefix(name, "checker/upstream/citations/") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			prose := string(text)
			if filepath.Ext(name) == ".md" {
				prose = fence.ReplaceAllString(prose, "") // a picture may number things, too
			}
			for _, t := range Threads(prose) {
				if found[t] == nil {
					found[t] = map[string]bool{}
				}
				found[t][place(name)] = true
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	all := map[Thread][]string{}
	for t, places := range found {
		for p := range places {
			all[t] = append(all[t], p)
		}
		slices.Sort(all[t])
	}
	return all, nil
}

var labDir = regexp.MustCompile(`/(\d\d)-[\w-]+/`)

// place is what a reader of the table wants to know of a file: which lab, or which document.
func place(name string) string {
	if m := labDir.FindStringSubmatch(name); m != nil {
		return "lab " + m[1]
	}
	for _, lab := range catalog.Labs() {
		if strings.HasPrefix(name, lab.Suite+"/") {
			return fmt.Sprintf("lab %02d", lab.Number)
		}
	}
	if strings.HasPrefix(name, "checker/upstream/") {
		return "docs/upstream.md"
	}
	return name
}

var row = regexp.MustCompile(`(?m)^\| \[([\w-]+)#(\d+)\]\(([^)]*)\) \| (issue|pull request|thread) \| (.+?) \| (.*?) \|$`)

// An Entry is a row of the table.
type Entry struct {
	Thread
	Link, Kind, Says, Used string
}

// Entries reads the table.
func Entries(text string) []Entry {
	var all []Entry
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[2])
		all = append(all, Entry{Thread{m[1], n}, m[3], m[4], m[5], m[6]})
	}
	return all
}

// Less orders the table: by repository, then by number.
func Less(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Number, b.Number))
}
