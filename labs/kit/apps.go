package kit

import (
	"maps"
	"reflect"
)

// LabelSelector chooses objects by their labels (metav1.LabelSelector, of which it
// has the equalities).
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
}

// Matches reports whether labels has every pair of the selector. A selector without
// pairs matches nothing: one that owns every pod of a namespace is always a mistake,
// and the API server refuses it in a ReplicaSet.
func (s LabelSelector) Matches(labels map[string]string) bool {
	for key, value := range s.MatchLabels {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return len(s.MatchLabels) > 0
}

// PodTemplateSpec is what a controller makes its pods from (corev1.PodTemplateSpec).
// Of the metadata only labels and annotations count.
type PodTemplateSpec struct {
	ObjectMeta `json:"metadata,omitzero"`
	Spec       PodSpec `json:"spec,omitzero"`
}

// DeepCopyInto copies t into out; the two share no memory afterwards.
func (t *PodTemplateSpec) DeepCopyInto(out *PodTemplateSpec) {
	t.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	t.Spec.DeepCopyInto(&out.Spec)
}

// ReplicaSet keeps so many pods of one kind running (apps/v1 ReplicaSet).
type ReplicaSet struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Spec       ReplicaSetSpec   `json:"spec,omitzero"`
	Status     ReplicaSetStatus `json:"status,omitzero"`
}

// ReplicaSetSpec is what somebody wants of a ReplicaSet.
type ReplicaSetSpec struct {
	Replicas        int             `json:"replicas"`
	MinReadySeconds int             `json:"minReadySeconds,omitempty"` // how long a pod must be ready to be available
	Selector        LabelSelector   `json:"selector,omitzero"`
	Template        PodTemplateSpec `json:"template,omitzero"`
}

// ReplicaSetStatus is what its controller last saw.
type ReplicaSetStatus struct {
	Replicas           int   `json:"replicas"`
	ReadyReplicas      int   `json:"readyReplicas,omitempty"`
	AvailableReplicas  int   `json:"availableReplicas,omitempty"`
	ObservedGeneration int64 `json:"observedGeneration,omitempty"` // the generation that the controller acted on
}

// DeepCopy returns a copy that shares no memory with r.
func (r *ReplicaSet) DeepCopy() *ReplicaSet {
	out := *r
	r.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Selector.MatchLabels = maps.Clone(r.Spec.Selector.MatchLabels)
	r.Spec.Template.DeepCopyInto(&out.Spec.Template)
	return &out
}

var replicaSetMeta = TypeMeta{Kind: "ReplicaSet", APIVersion: "apps/v1"}

// ReplicaSets describes *ReplicaSet to generic code.
var ReplicaSets = described(replicaSetMeta, "replicasets",
	func() *ReplicaSet { return &ReplicaSet{TypeMeta: replicaSetMeta} },
	func(a, b *ReplicaSet) bool { return reflect.DeepEqual(a.Spec, b.Spec) })

// Deployment rolls pods from one template to the next (apps/v1 Deployment).
type Deployment struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Spec       DeploymentSpec   `json:"spec,omitzero"`
	Status     DeploymentStatus `json:"status,omitzero"`
}

// DeploymentSpec is what somebody wants of a Deployment. Its strategy is always the
// rolling update.
type DeploymentSpec struct {
	Replicas             int             `json:"replicas"`
	MinReadySeconds      int             `json:"minReadySeconds,omitempty"`
	Selector             LabelSelector   `json:"selector,omitzero"`
	Template             PodTemplateSpec `json:"template,omitzero"`
	MaxSurge             IntOrPercent    `json:"maxSurge,omitempty"`       // pods beyond Replicas during a rollout; "" is 25%
	MaxUnavailable       IntOrPercent    `json:"maxUnavailable,omitempty"` // pods that may be missing during a rollout; "" is 25%
	RevisionHistoryLimit *int            `json:"revisionHistoryLimit,omitempty"`
	Paused               bool            `json:"paused,omitempty"`
}

// IntOrPercent is a number of pods: "3", or a part of Replicas: "25%" (util/intstr.IntOrString).
type IntOrPercent string

// DeploymentStatus is what its controller last saw.
type DeploymentStatus struct {
	Replicas            int   `json:"replicas"`
	UpdatedReplicas     int   `json:"updatedReplicas,omitempty"` // those made from the current template
	ReadyReplicas       int   `json:"readyReplicas,omitempty"`
	AvailableReplicas   int   `json:"availableReplicas,omitempty"`
	UnavailableReplicas int   `json:"unavailableReplicas,omitempty"`
	ObservedGeneration  int64 `json:"observedGeneration,omitempty"`
}

// Names that deployments and their ReplicaSets carry, spelt as upstream.
const (
	// PodTemplateHash is the label that tells the pods of one template from those of
	// another (appsv1.DefaultDeploymentUniqueLabelKey).
	PodTemplateHash = "pod-template-hash"
	// RevisionAnnotation numbers the templates of a deployment, the newest highest.
	RevisionAnnotation = "deployment.kubernetes.io/revision"
	// DesiredReplicasAnnotation is, on a ReplicaSet, how many replicas its deployment
	// wanted in all when it was last scaled.
	DesiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas"
)

// DeepCopy returns a copy that shares no memory with d.
func (d *Deployment) DeepCopy() *Deployment {
	out := *d
	d.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Selector.MatchLabels = maps.Clone(d.Spec.Selector.MatchLabels)
	d.Spec.Template.DeepCopyInto(&out.Spec.Template)
	if d.Spec.RevisionHistoryLimit != nil {
		limit := *d.Spec.RevisionHistoryLimit
		out.Spec.RevisionHistoryLimit = &limit
	}
	return &out
}

var deploymentMeta = TypeMeta{Kind: "Deployment", APIVersion: "apps/v1"}

// Deployments describes *Deployment to generic code.
var Deployments = described(deploymentMeta, "deployments",
	func() *Deployment { return &Deployment{TypeMeta: deploymentMeta} },
	func(a, b *Deployment) bool { return reflect.DeepEqual(a.Spec, b.Spec) })
