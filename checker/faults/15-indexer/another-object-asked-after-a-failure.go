//go:build ignore

// Mistake: When an IndexFunc has failed, the update asks it about another stored object, to find out which of the
//   two is broken.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			for _, other := range x.items {
				if _, broken := in.of(other.obj); broken != nil {
					return nil, broken
				}
				break
			}
			return nil, err
		}
		var from []string
		if e != nil {
			if from, err = in.of(e.obj); err != nil {
				return nil, err
			}
		}
		room = append(room, move[T]{in, from, to})
	}
	return room, nil
}
