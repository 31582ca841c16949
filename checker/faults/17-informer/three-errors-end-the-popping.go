//go:build ignore

// Mistake: One error of the Indexer is no reason to stop, but three in a row are: something must be broken.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) process(ctx context.Context) {
	for failed := 0; ctx.Err() == nil && failed < 3; {
		_, err := s.options.Queue.Pop(s.apply)
		if errors.Is(err, kit.ErrFIFOClosed) {
			return
		}
		failed++
		if err == nil {
			failed = 0
		}
	}
}
