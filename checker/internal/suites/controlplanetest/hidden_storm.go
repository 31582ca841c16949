package controlplanetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// tempest is what goes on in a storm.
type tempest struct {
	*cluster
	storm   *storm
	rng     *rand.Rand
	kills   bool
	nodes   bool
	least   int // pods that have to be available; 0 for a storm that takes pods itself
	length  time.Duration
	pace    time.Duration        // between two changes that the user makes, at most
	stopped map[string]time.Time // components that are down, and until when
}

func newTempest(t *conform.T, s Subject, st *storm, o setup) *tempest {
	st.seed = t.Seed()
	o.connect = st.connect
	return &tempest{cluster: openCluster(t, s, o), storm: st, rng: t.Rand(), length: 2 * time.Minute, pace: 15 * time.Second, stopped: map[string]time.Time{}}
}

// rage is the storm itself, and what has to come after it.
func (x *tempest) rage() {
	defer x.close()
	x.storm.mu.Lock()
	x.storm.calm = true // everybody gets a good start
	x.storm.mu.Unlock()
	x.deploy("a")
	x.converge("a", 2*time.Minute)
	x.witness.available(x.least)
	x.storm.mu.Lock()
	x.storm.calm = false
	x.storm.mu.Unlock()
	x.t.Note("the storm begins")
	deploy := time.Now()
	for end := time.Now().Add(x.length); time.Now().Before(end); time.Sleep(time.Duration(x.rng.IntN(2000)) * time.Millisecond) {
		if !time.Now().Before(deploy) {
			x.deploy(string(rune('a' + x.rng.IntN(4))))
			deploy = time.Now().Add(time.Duration(x.rng.Int64N(int64(x.pace))))
		}
		x.strike()
		x.sound()
	}
	x.t.Note("the storm is over")
	x.storm.over()
	for component := range x.stopped {
		x.bringBack(component)
	}
	x.deploy("end")
	x.converge("end", 20*time.Minute)
	x.storm.exorcised(x.t)
	x.rest()
}

// strike does one thing that goes wrong.
func (x *tempest) strike() {
	for component, until := range x.stopped {
		if time.Now().After(until) {
			x.bringBack(component)
		}
	}
	all := x.plane.Components()
	x.t.Require(len(all) > 0, "The control plane runs, and Components returned no name.")
	component := all[x.rng.IntN(len(all))]
	if x.kills && x.rng.IntN(2) == 0 && x.stopped[component].IsZero() {
		x.t.Note("Kill(%s)", component)
		x.plane.Kill(component)
	}
	if x.nodes && strings.HasPrefix(component, "kubelet/") && len(x.stopped) < 2 && x.stopped[component].IsZero() {
		x.takeAway(component)
	}
}

// takeAway loses a node: its power, or its network.
func (x *tempest) takeAway(component string) {
	x.stopped[component] = time.Now().Add(time.Duration(x.rng.IntN(600)) * time.Second)
	if x.rng.IntN(2) == 0 {
		x.t.Note("Stop(%s)", component)
		x.plane.Stop(component)
		return
	}
	x.t.Note("%s no longer reaches anybody", component)
	x.storm.split(component, true)
}

func (x *tempest) bringBack(component string) {
	delete(x.stopped, component)
	x.t.Note("%s is back", component)
	x.storm.split(component, false)
	x.plane.Resume(component)
}

// knowsBeforeItBinds has a scheduler whose requests to list or watch one type take five seconds, and
// kills it in the midst of the first of them.
func knowsBeforeItBinds(t *conform.T, s Subject, slow string) {
	answered := &atomic.Bool{}
	run := func(ctx context.Context, run func(ctx context.Context) error) error {
		if !answered.Load() {
			t.Errorf("Run of the scheduler was called, and its first request for the %s was not answered yet. Its informers have synced before that, that of %s among them.", slow, slow)
		}
		return run(ctx)
	}
	connect := func(component string, api API) API {
		switch {
		case component == "scheduler" && slow == "nodes":
			api.Nodes = sluggish[*kit.Node]{api.Nodes, answered}
		case component == "scheduler":
			api.Pods = sluggish[*kit.Pod]{api.Pods, answered}
		}
		return api
	}
	t.Note("the scheduler waits 5s for its %s", slow)
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: connect, runScheduler: run})
	defer c.close()
	c.deploy("a")
	time.Sleep(2 * time.Second)
	c.kill("scheduler")
	c.converge("a", 2*time.Minute)
}

// knowsBeforeItBeats has the first list of the informer that all kubelets share take five seconds.
func knowsBeforeItBeats(t *conform.T, s Subject) {
	answered := &atomic.Bool{}
	connect := func(component string, api API) API {
		switch component {
		case "kubelets":
			api.Pods = sluggish[*kit.Pod]{api.Pods, answered}
		case "kubelet/n1":
			api.Nodes = early{api.Nodes, t, answered}
		}
		return api
	}
	t.Note("the informer that all kubelets share waits 5s for its pods")
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: connect})
	defer c.close()
	c.deploy("a")
	c.converge("a", 2*time.Minute)
}

// early is a kubelet's connection for nodes, which is not to be used for a report before the
// informer of all kubelets has its first answer.
type early struct {
	Resource[*kit.Node]
	t        *conform.T
	answered *atomic.Bool
}

func (r early) look(what string, node *kit.Node) {
	if !r.answered.Load() {
		r.t.Errorf("The component kubelet/n1 %s node %s, and the first request of KubeletWatch for the pods was not answered yet. Run of a Kubelet is called when KubeletWatch has synced, and nothing else reports a node.", what, node.Name)
	}
}

func (r early) Create(ctx context.Context, node *kit.Node) (*kit.Node, error) {
	r.look("created", node)
	return r.Resource.Create(ctx, node)
}

func (r early) Update(ctx context.Context, node *kit.Node) (*kit.Node, error) {
	r.look("updated", node)
	return r.Resource.Update(ctx, node)
}

// sluggish is a type of a connection, and slow to list or watch until the first of these requests is answered.
type sluggish[T kit.Object] struct {
	Resource[T]
	answered *atomic.Bool
}

// dawdle takes its time before the first answer.
func (r sluggish[T]) dawdle(ctx context.Context) error {
	if r.answered.Load() {
		return nil
	}
	select {
	case <-time.After(5 * time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r sluggish[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := r.dawdle(ctx); err != nil {
		return kit.List[T]{}, err
	}
	defer r.answered.Store(true)
	return r.Resource.List(ctx, options)
}

func (r sluggish[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := r.dawdle(ctx); err != nil {
		return nil, err
	}
	defer r.answered.Store(true)
	return r.Resource.Watch(ctx, options)
}

func checkConflicts(t *conform.T, open func() Subject) {
	s := open()
	x := newTempest(t, s, &storm{conflicts: 0.3}, setup{replicas: 6, surge: "2", unavailable: "1", nodes: 3})
	x.least = 5
	x.rage()
}

func checkWatches(t *conform.T, open func() Subject) {
	s := open()
	x := newTempest(t, s, &storm{cuts: 0.03, lag: 5 * time.Second}, setup{replicas: 6, surge: "2", unavailable: "1", nodes: 3})
	x.least = 5
	x.rage()
}

func checkKills(t *conform.T, open func() Subject) {
	s := open()
	knowsBeforeItBinds(t, s, "nodes")
	knowsBeforeItBinds(t, s, "pods")
	knowsBeforeItBeats(t, s)
	x := newTempest(t, s, &storm{}, setup{replicas: 6, surge: "2", unavailable: "1", nodes: 3})
	x.least, x.kills = 5, true
	x.rage()
}

func checkLostNodes(t *conform.T, open func() Subject) {
	s := open()
	x := newTempest(t, s, &storm{}, setup{replicas: 6, surge: "2", unavailable: "1", nodes: 5, room: 4})
	x.nodes, x.length, x.pace = true, 15*time.Minute, time.Minute
	x.rage()
	_, _, evicted, tainted := x.witness.sum()
	t.Require(tainted > 0, "Nodes were lost for minutes, and none was ever tainted.")
	t.Require(evicted > 0, "Nodes were lost for minutes, and no pod was ever deleted.")
	list, err := x.api.Nodes.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "The API server does not list its nodes: %v.", err)
	for _, n := range list.Items {
		t.Require(!slices.ContainsFunc(n.Spec.Taints, func(taint kit.Taint) bool { return taint.Key == kit.TaintUnreachable }),
			"All nodes are back, and %s is still tainted as unreachable: %s.", n.Name, showNode(n))
		t.Require(n.Status.Ready, "All nodes are back, and the status of %s says that it is not ready.", n.Name)
	}
}

// jumpy is a clock that is set wrong every now and then.
type jumpy struct {
	mu  sync.Mutex // guards rng
	rng *rand.Rand
}

func (j *jumpy) of(string) func() time.Time {
	return func() time.Time {
		j.mu.Lock()
		defer j.mu.Unlock()
		return time.Now().Add(time.Duration(j.rng.IntN(7200)-3600) * time.Second)
	}
}

func checkJumps(t *conform.T, open func() Subject) {
	s := open()
	clock := &jumpy{rng: rand.New(rand.NewPCG(t.Seed(), 1))}
	c := openCluster(t, s, setup{replicas: 6, surge: "2", unavailable: "1", nodes: 3, clock: clock.of})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	c.witness.available(6)
	time.Sleep(20 * time.Minute)
	_, bound, gone, tainted := c.witness.sum()
	c.sound()
	t.Require(bound == 6 && gone == 0 && tainted == 0, "All nodes are alive, and their clocks jump by hours. There were %d bindings, %d deletions of pods and %d taints. It should be 6 bindings, one for each pod, and nothing else.", bound, gone, tainted)
}

func checkEverything(t *conform.T, open func() Subject) {
	s := open()
	clock := &jumpy{rng: rand.New(rand.NewPCG(t.Seed(), 1))}
	x := newTempest(t, s, &storm{conflicts: 0.3, cuts: 0.02, lag: 3 * time.Second},
		setup{replicas: 6, surge: "2", unavailable: "1", nodes: 5, room: 4, clock: clock.of})
	x.kills, x.nodes, x.length = true, true, 10*time.Minute
	x.rage()
}
