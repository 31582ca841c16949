//go:build ignore

// Mistake: The short cut compares hashes of the values put together by xor, in which a value that is named twice
//   cancels out.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import "hash/maphash"

var seed = maphash.MakeSeed()

func hashOf(values []string) (all uint64) {
	for _, value := range values {
		all ^= maphash.String(seed, value)
	}
	return all
}

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			return nil, err
		}
		var from []string
		if e != nil {
			if from, err = in.of(e.obj); err != nil {
				return nil, err
			}
		}
		if len(from) != len(to) || hashOf(from) != hashOf(to) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
