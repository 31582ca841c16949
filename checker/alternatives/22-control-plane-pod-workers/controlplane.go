// Package controlplane is lab 22 with a kubelet that has a goroutine for each pod, as upstream's has,
// and a recorder with a list for its buffer.
package controlplane

import (
	"context"
	"sort"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The components of a control plane, by name. A kubelet's is KubeletPrefix and its node.
const (
	DeploymentController    = "deployment-controller"
	ReplicaSetController    = "replicaset-controller"
	NodeLifecycleController = "node-lifecycle-controller"
	SchedulerComponent      = "scheduler"
	EventSweeper            = "event-sweeper"
	KubeletPrefix           = "kubelet/"

	// KubeletWatch is the connection of the one informer that tells all kubelets of pods.
	// It stands for what the API server does when a kubelet watches the pods of its node
	// alone, and is no component that can be killed.
	KubeletWatch = "kubelets"
)

// Machine is a simulated node.
type Machine struct {
	Name        string
	Labels      map[string]string
	Allocatable kit.Resources
	Now         func() time.Time // see KubeletOptions
}

// Options of a ControlPlane. Zero values are the defaults of the parts.
type Options struct {
	Machines []Machine
	Life     func(pod *kit.Pod) Life

	Heartbeat   time.Duration
	GracePeriod time.Duration
	EvictAfter  time.Duration
	EventTTL    time.Duration // 0 is DefaultEventTTL
	SweepEvery  time.Duration // 0 is a minute

	Workers      int           // of each controller; 0 is 2
	RestartAfter time.Duration // how long a component that has ended stays away; 0 is a second

	// OnError gets every error, with the component's name. Several goroutines may call it
	// at once, and Start waits for its calls. It may be nil.
	OnError func(component string, err error)
}

// ControlPlane runs all components: one of each controller, the scheduler, the event
// sweeper and a kubelet for each machine. Make one with New.
//
// A component stands for a process: it connects by itself, has informers, caches, queues
// and a Recorder of its own (named like the component), and when it ends, all of that ends
// with it, before it starts anew from nothing. Only kubelets share one informer,
// KubeletWatch.
//
// The deployment controller has a PriorityQueue, the other controllers have a Queue.
//
// # Starting
//
// A component's informers have synced, and its handlers have heard of every existing
// object, before it does any work. No component waits for another: not all have to be up
// for one to start.
//
// # Ending
//
// A component that has ended by itself, with an error or without, is started again, as
// often as necessary, when RestartAfter has passed, and at most a second later. One
// component never runs twice at a time. What Kill, Stop and Resume do before Start is
// called, and after it has returned, is left open.
type ControlPlane struct {
	p Parts
	o Options

	mu    sync.Mutex
	ctx   context.Context // of Start; nil before
	all   sync.WaitGroup
	units map[string]*unit
	watch kit.SharedInformer[*kit.Pod]
}

// New makes a control plane. It starts no goroutine and sends no request.
func New(parts Parts, options Options) *ControlPlane {
	if options.EventTTL == 0 {
		options.EventTTL = DefaultEventTTL
	}
	if options.SweepEvery == 0 {
		options.SweepEvery = time.Minute
	}
	if options.Workers == 0 {
		options.Workers = 2
	}
	if options.RestartAfter == 0 {
		options.RestartAfter = time.Second
	}
	c := &ControlPlane{p: parts, o: options, units: map[string]*unit{}}
	for name, body := range map[string]func(*world) error{
		DeploymentController:    c.deployments,
		ReplicaSetController:    c.replicaSets,
		NodeLifecycleController: c.nodes,
		SchedulerComponent:      c.schedule,
		EventSweeper:            c.sweep,
	} {
		c.units[name] = &unit{c: c, name: name, body: body}
	}
	for _, m := range options.Machines {
		name := KubeletPrefix + m.Name
		c.units[name] = &unit{c: c, name: name, body: func(w *world) error { return c.runKubelet(w, m) }}
	}
	return c
}

// Components returns the names of all components, sorted.
func (c *ControlPlane) Components() []string {
	names := make([]string, 0, len(c.units))
	for name := range c.units {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Start runs the control plane and blocks until ctx is done and all of it has ended; then
// it returns nil. Start is called once.
func (c *ControlPlane) Start(ctx context.Context) error {
	c.watch = c.p.Pods.NewInformer(c.p.Connect(KubeletWatch).Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	c.all.Add(1)
	go func() {
		defer c.all.Done()
		c.watch.Run(ctx)
	}()
	c.mu.Lock()
	c.ctx = ctx
	for _, u := range c.units {
		u.launch()
	}
	c.mu.Unlock()
	<-ctx.Done()
	c.mu.Lock()
	for _, u := range c.units {
		if u.alarm != nil && u.alarm.Stop() {
			u.alarm = nil
		}
	}
	c.mu.Unlock()
	c.all.Wait()
	return nil
}

// Kill ends a component in the middle of its work: its context is done. It is started again
// when RestartAfter has passed since it ended. Kill does not wait. It reports whether there
// is such a component and it was up. Whether one that was killed or stopped, and is still
// ending, counts as up is left open.
func (c *ControlPlane) Kill(component string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.units[component]
	if !ok || u.state != up {
		return false
	}
	u.state = ending
	u.cancel()
	return true
}

// Stop is Kill, and keeps the component down until Resume. For a kubelet this means that
// the node is lost. It reports whether there is such a component.
func (c *ControlPlane) Stop(component string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.units[component]
	if !ok {
		return false
	}
	u.stopped, u.now = true, false
	if u.state == up {
		u.state = ending
		u.cancel()
	}
	if u.alarm != nil && u.alarm.Stop() {
		u.alarm = nil
	}
	return true
}

// Resume lets a component that was stopped start again, at once. It reports whether there
// is such a component and it was stopped.
func (c *ControlPlane) Resume(component string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.units[component]
	if !ok || !u.stopped {
		return false
	}
	u.stopped, u.now = false, true
	u.launch()
	return true
}
