package controlplane

import (
	"context"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/controlplanetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/22-control-plane"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			ResolveFenceposts:          subject.ResolveFenceposts,
			NewDeploymentReconciler:    newDeploymentReconciler,
			NewNodeLifecycleReconciler: newNodeLifecycleReconciler,
			NewKubelet:                 newKubelet,
			NewRecorder:                newRecorder,
			SweepEvents:                subject.SweepEvents,
			Undo: func(ctx context.Context, api suite.API, namespace, name string, revision int64) error {
				return subject.Undo(ctx, toSubject(api), namespace, name, revision)
			},
			TemplateHash:    subject.TemplateHash,
			NewControlPlane: newControlPlane,
		}
	})
}

func newDeploymentReconciler(p suite.DeploymentParts) suite.DeploymentReconciler {
	return subject.NewDeploymentReconciler(subject.DeploymentOptions{
		Deployments: p.Deployments, ReplicaSets: p.ReplicaSets,
		DeploymentCache: p.DeploymentCache, ReplicaSetCache: p.ReplicaSetCache,
		Recorder: kit.DiscardEvents{},
	})
}

func newNodeLifecycleReconciler(p suite.NodeLifecycleParts) suite.NodeLifecycleReconciler {
	return subject.NewNodeLifecycleReconciler(subject.NodeLifecycleOptions{
		Nodes: p.Nodes, Pods: p.Pods, NodeCache: p.NodeCache, PodCache: p.PodCache, Recorder: kit.DiscardEvents{},
	})
}

func newKubelet(p suite.KubeletParts) suite.Kubelet {
	return subject.NewKubelet(subject.KubeletOptions{
		Node: p.Node, Labels: p.Labels, Allocatable: p.Allocatable, Pods: p.Pods, Nodes: p.Nodes, PodCache: p.PodCache,
		Life: lifeOf(p.Life), Heartbeat: p.Heartbeat, Now: p.Now, Recorder: kit.DiscardEvents{},
	})
}

func lifeOf(life func(pod *kit.Pod) suite.Life) func(pod *kit.Pod) subject.Life {
	if life == nil {
		return nil
	}
	return func(pod *kit.Pod) subject.Life { return subject.Life(life(pod)) }
}

func newRecorder(events kit.Client[*kit.CoreEvent], component string, buffer int) suite.Recorder {
	return subject.NewRecorder(subject.RecorderOptions{Events: events, Component: component, Buffer: buffer})
}

func newControlPlane(p suite.ClusterParts) (suite.ControlPlane, suite.API) {
	api := assembly.NewAPI(0, assembly.Journals{
		Deployments: []kit.Journal[*kit.Deployment]{p.Deployments},
		ReplicaSets: []kit.Journal[*kit.ReplicaSet]{p.ReplicaSets},
		Pods:        []kit.Journal[*kit.Pod]{p.Pods},
		Nodes:       []kit.Journal[*kit.Node]{p.Nodes},
	})
	parts := assembly.Parts(api)
	if p.Connect != nil {
		parts.Connect = func(component string) subject.API { return toSubject(p.Connect(component, ofSubject(api))) }
	}
	observe(&parts, p)
	if p.Queues != nil {
		newQueue, newPriorityQueue := parts.NewQueue, parts.NewPriorityQueue
		parts.NewQueue = func() kit.RateLimitingQueue[kit.Request] {
			p.Queues(false)
			return newQueue()
		}
		parts.NewPriorityQueue = func() kit.PriorityQueue[kit.Request] {
			p.Queues(true)
			return newPriorityQueue()
		}
	}
	observePods(&parts, p)
	return subject.New(parts, optionsOf(p)), ofSubject(api)
}

// observe puts the case between the components and their schedulers and controllers.
func observe(parts *subject.Parts, p suite.ClusterParts) {
	if p.RunScheduler != nil {
		newScheduler := parts.NewScheduler
		parts.NewScheduler = func(o subject.SchedulerOptions) subject.Scheduler { return scheduler{newScheduler(o), p.RunScheduler} }
	}
	if p.AsksScheduler != nil {
		newScheduler := parts.NewScheduler
		parts.NewScheduler = func(o subject.SchedulerOptions) subject.Scheduler {
			return askedScheduler{newScheduler(o), p.AsksScheduler}
		}
	}
	if p.SchedulerHears != nil {
		newScheduler := parts.NewScheduler
		parts.NewScheduler = func(o subject.SchedulerOptions) subject.Scheduler {
			return hearingScheduler{newScheduler(o), p.SchedulerHears}
		}
	}
	if p.Controls != nil {
		newController := parts.NewController
		parts.NewController = func(o subject.ControllerOptions) subject.Controller {
			p.Controls(o.Workers)
			return newController(o)
		}
	}
	if p.StartController != nil {
		newController := parts.NewController
		parts.NewController = func(o subject.ControllerOptions) subject.Controller {
			return controller{newController(o), func(start func() error) error { return p.StartController(o.Queue, start) }}
		}
	}
}

// observePods puts the case between the components and their informers of pods.
func observePods(parts *subject.Parts, p suite.ClusterParts) {
	if p.Handlers != nil {
		newInformer := parts.Pods.NewInformer
		parts.Pods.NewInformer = func(source kit.ListerWatcher[*kit.Pod], indices map[string]kit.IndexFunc[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
			return informer{newInformer(source, indices), p.Handlers}
		}
	}
	if p.RunPods != nil {
		newInformer := parts.Pods.NewInformer
		parts.Pods.NewInformer = func(source kit.ListerWatcher[*kit.Pod], indices map[string]kit.IndexFunc[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
			return runner{newInformer(source, indices), func(run func()) { p.RunPods(source, run) }}
		}
	}
}

// controller is one whose Start may fail.
type controller struct {
	subject.Controller
	start func(start func() error) error
}

func (c controller) Start(ctx context.Context) error {
	return c.start(func() error { return c.Controller.Start(ctx) })
}

// runner is an informer whose Run may take longer.
type runner struct {
	kit.SharedInformer[*kit.Pod]
	run func(run func())
}

func (r runner) Run(ctx context.Context) { r.run(func() { r.SharedInformer.Run(ctx) }) }

func optionsOf(p suite.ClusterParts) subject.Options {
	options := subject.Options{
		Life: lifeOf(p.Life), Heartbeat: p.Heartbeat, GracePeriod: p.GracePeriod, EvictAfter: p.EvictAfter,
		EventTTL: p.EventTTL, SweepEvery: p.SweepEvery, Workers: p.Workers, RestartAfter: p.RestartAfter, OnError: p.OnError,
	}
	for _, m := range p.Machines {
		options.Machines = append(options.Machines, subject.Machine{Name: m.Name, Labels: m.Labels, Allocatable: m.Allocatable, Now: m.Now})
	}
	return options
}

// scheduler is one whose Run may end before its ctx does.
type scheduler struct {
	subject.Scheduler
	run func(ctx context.Context, run func(ctx context.Context) error) error
}

func (s scheduler) Run(ctx context.Context) error { return s.run(ctx, s.Scheduler.Run) }

// askedScheduler is one that is asked for its handlers in the open.
type askedScheduler struct {
	subject.Scheduler
	asked func()
}

func (s askedScheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	s.asked()
	return s.Scheduler.PodHandler()
}

func (s askedScheduler) NodeHandler() kit.ResourceEventHandler[*kit.Node] {
	s.asked()
	return s.Scheduler.NodeHandler()
}

// hearingScheduler is one whose handlers hear of an object when hears has returned.
type hearingScheduler struct {
	subject.Scheduler
	hears func()
}

func (s hearingScheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return hearing(s.Scheduler.PodHandler(), s.hears)
}

func (s hearingScheduler) NodeHandler() kit.ResourceEventHandler[*kit.Node] {
	return hearing(s.Scheduler.NodeHandler(), s.hears)
}

func hearing[T kit.Object](handler kit.ResourceEventHandler[T], hears func()) kit.ResourceEventHandler[T] {
	return kit.ResourceEventHandlerFuncs[T]{
		AddFunc: func(obj T, isInInitialList bool) {
			hears()
			handler.OnAdd(obj, isInInitialList)
		},
		UpdateFunc: handler.OnUpdate,
		DeleteFunc: handler.OnDelete,
	}
}

// informer is one of pods whose handlers are counted.
type informer struct {
	kit.SharedInformer[*kit.Pod]
	handlers func(by int)
}

func (i informer) AddEventHandler(handler kit.ResourceEventHandler[*kit.Pod]) (kit.Registration, error) {
	registration, err := i.SharedInformer.AddEventHandler(handler)
	if err == nil {
		i.handlers(1)
	}
	return registration, err
}

func (i informer) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[*kit.Pod], resyncPeriod time.Duration) (kit.Registration, error) {
	registration, err := i.SharedInformer.AddEventHandlerWithResyncPeriod(handler, resyncPeriod)
	if err == nil {
		i.handlers(1)
	}
	return registration, err
}

func (i informer) RemoveEventHandler(registration kit.Registration) error {
	err := i.SharedInformer.RemoveEventHandler(registration)
	if err == nil {
		i.handlers(-1)
	}
	return err
}

func toSubject(api suite.API) subject.API {
	return subject.API{Deployments: api.Deployments, ReplicaSets: api.ReplicaSets, Pods: api.Pods, Nodes: api.Nodes, Events: api.Events}
}

func ofSubject(api subject.API) suite.API {
	return suite.API{Deployments: api.Deployments, ReplicaSets: api.ReplicaSets, Pods: api.Pods, Nodes: api.Nodes, Events: api.Events}
}
