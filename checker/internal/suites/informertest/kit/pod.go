// Package kit has the name of labs/kit, and its Pod that of the Pod there: only their paths tell
// these types from each other.
package kit

import "github.com/controllerbook/controllerbook/labs/kit"

// Pod is a type of objects.
type Pod struct{ kit.ObjectMeta }
