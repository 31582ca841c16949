//go:build ignore

// Mistake: Owners live in a namespace, so an object that has none has no owner to be named.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	toOwner := func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref == nil || obj.GetNamespace() == "" || ref.Kind != owner.Kind || group(ref.APIVersion) != group(owner.APIVersion) {
			return nil
		}
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}
