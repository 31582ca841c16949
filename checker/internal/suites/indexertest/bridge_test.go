package indexertest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/15-indexer"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{New: func(indexers map[string]IndexFunc) Indexer { return subject.New(indexers) }}
	})
}
