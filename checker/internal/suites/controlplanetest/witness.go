package controlplanetest

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// witness hears of every change at the API server before the write that makes it
// returns, and holds what stands there then against the invariants. Its methods are called
// under the server's locks, so all it does is count.
type witness struct {
	actor *conform.Actor // the journal of what was written

	mu       sync.Mutex // guards the fields below
	pods     map[string]*kit.Pod
	nodes    map[string]*kit.Node
	sets     map[string]*kit.ReplicaSet
	most     int // pods that there may be
	least    int // pods that have to be available
	broken   string
	bindings int
	writes   int // of anything but nodes
	evicted  int // pods that were deleted
	tainted  int // nodes that were given a taint
}

func newWitness(t *conform.T, most int) *witness {
	return &witness{
		actor: t.Named("API server"), pods: map[string]*kit.Pod{}, nodes: map[string]*kit.Node{}, sets: map[string]*kit.ReplicaSet{}, most: most,
	}
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

// breaks notes that an invariant breaks now, and how things stand. The lock is held.
func (w *witness) breaks(format string, args ...any) {
	if w.broken != "" {
		return
	}
	w.broken = fmt.Sprintf(format, args...)
	for _, key := range slices.Sorted(maps.Keys(w.sets)) {
		w.actor.Note("at this moment: ReplicaSet %s", showSet(w.sets[key]))
	}
	w.actor.Breaks("%s", w.broken)
}

// podJournal and its like are the witness's ears.
type (
	podJournal        struct{ *witness }
	nodeJournal       struct{ *witness }
	setJournal        struct{ *witness }
	deploymentJournal struct{ *witness }
)

func (w podJournal) Commit(e kit.Event[*kit.Pod]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	key, old := kit.Key(e.Object), w.pods[kit.Key(e.Object)]
	w.actor.Note("pod %s %s", wrote(e.Type), showPod(e.Object))
	if e.Type == kit.Deleted {
		w.evicted++
		delete(w.pods, key)
		w.count(e)
		return
	}
	w.pods[key] = e.Object
	if old != nil && old.Spec.NodeName != "" && old.Spec.NodeName != e.Object.Spec.NodeName {
		w.breaks("Pod %s was bound to node %s and then to node %q: no pod is ever bound twice.", key, old.Spec.NodeName, e.Object.Spec.NodeName)
	}
	if node := e.Object.Spec.NodeName; node != "" && (old == nil || old.Spec.NodeName == "") {
		w.bindings++
		w.fits(key, node)
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
		w.breaks("Pod %s was created, and with it there are %d pods: at no moment may there be more than replicas + maxSurge, which are %d.", kit.Key(e.Object), pods, w.most)
	}
	if available < w.least {
		what := "is not ready any more"
		if e.Type == kit.Deleted {
			what = "was deleted"
		}
		w.breaks("Pod %s %s, and without it %d pods are available: by the deployment's own doing there may never be fewer than replicas - maxUnavailable, which are %d.",
			kit.Key(e.Object), what, available, w.least)
	}
}

// fits holds a binding against what the node has to give.
func (w podJournal) fits(key, name string) {
	node := w.nodes[name]
	if node == nil {
		w.breaks("Pod %s was bound to node %s, which does not exist.", key, name)
		return
	}
	pods, cpu := int64(0), int64(0)
	for _, p := range w.pods {
		if p.Spec.NodeName == name && p.Status.Phase != kit.PodSucceeded && p.Status.Phase != kit.PodFailed {
			pods, cpu = pods+1, cpu+p.Spec.CPU
		}
	}
	if give := node.Status.Allocatable; pods > give.Pods || cpu > give.CPU {
		w.breaks("Pod %s was bound to node %s, which has %d pods now that ask for %dm of CPU. It has to give %d pods and %dm.", key, name, pods, cpu, give.Pods, give.CPU)
	}
}

func (w nodeJournal) Commit(e kit.Event[*kit.Node]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.nodes[e.Object.Name]; old != nil && len(e.Object.Spec.Taints) > len(old.Spec.Taints) {
		w.tainted++
	}
	if old := w.nodes[e.Object.Name]; old == nil || e.Type == kit.Deleted || showNode(old) != showNode(e.Object) { // no heartbeats
		w.actor.Note("node %s %s", wrote(e.Type), showNode(e.Object))
	}
	w.nodes[e.Object.Name] = e.Object
	if e.Type == kit.Deleted {
		delete(w.nodes, e.Object.Name)
	}
}

func (w setJournal) Commit(e kit.Event[*kit.ReplicaSet]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	key := kit.Key(e.Object)
	if old := w.sets[key]; old != nil && e.Type != kit.Deleted {
		w.actor.Note("ReplicaSet updated %s, was {%s}", showSet(e.Object), numbers(old))
	} else {
		w.actor.Note("ReplicaSet %s %s", wrote(e.Type), showSet(e.Object))
	}
	w.sets[key] = e.Object
	if e.Type == kit.Deleted {
		delete(w.sets, key)
	}
}

func (w deploymentJournal) Commit(e kit.Event[*kit.Deployment]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	w.actor.Note("deployment %s %s", wrote(e.Type), showDeployment(e.Object))
}

// wrote is what was done to an object, in a word.
func wrote(what kit.EventType) string {
	switch what {
	case kit.Added:
		return "created"
	case kit.Deleted:
		return "deleted"
	}
	return "updated"
}

// sum is what the witness has counted.
func (w *witness) sum() (writes, bindings, evicted, tainted int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes, w.bindings, w.evicted, w.tainted
}
