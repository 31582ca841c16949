// Package suites lists the suites of the book, for the packages that prove things about
// them or generate files from them. Everything else asks the catalog, and links no suite.
package suites

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/suites/backpressuretest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/cancellationtest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/channelstest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/controlplanetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/debouncetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/delayingqueuetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/deltafifotest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/goroutinestest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/indexertest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/informertest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/operatortest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/priorityqueuetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/ratelimitingqueuetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/reconcilertest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/reflectortest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/replicasettest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/schedulertest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/serverstest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/storetest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/triggerstest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/watchhttptest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/watchtest"
	"github.com/controllerbook/controllerbook/checker/internal/suites/workqueuetest"
)

// list is every suite in the order of the book.
var list = []func() conform.Lab{
	goroutinestest.Lab,
	channelstest.Lab,
	backpressuretest.Lab,
	cancellationtest.Lab,
	debouncetest.Lab,
	serverstest.Lab,
	storetest.Lab,
	watchtest.Lab,
	watchhttptest.Lab,
	workqueuetest.Lab,
	delayingqueuetest.Lab,
	ratelimitingqueuetest.Lab,
	priorityqueuetest.Lab,
	deltafifotest.Lab,
	indexertest.Lab,
	reflectortest.Lab,
	informertest.Lab,
	triggerstest.Lab,
	reconcilertest.Lab,
	replicasettest.Lab,
	schedulertest.Lab,
	controlplanetest.Lab,
	operatortest.Lab,
}

// All returns all labs in the order of the book, as their suites describe them.
func All() []catalog.Lab {
	all := make([]catalog.Lab, len(list))
	for i, lab := range list {
		all[i] = catalog.New(lab())
	}
	return all
}

// Of returns, as their suites describe them, labs that were found in the catalog.
func Of(labs []catalog.Lab) ([]catalog.Lab, error) {
	byDir := map[string]catalog.Lab{}
	for _, lab := range All() {
		byDir[lab.Dir] = lab
	}
	found := make([]catalog.Lab, len(labs))
	for i, lab := range labs {
		described, ok := byDir[lab.Dir]
		if !ok {
			return nil, fmt.Errorf("no suite describes lab %s", lab.Dir)
		}
		found[i] = described
	}
	return found, nil
}
