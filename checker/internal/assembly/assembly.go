// Package assembly puts the control plane of lab 22 together with its parts, the labs that
// it is made of. It is the one place in which they meet.
package assembly

import (
	"github.com/controllerbook/controllerbook/checker/internal/assembly/parts"
	"github.com/controllerbook/controllerbook/labs/kit"
	controlplane "github.com/controllerbook/controllerbook/solutions/22-control-plane"
)

// Journals are notified of every change at the API server, before the write that makes it
// returns: a witness sees every state that there ever is. They must not call the API.
type Journals struct {
	Deployments []kit.Journal[*kit.Deployment]
	ReplicaSets []kit.Journal[*kit.ReplicaSet]
	Pods        []kit.Journal[*kit.Pod]
	Nodes       []kit.Journal[*kit.Node]
	Events      []kit.Journal[*kit.CoreEvent]
}

// NewAPI makes an empty API server of labs 07 and 08. window is how many changes of each
// type can still be watched from; 0 is lab 08's own default.
func NewAPI(window int, journals Journals) controlplane.API {
	return controlplane.API{
		Deployments: parts.NewDeployments(window, journals.Deployments),
		ReplicaSets: parts.NewReplicaSets(window, journals.ReplicaSets),
		Pods:        parts.NewPods(window, journals.Pods),
		Nodes:       parts.NewNodes(window, journals.Nodes),
		Events:      parts.NewEvents(window, journals.Events),
	}
}

// Parts are the learner's labs, or the references. All components share api; a caller
// that wants one of them to have a worse connection than that sets Connect.
func Parts(api controlplane.API) controlplane.Parts {
	return controlplane.Parts{
		Connect:          func(string) controlplane.API { return api },
		Deployments:      kind(parts.Deployments),
		ReplicaSets:      kind(parts.ReplicaSets),
		Pods:             kind(parts.Pods),
		Nodes:            kind(parts.Nodes),
		NewQueue:         parts.NewQueue,
		NewPriorityQueue: parts.NewPriorityQueue,
		NewController:    newController,
		NewReplicaSet:    newReplicaSet,
		NewScheduler:     newScheduler,
	}
}

func kind[T kit.Object](k parts.Kind[T]) controlplane.Kind[T] {
	return controlplane.Kind[T]{
		NewInformer: k.NewInformer,
		NewSource: func(informer kit.SharedInformer[T], handler controlplane.Handler[T]) controlplane.Source {
			return k.NewSource(informer, handler)
		},
	}
}

func newController(o controlplane.ControllerOptions) controlplane.Controller {
	sources := make([]parts.Source, len(o.Sources))
	for i, s := range o.Sources {
		sources[i] = s
	}
	return parts.NewController(parts.ControllerOptions{
		Reconciler: o.Reconciler, Queue: o.Queue, MaxConcurrentReconciles: o.Workers, OnError: o.OnError,
	}, sources)
}

func newReplicaSet(o controlplane.ReplicaSetOptions) controlplane.ReplicaSetReconciler {
	return parts.NewReplicaSet(parts.ReplicaSetOptions{
		ReplicaSets: o.ReplicaSets, Pods: o.Pods,
		ReplicaSetCache: o.ReplicaSetCache, PodCache: o.PodCache,
		Recorder: o.Recorder,
	})
}

func newScheduler(o controlplane.SchedulerOptions) controlplane.Scheduler {
	return parts.NewScheduler(parts.SchedulerOptions{Pods: o.Pods, Recorder: o.Recorder})
}

// What a program needs of lab 22 that runs a control plane: this is the one file in
// which the lab is imported.
type (
	API               = controlplane.API
	ControlPlane      = controlplane.ControlPlane
	Options           = controlplane.Options
	Machine           = controlplane.Machine
	Life              = controlplane.Life
	Controller        = controlplane.Controller
	ControllerOptions = controlplane.ControllerOptions
)

// New makes a control plane of parts.
func New(parts controlplane.Parts, options Options) *ControlPlane {
	return controlplane.New(parts, options)
}
