package upstream

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// What the labs are told of an object is a part of what Kubernetes' own can do, so
// a learner's cache can hold real pods.
var _ kit.Object = (*corev1.Pod)(nil)
