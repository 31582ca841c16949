// Package controlplanetest is the conformance suite of lab 22.
//
// Cases about one part alone (the deployment reconciler, a kubelet, the node lifecycle
// reconciler, the recorder) use an API server and caches of the suite's own, so that a
// mistake in another lab does not show as one here. Cases about the chain run on the
// Parts: the learner's labs 07 to 21, wired in checker/internal/assembly. A witness sees
// every change at the API server before the write that makes it returns, and holds it
// against the invariants: so no broken moment is too short to be seen.
//
// Storms are made by connections: Parts.Connect gives each component its own, and those of
// a storm refuse updates, cut watches, let them lag or go silent. The plan of a storm
// follows from the seed; the schedule of the goroutines in it does not.
//
// What it can miss: schedules that did not happen; proportional scaling and the adoption of
// ReplicaSets without an owner, which the contract leaves out; a component that is not killed at the one moment that hurts; memory that
// grows over days; watch events that are lost without a cut, which no API server does. A
// response that is lost after its write is left out on purpose: then an extra pod for a
// moment is nobody's fault (upstream has it, too).
package controlplanetest

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The vocabulary of the lab, as the suite sees it: the bridge translates.
type (
	// Resource is one type at the API server.
	Resource[T kit.Object] interface {
		kit.Client[T]
		kit.ListerWatcher[T]
	}

	// API is one connection.
	API struct {
		Deployments Resource[*kit.Deployment]
		ReplicaSets Resource[*kit.ReplicaSet]
		Pods        Resource[*kit.Pod]
		Nodes       Resource[*kit.Node]
		Events      Resource[*kit.CoreEvent]
	}

	// Life is what becomes of a pod.
	Life struct {
		Start, Ready, Ends time.Duration
		Phase              kit.PodPhase
	}

	// DeploymentReconciler is the subject's.
	DeploymentReconciler interface {
		kit.Reconciler
		DeploymentHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Deployment]
		ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet]
	}

	// NodeLifecycleReconciler is the subject's.
	NodeLifecycleReconciler interface {
		kit.Reconciler
		NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node]
		PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod]
	}

	// Kubelet is the subject's.
	Kubelet interface {
		PodHandler() kit.ResourceEventHandler[*kit.Pod]
		Run(ctx context.Context) error
	}

	// Recorder is the subject's.
	Recorder interface {
		kit.EventRecorder
		Run(ctx context.Context) error
	}

	// ControlPlane is the subject's.
	ControlPlane interface {
		Components() []string
		Start(ctx context.Context) error
		Kill(component string) bool
		Stop(component string) bool
		Resume(component string) bool
	}

	// DeploymentParts are what a DeploymentReconciler is made of.
	DeploymentParts struct {
		Deployments     kit.Client[*kit.Deployment]
		ReplicaSets     kit.Client[*kit.ReplicaSet]
		DeploymentCache kit.Indexer[*kit.Deployment]
		ReplicaSetCache kit.Indexer[*kit.ReplicaSet]
	}

	// KubeletParts are what a Kubelet is made of.
	KubeletParts struct {
		Node        string
		Labels      map[string]string
		Allocatable kit.Resources
		Pods        kit.Client[*kit.Pod]
		Nodes       kit.Client[*kit.Node]
		PodCache    kit.Indexer[*kit.Pod]
		Life        func(pod *kit.Pod) Life
		Heartbeat   time.Duration
		Now         func() time.Time
	}

	// NodeLifecycleParts are what a NodeLifecycleReconciler is made of.
	NodeLifecycleParts struct {
		Nodes     kit.Client[*kit.Node]
		Pods      kit.Client[*kit.Pod]
		NodeCache kit.Indexer[*kit.Node]
		PodCache  kit.Indexer[*kit.Pod]
	}

	// ClusterParts are what a ControlPlane is made of, beside the learner's labs.
	ClusterParts struct {
		Deployments  kit.Journal[*kit.Deployment]
		ReplicaSets  kit.Journal[*kit.ReplicaSet]
		Pods         kit.Journal[*kit.Pod]
		Nodes        kit.Journal[*kit.Node]
		Connect      func(component string, api API) API // the connection of a component
		Machines     []Machine
		Life         func(pod *kit.Pod) Life
		Heartbeat    time.Duration
		GracePeriod  time.Duration
		EvictAfter   time.Duration
		EventTTL     time.Duration
		SweepEvery   time.Duration
		Workers      int
		RestartAfter time.Duration
		OnError      func(component string, err error)
		// Controls hears of each controller that is made, and with how many workers. It may be nil.
		Controls func(workers int)
		// Queues hears of each queue that is made, and whether it is a PriorityQueue. It may be nil.
		Queues func(priority bool)
		// StartController stands between the component and Start of its controller, which has that queue. It may be nil.
		StartController func(queue kit.Queue[kit.Request], start func() error) error
		// RunPods is called in the place of Run of each informer of pods, which it has to call itself. It may be nil.
		RunPods func(source kit.ListerWatcher[*kit.Pod], run func())
		// Handlers hears of each handler that an informer of pods gets, 1, and of each that it loses, -1. It may be nil.
		Handlers func(by int)
		// AsksScheduler is called when the component asks its scheduler for a handler, before it gets one. It may be nil.
		AsksScheduler func()
		// SchedulerHears is called before a handler of the scheduler hears of an object that was added. It may be nil.
		SchedulerHears func()
		// RunScheduler stands between the component and Run of its scheduler. It may be nil.
		RunScheduler func(ctx context.Context, run func(ctx context.Context) error) error
	}

	// Machine is a simulated node.
	Machine struct {
		Name        string
		Labels      map[string]string
		Allocatable kit.Resources
		Now         func() time.Time
	}
)

// Subject is lab 22 as the suite sees it.
type Subject struct {
	ResolveFenceposts          func(maxSurge, maxUnavailable kit.IntOrPercent, desired int) (surge, unavailable int, err error)
	NewDeploymentReconciler    func(p DeploymentParts) DeploymentReconciler
	NewNodeLifecycleReconciler func(p NodeLifecycleParts) NodeLifecycleReconciler
	NewKubelet                 func(p KubeletParts) Kubelet
	NewRecorder                func(events kit.Client[*kit.CoreEvent], component string, buffer int) Recorder
	SweepEvents                func(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error
	Undo                       func(ctx context.Context, api API, namespace, name string, revision int64) error
	TemplateHash               func(template kit.PodTemplateSpec) string
	// NewControlPlane makes an API server, a control plane on it, and nothing run yet.
	NewControlPlane func(p ClusterParts) (ControlPlane, API)
}

// Lab describes lab 22 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "22-control-plane",
		Title:  "The control plane",
		Builds: "deployment controller, kubelet, node lifecycle and event recorder, and a control plane of them and all your own labs",
		Files: []string{
			"parts.go", "deployment.go", "rolling.go", "handlers.go", "undo.go", "kubelet.go", "nodelifecycle.go",
			"recorder.go", "correlate.go", "controlplane.go", "components.go", "supervise.go",
		},
		Imports: []string{"encoding/json", "time"},
		Wiring:  "checker/internal/assembly",
		Parts: []string{
			"07-store", "08-watch", "10-workqueue", "11-delaying-queue", "12-rate-limiting-queue", "13-priority-queue", "14-deltafifo",
			"15-indexer", "16-reflector", "17-informer", "19-reconciler", "20-replicaset", "21-scheduler",
		},
		Cases: conform.Describe(Cases()),
	}
}

// Cases are the claims.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
