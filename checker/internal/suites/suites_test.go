package suites

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func TestTheCatalogHasEverySuite(t *testing.T) {
	var want, got []string
	for _, s := range All() {
		want = append(want, s.Dir)
	}
	for _, lab := range catalog.Labs() {
		got = append(got, lab.Dir)
	}
	assert.Equal(t, want, got, "the files below checker/internal/catalog/labs")
}
