package kit

import "time"

// Condition is one aspect of how an object is, for people and for other programs to
// read (metav1.Condition). An object has at most one of a Type.
type Condition struct {
	Type               string          `json:"type"` // "Ready"
	Status             ConditionStatus `json:"status"`
	ObservedGeneration int64           `json:"observedGeneration,omitempty"` // the generation that it was set for
	LastTransitionTime time.Time       `json:"lastTransitionTime,omitzero"`  // when Status last became another one
	Reason             string          `json:"reason"`                       // one word for machines: "Creating"
	Message            string          `json:"message"`                      // a sentence for people
}

// ConditionStatus is whether a condition holds (metav1.ConditionStatus).
type ConditionStatus string

// The statuses of a Condition.
const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// FindCondition is the condition of that type, nil if there is none (apimachinery
// meta.FindStatusCondition). It points into the slice.
func FindCondition(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}
