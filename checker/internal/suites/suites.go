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

// Suite is a lab as its suite describes it, and the mistakes that the suite is tested with.
type Suite struct {
	catalog.Lab
	Faults []conform.Fault
}

// list is every suite in the order of the book.
var list = []struct {
	lab    func() conform.Lab
	faults func() []conform.Fault
}{
	{goroutinestest.Lab, goroutinestest.Faults},
	{channelstest.Lab, channelstest.Faults},
	{backpressuretest.Lab, backpressuretest.Faults},
	{cancellationtest.Lab, cancellationtest.Faults},
	{debouncetest.Lab, debouncetest.Faults},
	{serverstest.Lab, serverstest.Faults},
	{storetest.Lab, storetest.Faults},
	{watchtest.Lab, watchtest.Faults},
	{watchhttptest.Lab, watchhttptest.Faults},
	{workqueuetest.Lab, workqueuetest.Faults},
	{delayingqueuetest.Lab, delayingqueuetest.Faults},
	{ratelimitingqueuetest.Lab, ratelimitingqueuetest.Faults},
	{priorityqueuetest.Lab, priorityqueuetest.Faults},
	{deltafifotest.Lab, deltafifotest.Faults},
	{indexertest.Lab, indexertest.Faults},
	{reflectortest.Lab, reflectortest.Faults},
	{informertest.Lab, informertest.Faults},
	{triggerstest.Lab, triggerstest.Faults},
	{reconcilertest.Lab, reconcilertest.Faults},
	{replicasettest.Lab, replicasettest.Faults},
	{schedulertest.Lab, schedulertest.Faults},
	{controlplanetest.Lab, controlplanetest.Faults},
}

// All returns all suites in the order of the book.
func All() []Suite {
	all := make([]Suite, len(list))
	for i, s := range list {
		all[i] = Suite{catalog.New(s.lab()), s.faults()}
	}
	return all
}

// Of returns the suites of labs that were found in the catalog.
func Of(labs []catalog.Lab) ([]Suite, error) {
	byDir := map[string]Suite{}
	for _, s := range All() {
		byDir[s.Dir] = s
	}
	found := make([]Suite, len(labs))
	for i, lab := range labs {
		s, ok := byDir[lab.Dir]
		if !ok {
			return nil, fmt.Errorf("no suite describes lab %s", lab.Dir)
		}
		found[i] = s
	}
	return found, nil
}
