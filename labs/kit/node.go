package kit

import (
	"reflect"
	"slices"
	"time"
)

// Node is a machine that runs pods, cut down to what schedulers and kubelets of this
// workbook look at (corev1.Node). It has no namespace.
type Node struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Spec       NodeSpec   `json:"spec,omitzero"`
	Status     NodeStatus `json:"status,omitzero"`
}

// NodeSpec is what somebody wants of a node.
type NodeSpec struct {
	Unschedulable bool    `json:"unschedulable,omitempty"` // cordoned: no new pods
	Taints        []Taint `json:"taints,omitempty"`
}

// Taint keeps pods away that do not tolerate its key (corev1.Taint).
type Taint struct {
	Key    string      `json:"key"`
	Value  string      `json:"value,omitempty"`
	Effect TaintEffect `json:"effect"`
}

// TaintEffect is what a taint does (corev1.TaintEffect).
type TaintEffect string

// The effects of a taint.
const (
	TaintNoSchedule       TaintEffect = "NoSchedule"       // new pods stay away
	TaintPreferNoSchedule TaintEffect = "PreferNoSchedule" // new pods stay away if they can
	TaintNoExecute        TaintEffect = "NoExecute"        // running pods have to go, too
)

// TaintUnreachable is the key of the taint on a node whose heartbeats have stopped
// (corev1.TaintNodeUnreachable).
const TaintUnreachable = "node.kubernetes.io/unreachable"

// NodeStatus is what a node's kubelet last said of it.
type NodeStatus struct {
	Allocatable Resources `json:"allocatable,omitzero"`
	Ready       bool      `json:"ready,omitempty"`
	Heartbeat   time.Time `json:"heartbeat,omitzero"` // when the kubelet last said so
}

// Resources are what a node has to give.
type Resources struct {
	CPU    int64 `json:"cpu,omitempty"`    // in thousandths of a core
	Memory int64 `json:"memory,omitempty"` // in bytes
	Pods   int64 `json:"pods,omitempty"`   // how many pods it may run
}

// DeepCopy returns a copy that shares no memory with n.
func (n *Node) DeepCopy() *Node {
	out := *n
	n.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Taints = slices.Clone(n.Spec.Taints)
	return &out
}

var nodeMeta = TypeMeta{Kind: "Node", APIVersion: "v1"}

// Nodes describes *Node to generic code.
var Nodes = described(nodeMeta, "nodes",
	func() *Node { return &Node{TypeMeta: nodeMeta} },
	func(a, b *Node) bool { return reflect.DeepEqual(a.Spec, b.Spec) })
