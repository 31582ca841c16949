package upstream

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"

	"github.com/controllerbook/controllerbook/checker/internal/suites/storetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	ours "github.com/controllerbook/controllerbook/solutions/07-store"
)

// Of lab 07, RetryOnConflict and its two backoffs are client-go's; the store is the
// solution's, as there is no API server here. RetryOnConflict is OnError with
// apimachinery's IsConflict, which does not know kit's errors: the adapter puts
// kit's own in its place.
func TestRetryOnConflict(t *testing.T) {
	run(t, storetest.Lab(), storetest.Cases(), func() storetest.Subject {
		return storetest.Subject{
			New: func(typ kit.Type[*kit.Pod], journals ...kit.Journal[*kit.Pod]) kit.Client[*kit.Pod] {
				return ours.New(typ, journals...)
			},
			RetryOnConflict: func(_ context.Context, b kit.Backoff, f func() error) error {
				return retry.OnError(wait.Backoff(b), kit.IsConflict, f)
			},
			DefaultRetry:   kit.Backoff(retry.DefaultRetry),
			DefaultBackoff: kit.Backoff(retry.DefaultBackoff),
		}
	})
}
