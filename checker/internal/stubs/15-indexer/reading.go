package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

// Get returns the stored object with the key of obj, or the zero value and false.
func (x *Indexer[T]) Get(obj T) (item T, exists bool) {
	panic(kit.TODO("Indexer.Get"))
}

// GetByKey returns the stored object with that key, or the zero value and false.
func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	panic(kit.TODO("Indexer.GetByKey"))
}

// List returns all objects.
func (x *Indexer[T]) List() []T {
	panic(kit.TODO("Indexer.List"))
}

// ListKeys returns the keys of all objects.
func (x *Indexer[T]) ListKeys() []string {
	panic(kit.TODO("Indexer.ListKeys"))
}

// Index returns the stored objects that share a value with obj in the index of that
// name, each of them once. The values are those of obj as it is given: it need not be
// stored, and what is stored under its key may be another state of it. If obj has no
// values, no object shares one. An index that does not exist is an error. An error of
// the IndexFunc is returned, as it is or wrapped so that errors.Is finds that very error.
func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	panic(kit.TODO("Indexer.Index"))
}

// ByIndex returns the objects under indexedValue in the index of that name: none, if
// there is no such value. An index that does not exist is an error.
func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	panic(kit.TODO("Indexer.ByIndex"))
}

// IndexKeys is like ByIndex, but returns the keys of the objects.
func (x *Indexer[T]) IndexKeys(indexName, indexedValue string) ([]string, error) {
	panic(kit.TODO("Indexer.IndexKeys"))
}

// ListIndexFuncValues returns the values under which the index of that name has
// objects. For an index that does not exist it returns none.
func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	panic(kit.TODO("Indexer.ListIndexFuncValues"))
}
