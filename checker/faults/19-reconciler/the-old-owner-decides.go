//go:build ignore

// Mistake: An update concerns whom the object belonged to; one that adopts it is not asked.
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
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}
	both := Predicate[T]{UpdateFunc: func(oldObj, _ T) bool { return len(toOwner(oldObj)) > 0 }}
	return Watches(informer, toOwner, append([]Predicate[T]{both}, predicates...)...)
}
