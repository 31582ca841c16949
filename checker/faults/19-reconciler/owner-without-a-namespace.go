//go:build ignore

// Mistake: A reference has a name and no namespace, so neither has the request.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	toOwner := func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref == nil || ref.Kind != owner.Kind || group(ref.APIVersion) != group(owner.APIVersion) {
			return nil
		}
		return []kit.Request{{Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}
