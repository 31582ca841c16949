package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly"
	"github.com/controllerbook/controllerbook/checker/internal/assembly/operator"
	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/checker/internal/play/cloud"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// cluster is a control plane and who looks at it. What the learner's code does may
// take for ever, so the screen never waits for it: one goroutine looks, one obeys.
type cluster struct {
	began  time.Time
	api    assembly.API
	plane  *assembly.ControlPlane
	lines  *lines
	queue  *queues
	rental *rental // nil without an operator

	deployments kit.SharedInformer[*kit.Deployment]
	pods        kit.SharedInformer[*kit.Pod]
	nodes       kit.SharedInformer[*kit.Node]

	latest  atomic.Pointer[play.Snapshot]
	notice  atomic.Pointer[string]
	actions chan play.Action
	done    chan struct{} // closed when the control plane has ended

	mu   sync.Mutex
	lost []string // nodes that were switched off, the first one first

	// These belong to the goroutine that obeys.
	before   string // the image before the last rollout
	rollouts int
	victims  []string // the controllers, the next to be killed first
}

// The app that is played with.
const (
	namespace = "default"
	name      = "web"
)

// start brings up a control plane for six machines, with an app of five pods. There is an
// operator beside it unless lab 23 is still to be built.
func start(ctx context.Context, withOperator bool) *cluster {
	c := &cluster{
		began: time.Now(), api: assembly.NewAPI(0, assembly.Journals{}),
		lines: &lines{}, queue: &queues{}, actions: make(chan play.Action, 16), done: make(chan struct{}),
		victims: []string{"deployment-controller", "replicaset-controller", "scheduler", "node-lifecycle-controller"},
	}
	c.latest.Store(&play.Snapshot{})
	c.say("Welcome. Everything you see was made by your own labs.")
	parts := assembly.Parts(c.api)
	parts.Connect = func(string) assembly.API { return c.lines.through(c.api) }
	parts.NewController = c.queue.named(parts.NewController)
	c.deployments = parts.Deployments.NewInformer(c.api.Deployments, nil)
	c.pods = parts.Pods.NewInformer(c.api.Pods, nil)
	c.nodes = parts.Nodes.NewInformer(c.api.Nodes, nil)
	c.plane = assembly.New(parts, assembly.Options{
		Machines: machines(), Life: life,
		// Shorter than upstream's: nobody wants to watch a lost node for five minutes.
		Heartbeat: time.Second, GracePeriod: 5 * time.Second, EvictAfter: 5 * time.Second, RestartAfter: restartAfter,
	})
	runs := []func(context.Context){c.deployments.Run, c.pods.Run, c.nodes.Run, c.run, c.look, c.obey}
	if withOperator {
		c.rental = &rental{
			api: operator.NewAPI(), cloud: cloud.New(), lines: c.lines, queues: c.queue, newQueue: parts.NewQueue,
			say: c.say, names: map[string]string{},
		}
		runs = append(runs, c.rental.run)
	}
	var all sync.WaitGroup
	for _, run := range runs {
		all.Go(func() { run(ctx) })
	}
	go func() {
		all.Wait()
		close(c.done)
	}()
	return c
}

func (c *cluster) run(ctx context.Context) {
	if err := c.plane.Start(ctx); err != nil {
		c.say("The control plane has ended: " + err.Error())
	}
}

func machines() []assembly.Machine {
	var all []assembly.Machine
	for i := range 6 {
		all = append(all, assembly.Machine{
			Name: fmt.Sprintf("node-%d", i+1), Allocatable: kit.Resources{CPU: 4000, Memory: 8 << 30, Pods: 20},
		})
	}
	return all
}

// life lets no two pods start at the same moment.
func life(pod *kit.Pod) assembly.Life {
	h := fnv.New32a()
	_, _ = h.Write([]byte(pod.Name))
	return assembly.Life{
		Start: 300*time.Millisecond + time.Duration(h.Sum32()%1000)*time.Millisecond,
		Ready: 500*time.Millisecond + time.Duration(h.Sum32()>>10%1000)*time.Millisecond,
	}
}

// ended waits until all is over.
func (c *cluster) ended(patience time.Duration) error {
	select {
	case <-c.done:
		return nil
	case <-time.After(patience):
		return errors.New("the control plane was stopped but has not ended: some goroutine ignores its context")
	}
}

// Snapshot is what was last seen.
func (c *cluster) Snapshot() play.Snapshot {
	s := *c.latest.Load()
	s.Elapsed = time.Since(c.began)
	s.Notice = *c.notice.Load()
	return s
}

func (c *cluster) say(sentence string) { c.notice.Store(&sentence) }
