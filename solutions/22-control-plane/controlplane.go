// Package controlplane is lab 22: a small control plane, made of your own labs. A
// deployment becomes ReplicaSets, these become pods, which are bound to nodes and run
// there. Its loops know nothing of each other: they talk only through objects.
package controlplane

import (
	"context"
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
// sweeper and a kubelet for each machine. The stub's documentation is the contract.
//
// Each component is a function that gets everything anew and returns when all of it has
// ended (components.go), and a goroutine that calls it again and again (supervise.go). So
// one component cannot run twice, and there is nothing that outlives it by mistake.
type ControlPlane struct {
	parts      Parts
	options    Options
	components map[string]*component

	pods kit.SharedInformer[*kit.Pod] // KubeletWatch

	mu       sync.Mutex          // guards kubelets
	kubelets map[string]*Kubelet // those that run now, by node
}

// New makes a control plane. It starts nothing and asks for nothing.
func New(parts Parts, options Options) *ControlPlane {
	c := &ControlPlane{parts: parts, options: withDefaults(options), components: map[string]*component{}, kubelets: map[string]*Kubelet{}}
	c.add(DeploymentController, c.deployments)
	c.add(ReplicaSetController, c.replicaSets)
	c.add(NodeLifecycleController, c.nodeLifecycle)
	c.add(SchedulerComponent, c.scheduler)
	c.add(EventSweeper, c.sweeper)
	for _, m := range options.Machines {
		c.add(KubeletPrefix+m.Name, func(ctx context.Context, p *process) error { return c.kubelet(ctx, p, m) })
	}
	return c
}

func withDefaults(o Options) Options {
	if o.EventTTL == 0 {
		o.EventTTL = DefaultEventTTL
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = time.Minute
	}
	if o.Workers == 0 {
		o.Workers = 2
	}
	if o.RestartAfter == 0 {
		o.RestartAfter = time.Second
	}
	if o.OnError == nil {
		o.OnError = func(string, error) {}
	}
	return o
}

func (c *ControlPlane) add(name string, body func(ctx context.Context, p *process) error) {
	c.components[name] = newComponent(func(ctx context.Context) error { return c.live(ctx, name, body) })
}

// Components are the names of all components, sorted.
func (c *ControlPlane) Components() []string {
	return slices.Sorted(maps.Keys(c.components))
}

// Start runs the control plane and blocks until ctx is done and all of it has ended.
func (c *ControlPlane) Start(ctx context.Context) error {
	c.watchForKubelets()
	var all sync.WaitGroup
	all.Go(func() { c.pods.Run(ctx) })
	for name, component := range c.components {
		all.Go(func() {
			component.supervise(ctx, c.options.RestartAfter, func(err error) { c.options.OnError(name, err) })
		})
	}
	all.Wait()
	return nil
}

// Kill ends a component in the midst of its work, and does not wait for the end.
func (c *ControlPlane) Kill(component string) bool {
	x, ok := c.components[component]
	return ok && x.kill()
}

// Stop is Kill, and keeps the component down until Resume.
func (c *ControlPlane) Stop(component string) bool {
	x, ok := c.components[component]
	if ok {
		x.stop()
	}
	return ok
}

// Resume lets a component that was stopped start again, at once.
func (c *ControlPlane) Resume(component string) bool {
	x, ok := c.components[component]
	return ok && x.resume()
}
