package controlplanetest

import "github.com/controllerbook/controllerbook/checker/internal/conform"

var faults []conform.Fault
