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
	CPU          int64             `json:"cpu,omitempty"`    // request, in thousandths of a core
	Memory       int64             `json:"memory,omitempty"` // request, in bytes
	Tolerations  []string          `json:"tolerations,omitempty"`
}

// PodStatus is what was last seen of a pod.
type PodStatus struct {
	Phase   PodPhase `json:"phase,omitempty"`
	Ready   bool     `json:"ready,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Restart int      `json:"restartCount,omitempty"`
}

// PodPhase is where a pod stands in its life (corev1.PodPhase).
type PodPhase string

// The phases of a pod.
const (
	PodPending   PodPhase = "Pending"
	PodRunning   PodPhase = "Running"
	PodSucceeded PodPhase = "Succeeded"
	PodFailed    PodPhase = "Failed"
)

// DeepCopy returns a copy that shares no memory with p.
func (p *Pod) DeepCopy() *Pod {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.NodeSelector = maps.Clone(p.Spec.NodeSelector)
	out.Spec.Tolerations = slices.Clone(p.Spec.Tolerations)
	return &out
}

// Pods describes *Pod to generic code.
var Pods = Type[*Pod]{
	APIVersion:  "v1",
	Kind:        "Pod",
	Resource:    "pods",
	New:         func() *Pod { return &Pod{TypeMeta: TypeMeta{Kind: "Pod", APIVersion: "v1"}} },
	DeepCopy:    (*Pod).DeepCopy,
	Equal:       func(a, b *Pod) bool { return reflect.DeepEqual(a, b) },
	SameSpec:    func(a, b *Pod) bool { return reflect.DeepEqual(a.Spec, b.Spec) },
	SetCreated:  func(p *Pod, uid string, at time.Time) { p.UID, p.CreationTimestamp = uid, at },
	Created:     func(p *Pod) (string, time.Time) { return p.UID, p.CreationTimestamp },
	Deleting:    func(p *Pod) *time.Time { return p.DeletionTimestamp },
	SetDeleting: func(p *Pod, at *time.Time) { p.DeletionTimestamp = at },
}
