package indexer

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/indexertest"
	subject "github.com/controllerbook/controllerbook/solutions/15-indexer"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{New: func(indexers map[string]suite.IndexFunc) suite.Indexer { return subject.New(indexers) }}
	})
}
