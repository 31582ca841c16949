//go:build ignore

// Mistake: An informer ends by itself when its ctx is done, so that nobody has to wait for it.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func informer[T kit.Object](p *process, kind Kind[T], source Resource[T], indices map[string]kit.IndexFunc[T]) kit.SharedInformer[T] {
	i := kind.NewInformer(source, indices)
	go i.Run(p.ctx)
	return i
}
