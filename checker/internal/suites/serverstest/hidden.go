package serverstest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var hidden = slices.Concat([]conform.Case[Subject](nil), hiddenShutdown, hiddenHandlers)
