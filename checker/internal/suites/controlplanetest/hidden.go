package controlplanetest

import "slices"

var hidden = slices.Concat(hiddenDeployment, hiddenNodes, hiddenEvents, hiddenOptions, hiddenChain)
