package schedulertest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// storm makes things happen in a world. What goes wrong, and how late news are, is drawn
// beforehand, because it is asked for by many goroutines.
type storm struct {
	rt    *rapid.T
	w     *world
	pods  int
	nodes int
	alive []string

	mu       sync.Mutex // guards the fields below
	outcomes []int      // of Updates: the first is next
	delays   []int
}

func newStorm(rt *rapid.T, w *world) *storm {
	s := &storm{rt: rt, w: w, nodes: 1}
	s.outcomes = rapid.SliceOfN(rapid.IntRange(0, 6), 0, 25).Draw(rt, "outcomes")
	s.delays = rapid.SliceOfN(rapid.IntRange(0, 3), 0, 25).Draw(rt, "delays")
	w.answer(func(context.Context, *kit.Pod) outcome { return s.outcome() })
	w.podFeed.delayed(func() time.Duration { return time.Duration(s.draw(&s.delays)) * time.Second })
	return s
}

// draw takes the next number; 0 when there is none.
func (s *storm) draw(from *[]int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(*from) == 0 {
		return 0
	}
	n := (*from)[0]
	*from = (*from)[1:]
	return n
}

func (s *storm) outcome() outcome {
	switch s.draw(&s.outcomes) {
	case 4:
		time.Sleep(3 * time.Second)
	case 5:
		return outcome{err: errors.New("no route to the server")}
	case 6:
		return outcome{lost: true, err: errors.New("the connection was reset")}
	}
	return outcome{}
}

// step makes one thing happen.
func (s *storm) step() {
	switch rapid.SampledFrom([]string{"add", "add", "add", "delete", "mark", "relabel", "node", "grow", "cordon", "heartbeat", "wait", "wait"}).Draw(s.rt, "step") {
	case "add":
		s.add()
	case "delete":
		s.delete()
	case "mark":
		s.mark()
	case "relabel":
		if len(s.alive) > 0 {
			s.w.changePod(s.alive[0], func(p *kit.Pod) { p.Annotations = map[string]string{"turn": strconv.Itoa(s.pods)} })
		}
	case "node":
		s.addNode()
	case "grow":
		s.w.changeNode("n0", func(n *kit.Node) { n.Status.Allocatable.CPU += 100; n.Status.Allocatable.Memory += 100 })
	case "cordon":
		s.w.changeNode("n0", func(n *kit.Node) { n.Spec.Unschedulable = !n.Spec.Unschedulable })
	case "heartbeat":
		s.w.changeNode("n0", beats)
	case "wait":
		d := time.Duration(rapid.IntRange(0, 4).Draw(s.rt, "wait")) * time.Second / 2
		s.w.t.Note("%v go by", d)
		time.Sleep(d)
	}
}

func (s *storm) add() {
	s.pods++
	p := newPod("p" + strconv.Itoa(s.pods))
	p.Spec.CPU = 50 * rapid.Int64Range(0, 4).Draw(s.rt, "cpu")
	s.w.addPods(p)
	s.alive = append(s.alive, p.Name)
}

func (s *storm) delete() {
	if len(s.alive) == 0 {
		return
	}
	i := rapid.IntRange(0, len(s.alive)-1).Draw(s.rt, "which")
	s.w.deletePod(s.alive[i], false)
	s.alive = append(s.alive[:i], s.alive[i+1:]...)
}

// mark asks for the deletion of a pod, which then takes its time.
func (s *storm) mark() {
	if len(s.alive) > 0 {
		name := s.alive[rapid.IntRange(0, len(s.alive)-1).Draw(s.rt, "which")]
		s.w.changePod(name, marked)
	}
}

func (s *storm) addNode() {
	s.w.addNode(newNode("n"+strconv.Itoa(s.nodes), 2))
	s.nodes++
}

// nobodyLeft requires, when all is quiet, that no pod waits for which there is room.
func (s *storm) nobodyLeft(t *conform.T) {
	waiting := 0
	for _, name := range s.alive {
		p := s.w.stored(name)
		if p.Spec.NodeName != "" || p.DeletionTimestamp != nil {
			continue
		}
		waiting++
		for i := range s.nodes {
			node := "n" + strconv.Itoa(i)
			t.Require(!s.w.fits(p, node), "It has been quiet for two minutes, pod %s (CPU %d, memory %d) has no node, and node %s has room for it.", name, p.Spec.CPU, p.Spec.Memory, node)
		}
	}
	s.w.waits(Pending{Unschedulable: waiting}, "It has been quiet for two minutes. Just the pods without a node should be pending, and for each of them there is no room.")
}
