package conform

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type comparison struct {
	name      string
	want, got any
	says      string
}

func pod(edit func(p *kit.Pod)) *kit.Pod {
	p := &kit.Pod{
		ObjectMeta: kit.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7", Labels: map[string]string{"app": "web"}},
		Spec:       kit.PodSpec{Image: "v1", CPU: 100},
	}
	edit(p)
	return p
}

func same(*kit.Pod) {}

type result struct {
	RequeueAfter time.Duration
	Err          error
	inner        struct{ hidden, other int }
}

var (
	noon               = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)
	later              = noon.Add(1500 * time.Millisecond)
	errLost, errBroken = errors.New("lost"), errors.New("broken")
	inside             = func() (r result) { r.inner.hidden = 1; return r }()
)

var values = []comparison{
	{"equal", pod(same), pod(same), ""},
	{"one moment in two zones", noon, noon.In(time.FixedZone("there", 3600)), ""},
	{"numbers", 3, 2, "it is 2, should be 3"},
	{"texts", "a", "b", `it is "b", should be "a"`},
	{"durations", 3 * time.Second, time.Minute, "it is 1m0s, should be 3s"},
	{"moments", noon, later, "it is 12:00:01.5, should be 12:00:00"},
	{"days", noon, noon.AddDate(0, 0, 1), "it is 2000-01-02 12:00:00, should be 2000-01-01 12:00:00"},
	{"a map", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 2}, `"a" is 2, should be 1`},
	{"a map of requests", map[kit.Request]int{{Namespace: "shop", Name: "a"}: 2}, map[kit.Request]int{}, "shop/a is missing, should be 2"},
	{"a short list", []string{"a", "b"}, []string{"b"}, `it is ["b"], should be ["a" "b"]`},
	{"a list of moments", []time.Duration{0, time.Second}, []time.Duration{0, 2 * time.Second}, "it is [0s 2s], should be [0s 1s]"},
	{"an array", [2]int{1, 2}, [2]int{2, 1}, "it is [2 1], should be [1 2]"},
	{"a long list", strings.Fields(strings.Repeat("element ", 20)), append(strings.Fields(strings.Repeat("element ", 19)), "last"),
		`element 19 is "last", should be "element"`},
	{"objects", []*kit.Pod{pod(same)}, []*kit.Pod{pod(same), nil}, "it is [shop/web@7 nil], should be [shop/web@7]"},
	{"objects of one version", []*kit.Pod{pod(same)}, []*kit.Pod{pod(func(p *kit.Pod) { p.Spec.Image = "v2" })}, `element 0.spec.image is "v2", should be "v1"`},
	{"no list at all", []int{}, []int(nil), "it is nil, should be []"},
	{"no map at all", map[string]int(nil), map[string]int{}, "it is map[], should be nil"},
	{"errors", result{Err: errLost}, result{Err: errBroken}, "Err is broken, should be lost"},
	{"an error too many", result{}, result{Err: errBroken}, "Err is broken, should be nil"},
	{"equal errors", result{Err: errLost}, result{Err: errors.New("lost")}, ""},
	{"Go's own names", result{RequeueAfter: time.Second}, result{}, "RequeueAfter is 0s, should be 1s"},
	{"what is not exported", inside, result{}, "inner.hidden is 0, should be 1"},
	{"types", 1, int64(1), "it is 1 of type int64, should be 1 of type int"},
	{"nothing", nil, 3, "it is 3, should not be there"},
	{"nothing at all", nil, nil, ""},
	{"no moment", time.Time{}, noon, "it is 2000-01-01 12:00:00, should be not set"},
}

var objects = []comparison{
	{"a field", pod(func(p *kit.Pod) { p.Spec.Image = "v2" }), pod(same), `spec.image is "v1", should be "v2"`},
	{"a pointer that is nil", pod(func(p *kit.Pod) { p.DeletionTimestamp = &noon }), pod(same), "metadata.deletionTimestamp is nil, should be 2000-01-01 12:00:00"},
	{"a moment behind pointers", pod(func(p *kit.Pod) { p.DeletionTimestamp = &noon }), pod(func(p *kit.Pod) { p.DeletionTimestamp = &later }),
		"metadata.deletionTimestamp is 12:00:01.5, should be 12:00:00"},
	{"several fields", pod(same), pod(func(p *kit.Pod) { p.Name, p.Spec.CPU = "db", 200 }), `metadata.name is "db", should be "web"; spec.cpu is 200, should be 100`},
	{"labels", pod(func(p *kit.Pod) { p.Labels = map[string]string{"tier": "front"} }), pod(same),
		`metadata.labels["app"] is "web", should not be there; metadata.labels["tier"] is missing, should be "front"`},
}

func TestDiffer(t *testing.T) {
	for _, c := range append(values, objects...) {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.says, Differ(c.want, c.got))
		})
	}
}

func TestChanges(t *testing.T) {
	before := pod(func(p *kit.Pod) { p.Labels = map[string]string{"app": "web", "old": "x"} })
	after := pod(func(p *kit.Pod) {
		p.Labels = map[string]string{"app": "db", "new": "y"}
		p.Spec.Image = "b"
	})
	assert.Equal(t, `metadata.labels["app"]: "web" → "db"; metadata.labels["new"]: missing → "y"; metadata.labels["old"]: "x" → missing; spec.image: "v1" → "b"`, Changes(before, after))
	assert.Empty(t, Changes(before, before))
}

func TestDifferIsBounded(t *testing.T) {
	want, got := map[int]string{}, map[int]string{}
	for i := range 100 {
		want[i], got[i] = strings.Repeat("x", 1000), strings.Repeat("y", 1000)
	}
	said := Differ(want, got)
	assert.Less(t, len(said), 1000)
	assert.Contains(t, said, "; and 96 more")

	type ring struct{ Next *ring }
	a, b := &ring{}, &ring{}
	a.Next, b.Next = a, b
	assert.Empty(t, Differ(a, b), "two rings of one")
}
