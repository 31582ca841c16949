//go:build ignore

// Mistake: The version is of no interest, so it is taken off the reference before the two are compared. The reference is in the cache of the informer.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	toOwner := func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref != nil {
			ref.APIVersion = group(ref.APIVersion) + "/"
		}
		if ref == nil || ref.Kind != owner.Kind || group(ref.APIVersion) != group(owner.APIVersion) {
			return nil
		}
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}
