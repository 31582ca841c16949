package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Life says what happens to a pod on a simulated node.
type Life struct {
	Start time.Duration // from when the kubelet has seen the pod until it is running
	Ready time.Duration // from then until it is ready; below 0 for never
	Ends  time.Duration // from running until its containers end; 0 or less for never
	Phase kit.PodPhase  // its phase from then on: "" is PodFailed
}

// KubeletOptions are the parts and settings of a Kubelet.
type KubeletOptions struct {
	Node        string            // its node's name
	Labels      map[string]string // its node's labels, if it creates it
	Allocatable kit.Resources     // what its node has to give

	Pods     kit.Client[*kit.Pod]
	Nodes    kit.Client[*kit.Node]
	PodCache kit.Indexer[*kit.Pod] // pods of this node and others; has NodeIndex

	Life      func(pod *kit.Pod) Life // what happens to a pod; nil is Life{} for all
	Heartbeat time.Duration           // between two heartbeats; 0 is 10 s
	Now       func() time.Time        // this node's own clock, for its heartbeats alone; nil is time.Now

	Recorder kit.EventRecorder // never nil
}

// Kubelet runs the pods that are bound to one node. The node is simulated: a pod starts,
// gets ready and ends after the times that its Life says.
//
// # Pods
//
// The kubelet ignores pods of other nodes, and of none. For a pod of its own it reports,
// by an update of the status: phase Running after Life.Start; Ready after Life.Ready
// more, if it has not ended by then; and Life.Phase, no longer ready, when it has ended.
// ReadySince is set when Ready changes. A pod that is Succeeded or Failed stays so.
// Stages with a time of 0 may be reported in one update with the next. A report may come
// up to a second late, or later while the API server refuses it, and later ones are due
// as if it had been on time.
//
// A pod is identified by its UID: a deleted one is forgotten, and a new one of the same
// name starts from the beginning. The kubelet never writes to a pod that it has not just
// read: same UID, bound to this node, not being deleted. It does not write an unchanged
// status. If somebody else has marked a ready pod as not ready, the kubelet reports again
// that it is ready.
//
// A kubelet that finds a pod whose phase is neither empty nor Pending did not start it: its
// containers have run on while the kubelet was down. It takes the status as it is, and
// counts Life.Ends, and Life.Ready if the pod is not ready, each anew and in full from when
// it has seen the pod. Life.Start does not count again. Whether a pod that is Unknown runs
// already is left open.
//
// # The node
//
// Within a second of the beginning of Run, and then every Heartbeat, the kubelet reports
// its node: status.ready, status.heartbeat from its own clock, status.allocatable. If there
// is no such node, it creates one. It leaves the rest of the node alone. (Upstream renews a Lease
// object instead, and writes an unchanged Node status only every five minutes.)
//
// The kubelet tries again within a second whatever the API server refuses: a Conflict is
// no reason to lose a report or a heartbeat.
type Kubelet struct {
	// yours
}

// NewKubelet makes a Kubelet. It starts no goroutine.
func NewKubelet(options KubeletOptions) *Kubelet {
	panic(kit.TODO("NewKubelet"))
}

// PodHandler hears of changes of pods: of this node, of others, of none. It never blocks,
// and may be called before Run, during it and after it. The kubelet looks the pod up in
// PodCache.
func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("Kubelet.PodHandler"))
}

// Run looks at all pods of the node in PodCache, and from then on at those that PodHandler
// hears of. It blocks until ctx is done and then returns nil: the node is lost, the kubelet
// writes nothing from then on, not even a report for which it has just read the pod, and no
// goroutine is left. Run is called once.
func (k *Kubelet) Run(ctx context.Context) error {
	panic(kit.TODO("Kubelet.Run"))
}
