package kernel

import (
	"maps"
	"sync"
	"testing"
)

type pod struct {
	name   string
	labels map[string]string
}

func (p *pod) copy() *pod { return &pod{p.name, maps.Clone(p.labels)} }

type lister struct {
	mu   sync.RWMutex
	pods map[string]*pod
}

func (l *lister) get(name string) *pod {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.pods[name]
}

func mark(l *lister, by string) *pod {
	p := l.get("web").copy()
	p.labels["seen-by"] = by
	return p
}

func Kernel(t testing.TB) {
	l := &lister{pods: map[string]*pod{"web": {"web", map[string]string{"app": "web"}}}}
	var wg sync.WaitGroup
	wg.Go(func() { mark(l, "autoscaler") })
	wg.Go(func() {
		if l.get("web").labels["app"] != "web" {
			t.Error("the label is gone")
		}
	})
	wg.Wait()
}
