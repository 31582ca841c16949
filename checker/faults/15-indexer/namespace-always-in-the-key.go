//go:build ignore

// Mistake: Get makes the key itself, and puts a slash in front of the name of an object without a namespace.
// Killed by: stores-by-key
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) Get(obj T) (item T, exists bool) {
	return x.GetByKey(obj.GetNamespace() + "/" + obj.GetName())
}
