package operator_test

import (
	"time"

	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/controllerbook/controllerbook/checker/upstream/operator"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// A main has a cloud of its own. This one is compiled and not run.
func Example() {
	must(operator.AddToScheme(scheme.Scheme))
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme.Scheme, LeaderElection: true, LeaderElectionID: "databases.book.example"})
	must(err)
	r := &operator.DatabaseReconciler{
		Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(),
		Cloud: cloud, Cluster: "production", Poll: 15 * time.Second, Resync: 10 * time.Minute,
	}
	ctx := ctrl.SetupSignalHandler()
	must(r.SetupWithManager(ctx, mgr, controller.Options{MaxConcurrentReconciles: 8}))
	must(mgr.Start(ctx))
}

var cloud kit.Cloud

func must(err error) {
	if err != nil {
		panic(err)
	}
}
