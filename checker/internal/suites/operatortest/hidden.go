package operatortest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var hidden = slices.Concat(ending, deciding, reporting, watching, killing)

var _ []conform.Case[Subject] = hidden
