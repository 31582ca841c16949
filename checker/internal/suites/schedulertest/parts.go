package schedulertest

import (
	"errors"
	"iter"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// What goes wrong with requests.
var (
	errNotWell = kit.NewStatusError(kit.ReasonInternalError, "etcd is not well")
	errReset   = errors.New("the connection was reset")
	errNoRoute = errors.New("no route to the server")
)

// used is what those of the pods ask for that run on a node.
func used(pods iter.Seq[*kit.Pod], node string) kit.Resources {
	sum := kit.Resources{}
	for p := range pods {
		if p.Spec.NodeName == node && p.Status.Phase != kit.PodSucceeded && p.Status.Phase != kit.PodFailed {
			sum.CPU += p.Spec.CPU
			sum.Memory += p.Spec.Memory
			sum.Pods++
		}
	}
	return sum
}

// show is a pod as it stands in histories.
func show(p *kit.Pod) string {
	s := p.Name
	if p.ResourceVersion != "" {
		s += "@" + p.ResourceVersion
	}
	if p.Spec.NodeName != "" {
		s += " on " + p.Spec.NodeName
	}
	if p.DeletionTimestamp != nil {
		s += " being deleted"
	}
	return s
}

// gate stops every caller of pass until it is opened.
type gate struct {
	reached, opened chan struct{}
	first, open     sync.Once
}

func newGate() *gate { return &gate{reached: make(chan struct{}), opened: make(chan struct{})} }

// pass waits until the gate is open.
func (g *gate) pass() {
	g.first.Do(func() { close(g.reached) })
	<-g.opened
}

// unlock opens the gate for all and for ever.
func (g *gate) unlock() { g.open.Do(func() { close(g.opened) }) }

// has reports whether text has every part in it.
func has(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
