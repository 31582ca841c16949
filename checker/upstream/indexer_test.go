package upstream

import (
	"testing"

	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/checker/internal/suites/indexertest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The adapter of lab 15 gives objects their type.
func TestIndexer(t *testing.T) {
	run(t, indexertest.Lab(), indexertest.Cases(), func() indexertest.Subject {
		return indexertest.Subject{New: func(indexers map[string]indexertest.IndexFunc) indexertest.Indexer {
			return indexer{cache.NewIndexer(podKey, indexersOf(indexers))}
		}}
	})
}

// indexersOf are index functions as client-go calls them.
func indexersOf(ours map[string]indexertest.IndexFunc) cache.Indexers {
	theirs := cache.Indexers{}
	for name, f := range ours {
		theirs[name] = func(obj any) ([]string, error) { return f(podOf(obj)) }
	}
	return theirs
}

type indexer struct{ cache.Indexer }

func (x indexer) Add(p *kit.Pod) error    { return x.Indexer.Add(p) }
func (x indexer) Update(p *kit.Pod) error { return x.Indexer.Update(p) }
func (x indexer) Delete(p *kit.Pod) error { return x.Indexer.Delete(p) }

func (x indexer) Replace(list []*kit.Pod, resourceVersion string) error {
	return x.Indexer.Replace(anys(list), resourceVersion)
}

func (x indexer) List() []*kit.Pod { return pods(x.Indexer.List()) }

func (x indexer) Get(p *kit.Pod) (*kit.Pod, bool) { return found(x.Indexer.Get(p)) }

func (x indexer) GetByKey(key string) (*kit.Pod, bool) { return found(x.Indexer.GetByKey(key)) }

func (x indexer) Index(name string, p *kit.Pod) ([]*kit.Pod, error) {
	all, err := x.Indexer.Index(name, p)
	return pods(all), err
}

func (x indexer) ByIndex(name, value string) ([]*kit.Pod, error) {
	all, err := x.Indexer.ByIndex(name, value)
	return pods(all), err
}

func (x indexer) AddIndexers(more map[string]indexertest.IndexFunc) error {
	return x.Indexer.AddIndexers(indexersOf(more))
}

// found drops the error that client-go's stores always return as nil.
func found(obj any, exists bool, _ error) (*kit.Pod, bool) {
	return podOf(obj), exists
}

func pods(all []any) []*kit.Pod {
	ours := make([]*kit.Pod, len(all))
	for i, obj := range all {
		ours[i] = podOf(obj)
	}
	return ours
}
