//go:build ignore

// Mistake: The APIVersion begins with the group, and that is all that is compared: apps is also the beginning of apps.example.org.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	toOwner := func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref == nil || ref.Kind != owner.Kind || !strings.HasPrefix(ref.APIVersion, group(owner.APIVersion)) || (group(ref.APIVersion) == "") != (group(owner.APIVersion) == "") {
			return nil
		}
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}
