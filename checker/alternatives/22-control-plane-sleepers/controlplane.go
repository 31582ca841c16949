// Package controlplane is lab 22 with a kubelet that is one goroutine, which sleeps until the next
// moment of any of its pods, and a recorder with a channel for its buffer.
package controlplane

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
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
	parts      Parts
	options    Options
	components map[string]*supervisor
	kubelets   *dispatcher
}

// New makes a control plane. It starts no goroutine and sends no request.
func New(parts Parts, options Options) *ControlPlane {
	options.EventTTL = cmp.Or(options.EventTTL, DefaultEventTTL)
	options.SweepEvery = cmp.Or(options.SweepEvery, time.Minute)
	options.Workers = cmp.Or(options.Workers, 2)
	options.RestartAfter = cmp.Or(options.RestartAfter, time.Second)
	if options.OnError == nil {
		options.OnError = func(string, error) {}
	}
	c := &ControlPlane{parts: parts, options: options, components: map[string]*supervisor{}, kubelets: newDispatcher()}
	add := func(name string, run func(ctx context.Context, name string) error) {
		c.components[name] = newSupervisor(func(ctx context.Context) {
			if err := run(ctx, name); err != nil && !errors.Is(err, ctx.Err()) {
				options.OnError(name, err)
			}
		}, options.RestartAfter)
	}
	add(DeploymentController, c.deploymentController)
	add(ReplicaSetController, c.replicaSetController)
	add(NodeLifecycleController, c.nodeLifecycleController)
	add(SchedulerComponent, c.scheduler)
	add(EventSweeper, c.eventSweeper)
	for _, machine := range options.Machines {
		add(KubeletPrefix+machine.Name, func(ctx context.Context, name string) error {
			return c.kubelet(ctx, name, machine)
		})
	}
	return c
}

// Components returns the names of all components, sorted.
func (c *ControlPlane) Components() []string {
	return slices.Sorted(maps.Keys(c.components))
}

// Start runs the control plane and blocks until ctx is done and all of it has ended; then
// it returns nil. Start is called once.
func (c *ControlPlane) Start(ctx context.Context) error {
	var all sync.WaitGroup
	informer := c.parts.Pods.NewInformer(c.parts.Connect(KubeletWatch).Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	if err := c.kubelets.follow(informer); err != nil {
		return err
	}
	all.Go(func() { informer.Run(ctx) })
	for _, component := range c.components {
		all.Go(func() { component.keepUp(ctx) })
	}
	all.Wait()
	return nil
}

// Kill ends a component in the middle of its work: its context is done. It is started again
// when RestartAfter has passed since it ended. Kill does not wait. It reports whether there
// is such a component and it was up. Whether one that was killed or stopped, and is still
// ending, counts as up is left open.
func (c *ControlPlane) Kill(component string) bool {
	s := c.components[component]
	return s != nil && s.kill()
}

// Stop is Kill, and keeps the component down until Resume. For a kubelet this means that
// the node is lost. It reports whether there is such a component.
func (c *ControlPlane) Stop(component string) bool {
	s := c.components[component]
	if s != nil {
		s.stop()
	}
	return s != nil
}

// Resume lets a component that was stopped start again, at once. It reports whether there
// is such a component and it was stopped.
func (c *ControlPlane) Resume(component string) bool {
	s := c.components[component]
	return s != nil && s.resume()
}
