package upstream

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/checker/internal/suites/reflectortest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The reflector is used as it is; the suite's server and store are put into
// client-go's words.
func TestReflector(t *testing.T) {
	run(t, reflectortest.Lab(), reflectortest.Cases(), func() reflectortest.Subject {
		return func(lw kit.ListerWatcher[*kit.Pod], store kit.DeltaStore[*kit.Pod], o reflectortest.Options) reflectortest.Reflector {
			theirs := cache.ReflectorOptions{Name: "lab-16", ResyncPeriod: o.ResyncPeriod, MinWatchTimeout: o.MinWatchTimeout}
			if o.Backoff != (kit.Backoff{}) {
				theirs.Backoff = new(wait.Backoff(o.Backoff))
			}
			r := cache.NewReflectorWithOptions(server{lw}, &object{}, reflected{store}, theirs)
			r.ShouldResync = o.ShouldResync
			return reflector{r}
		}
	})
}

type reflector struct{ *cache.Reflector }

func (r reflector) Run(ctx context.Context)                { r.RunWithContext(ctx) }
func (r reflector) ListAndWatch(ctx context.Context) error { return r.ListAndWatchWithContext(ctx) }

// reflected is a suite's store as client-go's reflector writes to it.
type reflected struct{ store kit.DeltaStore[*kit.Pod] }

var _ cache.ReflectorStore = reflected{}

func (r reflected) Add(obj any) error    { return r.store.Add(podOf(obj)) }
func (r reflected) Update(obj any) error { return r.store.Update(podOf(obj)) }
func (r reflected) Delete(obj any) error { return r.store.Delete(podOf(obj)) }
func (r reflected) Resync() error        { return r.store.Resync() }

func (r reflected) Replace(list []any, resourceVersion string) error {
	return r.store.Replace(pods(list), resourceVersion)
}
