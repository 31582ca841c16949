package schedulertest

import (
	"errors"
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func highestSumWins(t *conform.T, open func() Subject) {
	by := func(scores map[string]int64) func(*kit.Pod, NodeInfo) int64 {
		return func(_ *kit.Pod, n NodeInfo) int64 { return scores[n.Node.Name] }
	}
	for _, c := range []struct {
		weights [2]int64
		want    string
	}{
		{[2]int64{2, 1}, "y"}, // 180, 190, 100
		{[2]int64{1, 1}, "x"}, // 140, 100, 100
		{[2]int64{1, 9}, "x"},
		{[2]int64{9, 1}, "y"},
		{[2]int64{0, 1}, "x"},
		{[2]int64{1, 0}, "y"},
		{[2]int64{-1, -1}, "z"},     // -140, -100, -99
		{[2]int64{0, -1}, "y"},      // -100, -10, -99
		{[2]int64{-2, -1}, "z"},     // -180, -190, -99
		{[2]int64{1 << 32, 1}, "y"}, // the second score is next to nothing beside the first
	} {
		w := running(t, open(), []*kit.Node{newNode("z", 9), newNode("x", 9), newNode("y", 9)}, func(o *Options) {
			o.Scores = []Score{
				{c.weights[0], by(map[string]int64{"x": 40, "y": 90})},
				{c.weights[1], by(map[string]int64{"x": 100, "y": 10, "z": 99})},
			}
		})
		w.addPods(newPod("a"))
		t.Wait()
		w.runsOn("a", c.want, "With the weights "+strconv.FormatInt(c.weights[0], 10)+" and "+strconv.FormatInt(c.weights[1], 10)+" the pod is not on the node with the highest sum.")
		w.end()
	}
	oneOfTwo(t, open)
	noFilters(t, open())
	bestIsCordoned(t, open())
}

// oneOfTwo has two feasible nodes, of which first the one is better and then the other.
func oneOfTwo(t *conform.T, open func() Subject) {
	for _, best := range []string{"x", "y"} {
		w := running(t, open(), []*kit.Node{newNode("x", 9), newNode("y", 9)}, func(o *Options) {
			o.Scores = []Score{{1, func(_ *kit.Pod, n NodeInfo) int64 {
				if n.Node.Name == best {
					return 60
				}
				return 40
			}}}
		})
		w.addPods(newPod("a"))
		t.Wait()
		w.runsOn("a", best, "Two nodes are feasible, and the pod is not on the one with the higher score.")
		w.end()
	}
}

// bestIsCordoned has Scores and no Filters, and the node with the highest sum is cordoned. Of the others the sum is zero.
func bestIsCordoned(t *conform.T, s Subject) {
	cordoned := with(newNode("cordoned", 9), cordoned)
	w := running(t, s, []*kit.Node{cordoned, newNode("x", 1), newNode("y", 1)}, func(o *Options) {
		o.Scores = []Score{{1, func(_ *kit.Pod, n NodeInfo) int64 {
			if n.Node.Name == "cordoned" {
				return 100
			}
			return 0
		}}}
	})
	w.addPods(newPod("a"), newPod("b"))
	t.Wait()
	for _, name := range []string{"a", "b"} {
		t.Require(w.nodeOf(name) == "x" || w.nodeOf(name) == "y", "Filters is nil, so those of the package decide, and Scores is not. Of three nodes one is cordoned, and for the others the score is 0. Pod %s is on %s, and should be on one of the others.", name, where(w.nodeOf(name)))
	}
	w.end()
}

// noFilters has Filters that are empty and not nil.
func noFilters(t *conform.T, s Subject) {
	cordoned := with(newNode("cordoned", 0), cordoned)
	w := running(t, s, []*kit.Node{cordoned}, func(o *Options) { o.Filters = []Filter{} })
	w.mu.Lock()
	delete(w.nodes, "cordoned") // what the cluster does not know cannot be overcommitted
	w.mu.Unlock()
	w.addPods(newPod("a"))
	t.Wait()
	w.runsOn("a", "cordoned", "Filters is empty and not nil, so no filter refuses anything; and the pod was not bound to the only node.")
	w.end()
}

func enoughIsEnough(t *conform.T, open func() Subject) {
	s := open()
	for _, c := range [][2]int{{0, 0}, {1, 1}, {99, 99}, {100, 100}, {101, 100}, {200, 100}, {250, 120}, {300, 144}, {303, 145}, {1000, 420}, {5000, 500}, {5900, 295}, {20000, 1000}} {
		call := t.Call("NumFeasibleNodesToFind(%d)", c[0])
		got := s.NumFeasibleNodesToFind(c[0])
		call.Returned("%d", got)
		t.Assert(got == c[1], "NumFeasibleNodesToFind(%d) returned %d, and should have returned %d.", c[0], got, c[1])
	}
	t.Virtual(func(t *conform.T) { takesTurns(t, s) })
	t.Virtual(func(t *conform.T) { takesTurnsPastRefused(t, open()) })
	t.Virtual(func(t *conform.T) { takesTurnsThoughANodeComes(t, open()) })
	t.Virtual(func(t *conform.T) { takesTurnsThoughANodeGoes(t, open()) })
	t.Virtual(func(t *conform.T) { takesTurnsPastHopeless(t, open()) })
	t.Virtual(func(t *conform.T) { takesTurnsRound(t, open()) })
	t.Virtual(func(t *conform.T) { enoughAreCordoned(t, open()) })
	t.Virtual(func(t *conform.T) { reasonsOfAllLooks(t, open()) })
	t.Virtual(func(t *conform.T) { enoughThoughNodesChange(t, open()) })
}

// takesTurnsRound has 200 nodes, of which the first hundred and the last will do. For a pod 100 of them are enough.
func takesTurnsRound(t *conform.T, s Subject) {
	const nodes, feasible = 200, 101
	seen := &seen{}
	w := newWorld(t, s, filters(s.NodeUnschedulable), func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		w.addNode(with(newNode("n"+strconv.Itoa(i), 9), func(n *kit.Node) { n.Spec.Unschedulable = feasible-1 <= i && i < nodes-1 }))
	}
	t.Wait()
	w.run()
	for i := range 4 {
		w.addPods(newPod("p" + strconv.Itoa(i)))
		t.Wait()
	}
	t.Require(seen.all() == feasible, "Of 200 nodes 101 are feasible, and 100 are enough. Four attempts scored %d different ones. Each begins where the one before has stopped, so that all nodes have their turn.", seen.all())
	w.end()
}

// takesTurnsPastHopeless has 300 nodes, all of which will do for two pods, and between them a pod for which none will.
func takesTurnsPastHopeless(t *conform.T, s Subject) {
	const nodes, atLeast = 300, 280 // 288 if the third attempt begins where the first has stopped
	seen := &seen{}
	w := newWorld(t, s, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "hopeless" {
			return errors.New("nowhere")
		}
		return nil
	}), func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		w.addNode(newNode("n"+strconv.Itoa(i), 9))
	}
	t.Wait()
	w.run()
	for _, name := range []string{"first", "hopeless", "second"} {
		w.addPods(newPod(name))
		t.Wait()
	}
	t.Require(seen.all() >= atLeast, "Of 300 nodes 144 feasible ones are enough for a pod. After the first attempt there was one that looked at all nodes in vain, and so stopped where it had begun. The attempt after that begins there. "+
		"The first and the last scored %d different nodes, and should have scored 288.", seen.all())
	w.end()
}

// takesTurnsThoughANodeComes has a thousand nodes, all of which will do, and one more that comes
// between two attempts. Where the scheduler puts it among the others is its own affair.
func takesTurnsThoughANodeComes(t *conform.T, s Subject) {
	const nodes, atLeast = 1000, 600 // 840 if the second attempt begins where the first has stopped
	seen := &seen{}
	w := newWorld(t, s, func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		w.addNode(newNode("n"+strconv.Itoa(i), 9))
	}
	t.Wait()
	w.run()
	w.addPods(newPod("first"))
	t.Wait()
	w.addNode(newNode("new", 9))
	t.Wait()
	w.addPods(newPod("second"))
	t.Wait()
	t.Require(seen.all() >= atLeast, "Of 1000 nodes all are feasible, and each of two attempts scored 420. A node was added between them, and both together scored only %d different ones. "+
		"The second attempt begins where the first has stopped, also if a node was added meanwhile.", seen.all())
	w.end()
}

// takesTurnsThoughANodeGoes has 300 nodes, all of which will do. The one of which the filters were asked last
// in the first attempt is deleted before the second.
func takesTurnsThoughANodeGoes(t *conform.T, s Subject) {
	const nodes, atLeast = 300, 200 // 288 if the second attempt begins where the first has stopped
	asked := &asked{}
	w := newWorld(t, s, filters(asked.filter))
	for i := range nodes {
		w.addNode(newNode("n"+strconv.Itoa(i), 9))
	}
	t.Wait()
	w.run()
	w.addPods(newPod("first"))
	t.Wait()
	before := asked.all()
	t.Require(len(before) > 0, "A pod came, and the filters were not asked about any of 300 nodes.")
	w.deleteNode(before[len(before)-1])
	t.Wait()
	w.addPods(newPod("second"))
	t.Wait()
	different := map[string]bool{}
	for _, name := range asked.all() {
		different[name] = true
	}
	t.Require(len(different) >= atLeast, "Of 300 nodes all are feasible, and 144 are enough. Between two attempts the node was deleted of which the filters were asked last. Both attempts together asked about %d different nodes. "+
		"The second attempt begins where the first has stopped, also if the node there is gone.", len(different))
	w.end()
}

// takesTurnsPastRefused has a thousand nodes, a quarter of which filters refuse: 420 feasible
// ones are found among 560.
func takesTurnsPastRefused(t *conform.T, s Subject) {
	const nodes, feasible = 1000, 750
	seen := &seen{}
	w := newWorld(t, s, filters(func(_ *kit.Pod, n NodeInfo) error {
		if n.Node.Labels["refused"] != "" {
			return errors.New("not this one")
		}
		return nil
	}), func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		w.addNode(with(newNode("n"+strconv.Itoa(i), 9), func(n *kit.Node) {
			if i%4 == 0 {
				n.Labels = map[string]string{"refused": "yes"}
			}
		}))
	}
	t.Wait()
	w.run()
	for _, name := range []string{"first", "second"} {
		w.addPods(newPod(name))
		t.Wait()
	}
	t.Require(seen.all() == feasible, "Filters refuse every fourth of 1000 nodes. Two attempts looked at nodes until each had 420 feasible ones, and together they scored %d of the %d that are feasible. "+
		"Each attempt begins where the one before has stopped looking: the nodes that were refused on the way count, too.", seen.all(), feasible)
	w.end()
}

// takesTurns has a thousand nodes, all of which will do, and then only one. There are pods on other nodes,
// of which nobody has heard.
func takesTurns(t *conform.T, s Subject) {
	const nodes, unheard = 1000, 130
	seen := &seen{}
	w := newWorld(t, s, filters(func(p *kit.Pod, n NodeInfo) error {
		if p.Spec.Image == "picky" && p.Name != n.Node.Name {
			return errors.New("not this one")
		}
		return nil
	}), func(o *Options) { o.Scores = []Score{{1, seen.score}} })
	for i := range nodes {
		w.addNode(newNode("n"+strconv.Itoa(i), 9))
	}
	for i := range unheard {
		name := "unheard" + strconv.Itoa(i)
		w.addPods(bound(name, name))
	}
	t.Wait()
	w.run()
	for i := range 3 {
		name := "p" + strconv.Itoa(i)
		w.addPods(newPod(name))
		t.Wait()
		t.Require(seen.of(name) == 420, "There are 1000 nodes, and pods on some of which the NodeHandler has not heard. All 1000 are feasible for pod %s, and 420 are enough. %d were scored.", name, seen.of(name))
	}
	t.Require(seen.all() == nodes, "Three attempts scored 420 of 1000 nodes each, and all three together only %d different ones. Each attempt begins where the one before has stopped, so that every node has its turn.", seen.all())
	for i := range 10 {
		name := "n" + strconv.Itoa(i*111)
		p := newPod(name)
		p.Spec.Image = "picky"
		w.addPods(p)
		t.Wait()
		w.runsOn(name, name, "One node of 1000 was feasible, and the pod is not there.")
	}
	w.end()
}

// seen is a score that notes which nodes were scored for whom.
type seen struct {
	mu    sync.Mutex // guards pods
	pods  map[string]map[string]bool
	nodes map[string]bool
}

func (s *seen) score(p *kit.Pod, n NodeInfo) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pods == nil {
		s.pods, s.nodes = map[string]map[string]bool{}, map[string]bool{}
	}
	if s.pods[p.Name] == nil {
		s.pods[p.Name] = map[string]bool{}
	}
	s.pods[p.Name][n.Node.Name], s.nodes[n.Node.Name] = true, true
	return 7
}

func (s *seen) of(pod string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pods[pod])
}

func (s *seen) all() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.nodes)
}
