// Package kit has the name of labs/kit, and its Pod that of the Pod there: only the paths of their
// packages tell these types from each other, as those of the two v1.Event of Kubernetes.
package kit

import "github.com/controllerbook/controllerbook/labs/kit"

// Pod is a type of objects.
type Pod struct{ kit.ObjectMeta }
