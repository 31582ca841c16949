package upstream

import (
	"cmp"
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllerbook/controllerbook/checker/internal/suites/operatortest"
	"github.com/controllerbook/controllerbook/checker/upstream/operator"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The subject is the operator of package operator, which knows nothing of the labs but the
// cloud. Its SetCondition is apimachinery's.
func TestOperator(t *testing.T) {
	run(t, operatortest.Lab(), operatortest.Cases(), func() operatortest.Subject {
		return operatortest.Subject{New: newOperator, SetCondition: setCondition}
	})
}

// databaseReconciler is what package operator has, and what its copies with a mistake have.
type databaseReconciler interface {
	reconcile.Reconciler
	SetupWithManager(context.Context, ctrl.Manager, controller.Options) error
}

// asked is the operator that the suite is put to: that of package operator, and in the binary
// that TestOperatorMistakesAreNoticed builds, one with a mistake.
var asked = func(r *operator.DatabaseReconciler) databaseReconciler { return r }

// theirOperator is an operator with the queue and the informers that its builder connected.
type theirOperator struct {
	databaseReconciler
	queue   *sink
	cluster *cluster
}

// newOperator sets the operator up as main does, and starts its controller until it listens.
func newOperator(o operatortest.Options) operatortest.Reconciler {
	c := newCluster(o)
	r := asked(&operator.DatabaseReconciler{
		Client: c.client(false), APIReader: c.client(true),
		Cloud: o.Cloud, Cluster: o.Cluster,
		Poll: cmp.Or(o.Poll, 15*time.Second), Resync: cmp.Or(o.Resync, 10*time.Minute), // main gives both: there is no zero to stand for them
	})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	queue := &sink{stop: stop}
	err := r.SetupWithManager(ctx, c.manager(), controller.Options{
		SkipNameValidation: new(true), // every case makes one of that name
		NewQueue:           queue.instead,
	})
	if err == nil {
		err = c.controller.Start(ctx)
	}
	if err != nil {
		panic(err)
	}
	return theirOperator{r, queue, c}
}

func (o theirOperator) Reconcile(ctx context.Context, r kit.Request) (kit.Result, error) {
	result, err := o.databaseReconciler.Reconcile(ctx, theirRequest(r))
	return kit.Result{RequeueAfter: result.RequeueAfter, Requeue: result.Requeue, Priority: result.Priority}, err
}

func (o theirOperator) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return o.cluster.databases.handler(func() { o.queue.enqueue = enqueue })
}

func (o theirOperator) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	return o.cluster.secrets.handler(func() { o.queue.enqueue = enqueue })
}

// sink is a queue that hands on what is added to it, to the enqueue of the handler that heard last. The reconciling is up to the suite, so the
// controller is stopped when its worker first asks for work: by then all sources listen.
type sink struct {
	theirQueue // what nobody calls
	enqueue    func(kit.Request)
	stop       func()
}

func (s *sink) instead(string, theirLimiter) theirQueue { return s }
func (s *sink) Add(r reconcile.Request)                 { s.enqueue(ourRequest(r)) }
func (s *sink) ShutDown()                               {}

func (s *sink) Get() (r reconcile.Request, shutdown bool) {
	s.stop()
	return r, true
}

// setCondition hands over the elements themselves, so that what is written to them can be seen.
func setCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	var theirs []metav1.Condition
	for _, ours := range *conditions {
		theirs = append(theirs, theirCondition(ours))
	}
	changed = meta.SetStatusCondition(&theirs, theirCondition(c))
	for i := range *conditions {
		(*conditions)[i] = ourCondition(theirs[i])
	}
	for _, added := range theirs[len(*conditions):] {
		*conditions = append(*conditions, ourCondition(added))
	}
	return changed
}

func theirCondition(c kit.Condition) metav1.Condition {
	return metav1.Condition{
		Type: c.Type, Status: metav1.ConditionStatus(c.Status), ObservedGeneration: c.ObservedGeneration,
		LastTransitionTime: metav1.NewTime(c.LastTransitionTime), Reason: c.Reason, Message: c.Message,
	}
}

func ourCondition(c metav1.Condition) kit.Condition {
	return kit.Condition{
		Type: c.Type, Status: kit.ConditionStatus(c.Status), ObservedGeneration: c.ObservedGeneration,
		LastTransitionTime: c.LastTransitionTime.Time, Reason: c.Reason, Message: c.Message,
	}
}
