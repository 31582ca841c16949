package kit

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Pod is a pod cut down to what schedulers, kubelets and controllers of this
// workbook look at. Its JSON is that of corev1.Pod as far as it goes.
type Pod struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Spec       PodSpec   `json:"spec,omitzero"`
	Status     PodStatus `json:"status,omitzero"`
}

// PodSpec is what somebody wants of a pod.
type PodSpec struct {
	NodeName     string            `json:"nodeName,omitempty"`
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Image        string            `json:"image,omitempty"`
	CPU          int64             `json:"cpu,omitempty"`         // request, in thousandths of a core
	Memory       int64             `json:"memory,omitempty"`      // request, in bytes
	Tolerations  []string          `json:"tolerations,omitempty"` // keys of taints that do not keep the pod away
}

// PodStatus is what was last seen of a pod.
type PodStatus struct {
	Phase      PodPhase  `json:"phase,omitempty"`
	Ready      bool      `json:"ready,omitempty"`
	ReadySince time.Time `json:"readySince,omitzero"` // since when Ready is what it is
	Reason     string    `json:"reason,omitempty"`
	Restart    int       `json:"restartCount,omitempty"`
}

// PodPhase is where a pod stands in its life (corev1.PodPhase).
type PodPhase string

// The phases of a pod.
const (
	PodPending   PodPhase = "Pending"
	PodRunning   PodPhase = "Running"
	PodSucceeded PodPhase = "Succeeded"
	PodFailed    PodPhase = "Failed"
	PodUnknown   PodPhase = "Unknown" // its node has not been heard of for too long
)

// PodDeletionCost is the annotation by which a user says which pods to spare: the
// lower the number, the sooner a pod is deleted; 0 where there is none (corev1.PodDeletionCost).
const PodDeletionCost = "controller.kubernetes.io/pod-deletion-cost"

// Active reports whether p still counts as a replica: it has not ended and nobody
// has asked for its deletion (pkg/controller IsPodActive).
func (p *Pod) Active() bool {
	return p.Status.Phase != PodSucceeded && p.Status.Phase != PodFailed && p.DeletionTimestamp == nil
}

// DeepCopyInto copies s into out; the two share no memory afterwards.
func (s *PodSpec) DeepCopyInto(out *PodSpec) {
	*out = *s
	out.NodeSelector = maps.Clone(s.NodeSelector)
	out.Tolerations = slices.Clone(s.Tolerations)
}

// DeepCopy returns a copy that shares no memory with p.
func (p *Pod) DeepCopy() *Pod {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	p.Spec.DeepCopyInto(&out.Spec)
	return &out
}

var podMeta = TypeMeta{Kind: "Pod", APIVersion: "v1"}

// Pods describes *Pod to generic code.
var Pods = described(podMeta, "pods",
	func() *Pod { return &Pod{TypeMeta: podMeta} },
	func(a, b *Pod) bool { return reflect.DeepEqual(a.Spec, b.Spec) })
