package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/report/page"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestEveryVerdictHasAColourInTheCharts(t *testing.T) {
	for _, v := range verdict.All {
		assert.Contains(t, page.Groups, group(v), v)
	}
}
