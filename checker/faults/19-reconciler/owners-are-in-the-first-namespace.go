//go:build ignore

// Mistake: The namespace of the first object that has one is taken for that of all owners.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	namespace := ""
	toOwner := func(obj T) []kit.Request {
		if namespace == "" {
			namespace = obj.GetNamespace()
		}
		ref := obj.ControllerOf()
		if ref == nil || ref.Kind != owner.Kind || group(ref.APIVersion) != group(owner.APIVersion) {
			return nil
		}
		return []kit.Request{{Namespace: namespace, Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}
