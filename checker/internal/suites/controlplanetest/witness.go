package controlplanetest

import (
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// witness hears of every change at the API server before the write that makes it
// returns, and holds what stands there then against the invariants. Its methods are called
// under the server's locks, so all it does is count.
type witness struct {
	mu       sync.Mutex // guards the fields below
	pods     map[string]*kit.Pod
	nodes    map[string]*kit.Node
	most     int // pods that there may be
	least    int // pods that have to be available
	broken   string
	bindings int
	writes   int // of anything but nodes
	evicted  int // pods that were deleted
	tainted  int // nodes that were given a taint
}

func newWitness(most int) *witness {
	return &witness{pods: map[string]*kit.Pod{}, nodes: map[string]*kit.Node{}, most: most}
}

// available sets how many pods have to be available from now on.
func (w *witness) available(least int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.least = least
}

// verdict is the first invariant that was broken.
func (w *witness) verdict() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// breaks notes that an invariant is broken. The lock is held.
func (w *witness) breaks(format string, args ...any) {
	if w.broken == "" {
		w.broken = fmt.Sprintf(format, args...)
	}
}

// podJournal and its like are the witness's ears.
type (
	podJournal                 struct{ *witness }
	nodeJournal                struct{ *witness }
	otherJournal[T kit.Object] struct{ *witness }
)

func (w podJournal) Commit(e kit.Event[*kit.Pod]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	key, old := kit.Key(e.Object), w.pods[kit.Key(e.Object)]
	if e.Type == kit.Deleted {
		w.evicted++
		delete(w.pods, key)
		w.count(e)
		return
	}
	w.pods[key] = e.Object
	if old != nil && old.Spec.NodeName != "" && old.Spec.NodeName != e.Object.Spec.NodeName {
		w.breaks("Pod %s was bound to %s and then to %q: no pod is ever bound twice.", key, old.Spec.NodeName, e.Object.Spec.NodeName)
	}
	if node := e.Object.Spec.NodeName; node != "" && (old == nil || old.Spec.NodeName == "") {
		w.bindings++
		w.fits(node)
	}
	w.count(e)
}

// count holds the number of pods, and of those that are available, against the fenceposts.
func (w podJournal) count(e kit.Event[*kit.Pod]) {
	pods, available := 0, 0
	for _, p := range w.pods {
		if p.Active() {
			pods++
			if p.Status.Ready {
				available++
			}
		}
	}
	if pods > w.most {
		w.breaks("With pod %s there are %d pods: at no moment may there be more than replicas + maxSurge, which are %d.", kit.Key(e.Object), pods, w.most)
	}
	if available < w.least {
		w.breaks("Without pod %s (%s) %d pods are available: by the deployment's own doing there may never be fewer than replicas - maxUnavailable, which are %d.",
			kit.Key(e.Object), e.Type, available, w.least)
	}
}

// fits holds a binding against what the node has to give.
func (w podJournal) fits(name string) {
	node := w.nodes[name]
	if node == nil {
		w.breaks("A pod was bound to node %s, which does not exist.", name)
		return
	}
	pods, cpu := int64(0), int64(0)
	for _, p := range w.pods {
		if p.Spec.NodeName == name && p.Status.Phase != kit.PodSucceeded && p.Status.Phase != kit.PodFailed {
			pods, cpu = pods+1, cpu+p.Spec.CPU
		}
	}
	if give := node.Status.Allocatable; pods > give.Pods || cpu > give.CPU {
		w.breaks("Node %s has %d pods that ask for %dm of CPU: that is more than it has to give (%d pods, %dm).", name, pods, cpu, give.Pods, give.CPU)
	}
}

func (w nodeJournal) Commit(e kit.Event[*kit.Node]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.nodes[e.Object.Name]; old != nil && len(e.Object.Spec.Taints) > len(old.Spec.Taints) {
		w.tainted++
	}
	w.nodes[e.Object.Name] = e.Object
	if e.Type == kit.Deleted {
		delete(w.nodes, e.Object.Name)
	}
}

func (w otherJournal[T]) Commit(kit.Event[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
}

// sum is what the witness has counted.
func (w *witness) sum() (writes, bindings, evicted, tainted int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes, w.bindings, w.evicted, w.tainted
}
