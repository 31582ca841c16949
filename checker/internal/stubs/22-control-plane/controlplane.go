// Package controlplane is lab 22: a small control plane, made of your own labs. A
// deployment becomes ReplicaSets, these become pods, which are bound to nodes and run
// there. Its loops know nothing of each other: they communicate only through objects.
package controlplane

import (
	"context"
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

	// KubeletWatch is the connection of the one informer that notifies all kubelets of
	// pods. It stands for what the API server does when a kubelet watches only the pods
	// of its node, and is no component that can be killed.
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
	RestartAfter time.Duration // how long a component that has ended stays down; 0 is a second

	// OnError gets every error, with the component's name. The error of the context of a
	// component that was killed or stopped need not be among them, nor that of an informer
	// that has stopped with it. Several goroutines may call it at once, and Start waits for
	// its calls. It may be nil.
	OnError func(component string, err error)
}

// ControlPlane runs all components: one of each controller, the scheduler, the event
// sweeper and a kubelet for each machine. Make one with New.
//
// A component stands for a process: it connects by itself, has informers, caches, queues
// and a Recorder of its own (named like the component), and when it ends, all of that ends
// with it, before it starts anew from nothing. Only kubelets share one informer,
// KubeletWatch, and one that has ended leaves no handler there.
//
// The deployment controller has a PriorityQueue, the other controllers have a Queue. If
// Start of a controller returns an error, its component shuts the queue down: lab 19's
// Start may not have done it.
//
// # Starting
//
// A component's informers have synced, and its handlers have heard of every existing
// object, before it does any work: Run of a Scheduler is called after that, and Run of a
// Kubelet when KubeletWatch has synced, whether or not its own handler has heard of all. No
// component waits for another: not all have to be up for one to start.
//
// # Ending
//
// A component ends by itself when Start of its Controller, or Run of its Scheduler or
// Kubelet, returns although its context is not done. A component that has ended by
// itself, with an error or without, is started again, as often as necessary, when
// RestartAfter has passed, and at most a second later. One component never runs twice at
// a time. What Kill, Stop and Resume do before Start is called, and after it has
// returned, is left open.
type ControlPlane struct {
	// yours
}

// New makes a control plane. It starts no goroutine and sends no request.
func New(parts Parts, options Options) *ControlPlane {
	panic(kit.TODO("New"))
}

// Components returns the names of all components, sorted.
func (c *ControlPlane) Components() []string {
	panic(kit.TODO("ControlPlane.Components"))
}

// Start runs the control plane and blocks until ctx is done and all of it has ended; then
// it returns nil. Start is called once.
func (c *ControlPlane) Start(ctx context.Context) error {
	panic(kit.TODO("ControlPlane.Start"))
}

// Kill ends a component in the middle of its work: its context is done. It is started again
// when RestartAfter has passed since it ended. Kill does not wait. It reports whether there
// is such a component and it was up. Whether one that was killed or stopped, and is still
// ending, counts as up is left open.
func (c *ControlPlane) Kill(component string) bool {
	panic(kit.TODO("ControlPlane.Kill"))
}

// Stop is Kill, and keeps the component down until Resume. For a kubelet this means that
// the node is lost. It reports whether there is such a component.
func (c *ControlPlane) Stop(component string) bool {
	panic(kit.TODO("ControlPlane.Stop"))
}

// Resume lets a component that was stopped start again, at once. It reports whether there
// is such a component and it was stopped.
func (c *ControlPlane) Resume(component string) bool {
	panic(kit.TODO("ControlPlane.Resume"))
}
