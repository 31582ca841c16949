package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DeploymentOptions are the parts of a DeploymentReconciler.
type DeploymentOptions struct {
	Deployments kit.Client[*kit.Deployment]
	ReplicaSets kit.Client[*kit.ReplicaSet]

	// The caches follow the API server with a delay. Nobody may change their objects.
	DeploymentCache kit.Indexer[*kit.Deployment]
	ReplicaSetCache kit.Indexer[*kit.ReplicaSet] // has ControllerIndex

	Recorder kit.EventRecorder // never nil
}

// DeploymentReconciler rolls the pods of deployments from one template to the next. It
// touches no pod: it controls ReplicaSets, one for each template, by their spec.replicas,
// and reads the result in their status.
//
// # Which ReplicaSets
//
// The ReplicaSets of a deployment are those in ReplicaSetCache that it controls: the
// controlling owner is this deployment, by UID. The new one has TemplateHash of the
// deployment's template as its label kit.PodTemplateHash; all others are old. If there is
// no new one, and the deployment is not paused, it is created: its name is the
// deployment's, "-" and the hash; it has the template's labels and the hash; the deployment
// controls it; selector and template are those of the deployment with the hash added to the
// selector and to the template's labels; minReadySeconds is the deployment's, and follows
// it when it changes; and replicas is what scaling up (below) would make of 0.
//
// A ReplicaSet that is being deleted, and kept by a finalizer, is one like any other for as
// long as it exists: it counts, and may be the new one. Whether it counts for the history
// (below) is left open.
//
// A ReplicaSet carries the number of its template in kit.RevisionAnnotation. The new one
// has the highest. If it does not (it was just created, or the template of an old one has
// come back, which is what a rollback is), it gets one more than the highest of the
// others, and keeps its name and its pods. This holds in a paused deployment, too. The
// deployment's own annotation is that of the new ReplicaSet. Other annotations of both stay.
//
// # Scaling
//
// At no moment may there be more pods than spec.replicas + surge, nor may fewer be
// available than spec.replicas - unavailable by the deployment's own doing: see
// ResolveFenceposts. What the reconciler knows about pods is old, so it takes
// each number for the worst that it can mean:
//
//   - ReplicaSetCache may not contain yet what earlier calls of Reconcile have written to
//     ReplicaSets. Until all of them have arrived, or the API server says that their
//     object is gone again, Reconcile changes no spec.replicas of this deployment,
//     creates no ReplicaSet for it, and asks to be called again within a second. Whether
//     a write counts that was stored, though its answer was an error, is left open.
//   - A ReplicaSet is observed if its status.observedGeneration is its generation. While
//     one of them is not, its controller may still be acting on an earlier spec, and nobody
//     knows how many pods there are: no spec.replicas is changed and no ReplicaSet created.
//   - A ReplicaSet has settled if it is observed and its status.replicas are its
//     spec.replicas. spec.replicas of one that has not settled stays as it is: one change
//     at a time.
//   - The counted pods of a ReplicaSet are the larger of spec.replicas and
//     status.replicas, and its counted available pods the smaller of spec.replicas and
//     status.availableReplicas.
//
// One call of Reconcile may change several ReplicaSets. It looks at them once, in the
// cache, and that look has to show all that earlier calls have written. It goes by that
// look, for observed and settled as well; what arrives later is not counted. Only where
// the call itself has changed spec.replicas since, the new number counts. Within that,
// these are the steps, in this order, in one call or in several:
//
//   - If the new ReplicaSet has more than the deployment's replicas, it is scaled down to
//     that number.
//   - If it has fewer, it is scaled up by the room that the counted pods leave below
//     replicas + surge, and to replicas at most.
//   - Old ReplicaSets are scaled down, the oldest first (by creation time, then by name).
//     First go pods that are not available, because losing them costs nothing: from each
//     ReplicaSet at most its spec.replicas minus its counted available pods; and in all at
//     most the spec.replicas of all ReplicaSets, the new one included, minus the pods that
//     must be available (spec.replicas - unavailable, at least 0), minus those of the new
//     ReplicaSet that are not available. Then go available ones: in all at most the counted
//     available pods of all ReplicaSets, the new one included, minus those that must be
//     available.
//
// A paused deployment neither starts nor continues a rollout: only if all but one of its
// ReplicaSets have spec.replicas 0, that one is scaled to the deployment's replicas; if
// all have 0, the one with the highest revision. What is said above of own writes,
// observed, settled and minReadySeconds holds here, too. Whether it is scaled up at once,
// or as far as pods of the others that are not gone yet leave room, is left open.
//
// When the new ReplicaSet has all its replicas available and no old one has any (of spec or
// status), old ones beyond spec.revisionHistoryLimit (nil is 10) are deleted, lowest
// revision first, in a paused deployment, too.
//
// Upstream scales every ReplicaSet in proportion when replicas change in the middle of a
// rollout. This lab leaves that out.
//
// # Status
//
// Status sums up the ReplicaSets in the cache: replicas, ready and available of all,
// updated is the new one's replicas, unavailable is replicas minus available, at least 0;
// observedGeneration is the generation of the deployment that Reconcile has looked at. The
// numbers are those of the ReplicaSets' status. Only for unavailable, the sum of
// spec.replicas may be taken instead of replicas, as Kubernetes does. If none of this has
// changed, nothing is written. In a world at rest Reconcile writes nothing.
//
// # The end
//
// A deployment that is being deleted is left alone. When it is gone, even if there is a
// new one of this name by then, Reconcile scales each ReplicaSet that a deployment of this
// name controls to 0 once it has settled, and deletes it when it has settled there. Those
// of the new one are not touched: a lagging cache does not decide that, Reconcile asks the
// API server. Upstream leaves this to its garbage collector, and so has an orphan for a
// while. What becomes of an orphan that is being deleted already is left open: lab 20's
// controller would not scale it, and upstream's garbage collector leaves it alone.
type DeploymentReconciler struct {
	// yours
}

var _ kit.Reconciler = (*DeploymentReconciler)(nil)

// NewDeploymentReconciler makes a DeploymentReconciler.
func NewDeploymentReconciler(options DeploymentOptions) *DeploymentReconciler {
	panic(kit.TODO("NewDeploymentReconciler"))
}

// Reconcile brings the ReplicaSets of one deployment, and its status, nearer to what it
// asks for. It is not called twice at once for one request, but may be called at once for
// several. An error of the API is returned, wrapped or not, and the next call starts over
// from the caches; Conflict is one of them. Invalid fenceposts are a kit.TerminalError,
// in a paused deployment, too. An error that an orphan meets is returned before that: a
// terminal one would not be tried again. As long as an orphan has the name of the new
// ReplicaSet, Create fails with AlreadyExists, which is returned, too.
func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("DeploymentReconciler.Reconcile"))
}
