package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is given. It lists the parts of a control plane: your labs 07 to 21, all but 09
// and 18, each behind an interface. The caller of New fills in the Parts. Nothing in it
// needs a change.

// Resource is one type of object at the API server: a store (lab 07) and a watch of it
// (lab 08).
type Resource[T kit.Object] interface {
	kit.Client[T]
	kit.ListerWatcher[T]
}

// API is one component's connection to the API server.
type API struct {
	Deployments Resource[*kit.Deployment]
	ReplicaSets Resource[*kit.ReplicaSet]
	Pods        Resource[*kit.Pod]
	Nodes       Resource[*kit.Node]
	Events      Resource[*kit.CoreEvent]
}

// Handler returns the handler that feeds a controller's queue.
type Handler[T kit.Object] func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]

// Kind is what the Parts have for each type of object.
type Kind[T kit.Object] struct {
	// NewInformer makes an informer that does not run yet (labs 14 to 17). It follows
	// source, and its cache has these indices.
	NewInformer func(source kit.ListerWatcher[T], indices map[string]kit.IndexFunc[T]) kit.SharedInformer[T]
	// NewSource makes a source that adds the handler to informer (lab 19, Kind).
	NewSource func(informer kit.SharedInformer[T], handler Handler[T]) Source
}

// Source is where a controller's requests come from (lab 19).
type Source interface {
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	WaitForSync(ctx context.Context) error
}

// Controller is lab 19's: Start blocks until ctx is done and the workers have ended.
type Controller interface {
	Start(ctx context.Context) error
}

// ControllerOptions are the parts and settings of a controller.
type ControllerOptions struct {
	Reconciler kit.Reconciler
	Queue      kit.RateLimitingQueue[kit.Request]
	Workers    int
	Sources    []Source
	OnError    func(request kit.Request, err error)
}

// ReplicaSetReconciler is lab 20's.
type ReplicaSetReconciler interface {
	kit.Reconciler
	ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet]
	PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod]
}

// ReplicaSetOptions are the parts of a ReplicaSetReconciler.
type ReplicaSetOptions struct {
	ReplicaSets     kit.Client[*kit.ReplicaSet]
	Pods            kit.Client[*kit.Pod]
	ReplicaSetCache kit.Indexer[*kit.ReplicaSet]
	PodCache        kit.Indexer[*kit.Pod]
	Recorder        kit.EventRecorder
}

// Scheduler is lab 21's: Run blocks until ctx is done and all of it has ended.
type Scheduler interface {
	PodHandler() kit.ResourceEventHandler[*kit.Pod]
	NodeHandler() kit.ResourceEventHandler[*kit.Node]
	Run(ctx context.Context) error
}

// SchedulerOptions are the parts of a Scheduler.
type SchedulerOptions struct {
	Pods     kit.Client[*kit.Pod]
	Recorder kit.EventRecorder
}

// Parts are all parts of a control plane outside this lab. Every field is set.
type Parts struct {
	// Connect is a component's way to the API server: each component of the control
	// plane asks for its own, by its name, each time that it starts.
	Connect func(component string) API

	Deployments Kind[*kit.Deployment]
	ReplicaSets Kind[*kit.ReplicaSet]
	Pods        Kind[*kit.Pod]
	Nodes       Kind[*kit.Node]

	NewQueue         func() kit.RateLimitingQueue[kit.Request] // labs 10, 11 and 12
	NewPriorityQueue func() kit.PriorityQueue[kit.Request]     // lab 13

	NewController func(options ControllerOptions) Controller           // lab 19
	NewReplicaSet func(options ReplicaSetOptions) ReplicaSetReconciler // lab 20
	NewScheduler  func(options SchedulerOptions) Scheduler             // lab 21
}

// The indices of this lab's caches.
const (
	// ControllerIndex finds objects by the owner that controls them: ControllerKey.
	ControllerIndex = "controller"
	// NodeIndex finds pods by the node that they are bound to.
	NodeIndex = "node"
)

// ControllerKey is the value of ControllerIndex for the objects that an owner of this
// kind and name controls. Owners that had the same name one after the other share it:
// their UIDs distinguish them.
func ControllerKey(kind, namespace, name string) string {
	return kind + "/" + namespace + "/" + name
}

// ByReplicaSetController is the IndexFunc of ControllerIndex for ReplicaSets.
func ByReplicaSetController(rs *kit.ReplicaSet) ([]string, error) {
	if owner := rs.ControllerOf(); owner != nil {
		return []string{ControllerKey(owner.Kind, rs.Namespace, owner.Name)}, nil
	}
	return nil, nil
}

// ByNode is the IndexFunc of NodeIndex.
func ByNode(pod *kit.Pod) ([]string, error) {
	if pod.Spec.NodeName == "" {
		return nil, nil
	}
	return []string{pod.Spec.NodeName}, nil
}

// TemplateHash distinguishes templates: it is the same for templates that ask for the
// same pods, whatever kit.PodTemplateHash says in their labels. 64 bits are assumed to
// be enough; upstream counts collisions instead (status.collisionCount).
func TemplateHash(template kit.PodTemplateSpec) string {
	labels := maps.Clone(template.Labels)
	delete(labels, kit.PodTemplateHash)
	hash := fnv.New64a()
	// Maps are encoded in the order of their keys, and an empty one is left out like none.
	_ = json.NewEncoder(hash).Encode([]any{kit.ObjectMeta{Labels: labels, Annotations: template.Annotations}, template.Spec})
	return fmt.Sprintf("%016x", hash.Sum64())
}
