package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Life is what becomes of a pod on a simulated node.
type Life struct {
	Start time.Duration // from when the kubelet has seen the pod until it is running
	Ready time.Duration // from then until it is ready; below 0 for never
	Ends  time.Duration // from running until its containers end; 0 or less for never
	Phase kit.PodPhase  // what it has become then: "" is PodFailed
}

// KubeletOptions are what a Kubelet is made of.
type KubeletOptions struct {
	Node        string            // its node's name
	Labels      map[string]string // its node's labels, where it creates it
	Allocatable kit.Resources     // what its node has to give

	Pods     kit.Client[*kit.Pod]
	Nodes    kit.Client[*kit.Node]
	PodCache kit.Indexer[*kit.Pod] // pods of this node and others; has NodeIndex

	Life      func(pod *kit.Pod) Life // what becomes of a pod; nil is Life{} for all
	Heartbeat time.Duration           // between two heartbeats; 0 is 10 s
	Now       func() time.Time        // the clock on this node's wall, for its heartbeats alone; nil is time.Now

	Recorder kit.EventRecorder // never nil
}

// Kubelet runs the pods that are bound to one node. The node is simulated: a pod starts,
// gets ready and ends after the times that its Life says.
//
// # Pods
//
// Pods of other nodes, and of none, are none of its business. For a pod of its own the
// kubelet reports, by an update of the status: phase Running after Life.Start; Ready after
// Life.Ready more; and, not ready any more, Life.Phase when it has ended. ReadySince is set
// when Ready changes. What has become Succeeded or Failed stays so for ever. Times that are
// 0 may be reported in one update with the next.
//
// A pod is known by its UID: one that is deleted is forgotten, and a new one of the same
// name starts from the beginning. The kubelet never writes to a pod that it has not looked
// at right before: same UID, bound to this node, not being deleted. What stands there
// already is not written again. A pod that somebody else has marked as not ready, and that
// is, is reported again.
//
// A kubelet that finds a pod whose status says more than Pending did not start it: its
// containers have gone on while the kubelet was away. It takes the status as it is, and
// counts the times that are left to it from when it has seen the pod.
//
// # The node
//
// At the beginning of Run, and then every Heartbeat, the kubelet says that its node is
// there: status.ready, status.heartbeat from the clock on its wall, status.allocatable. If
// there is no such node it creates one. It leaves the rest of the node alone.
//
// Whatever the API server refuses is tried again within a second: a Conflict is no reason
// to lose a report or a heartbeat.
type Kubelet struct {
	// yours
}

// NewKubelet makes a Kubelet. It starts nothing.
func NewKubelet(options KubeletOptions) *Kubelet {
	panic(kit.TODO("NewKubelet"))
}

// PodHandler is told of changes of pods; of this node, of others, of none. It never blocks,
// and may be called before Run, during it and after it. The kubelet looks the pod up in
// PodCache.
func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("Kubelet.PodHandler"))
}

// Run looks at all pods of the node in PodCache, and from then on at those that PodHandler
// is told of. It blocks until ctx is done and then returns nil: the node is lost, nothing is
// written any more, and no goroutine is left. Run is called once.
func (k *Kubelet) Run(ctx context.Context) error {
	panic(kit.TODO("Kubelet.Run"))
}
