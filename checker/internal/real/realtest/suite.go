// Package realtest is the conformance suite of checker real: what the learner's labs hold
// against a real API server, with client-go as the witness.
//
// What it can miss: what a server does once in a day. Versions that the server never gives
// twice make most faults visible in the end state, and a case looks at nothing else but that
// and what the handlers heard on the way.
package realtest

import (
	"context"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
	"github.com/controllerbook/controllerbook/checker/internal/real/writer"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Client is lab 09's.
type Client[T kit.Object] interface {
	kit.ListerWatcher[T]
	ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error
}

// Informer is lab 17's, over labs 14, 15 and 16.
type Informer[T kit.Object] struct {
	kit.SharedInformer[T]
	Version func() string // how far its reflector has come
}

// Source is where a controller's requests come from (lab 19).
type Source interface {
	Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error
	WaitForSync(ctx context.Context) error
}

// Kind makes what the labs have for one type of object.
type Kind[T kit.Object] struct {
	NewClient   func(typ kit.Type[T], server string, client *http.Client) Client[T]
	NewInformer func(source kit.ListerWatcher[T], onError func(err error)) Informer[T]
	For         func(informer kit.SharedInformer[T]) Source
	NewSource   func(informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]) Source
}

// ReplicaSetParts are the neighbours of a reconciler of lab 20.
type ReplicaSetParts struct {
	ReplicaSets                             kit.Client[*kit.ReplicaSet]
	Pods                                    kit.Client[*kit.Pod]
	ReplicaSetCache                         kit.Indexer[*kit.ReplicaSet]
	PodCache                                kit.Indexer[*kit.Pod]
	ReplicaSetCacheVersion, PodCacheVersion func() string
}

// ReplicaSetReconciler is lab 20's.
type ReplicaSetReconciler interface {
	kit.Reconciler
	ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet]
	PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod]
}

// OperatorParts are the neighbours and settings of an operator of lab 23.
type OperatorParts struct {
	Databases     kit.Client[*kit.Database]
	Status        kit.StatusClient[*kit.Database]
	Secrets       kit.Client[*kit.Secret]
	DatabaseCache kit.Indexer[*kit.Database]
	SecretCache   kit.Indexer[*kit.Secret]
	Cloud         kit.Cloud
	Cluster       string
	Poll, Resync  time.Duration
}

// Operator is lab 23's.
type Operator interface {
	kit.Reconciler
	DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database]
	SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret]
}

// Subject is the labs, as the suite sees them.
type Subject struct {
	Entries Kind[*Entry]
	Widgets Kind[*Widget]

	NewPodClient        func(typ kit.Type[*writer.Pod], server string, client *http.Client) Client[*writer.Pod]
	NewReplicaSetClient func(typ kit.Type[*writer.ReplicaSet], server string, client *http.Client) Client[*writer.ReplicaSet]
	Pods                Kind[*kit.Pod]
	ReplicaSets         Kind[*kit.ReplicaSet]
	Databases           Kind[*kit.Database]
	Secrets             Kind[*kit.Secret]

	NewQueue         func() kit.RateLimitingQueue[kit.Request]
	NewPriorityQueue func() kit.RateLimitingQueue[kit.Request]
	RunController    func(ctx context.Context, r kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], workers int, onError func(kit.Request, error), sources ...Source) error
	NewReplicaSet    func(p ReplicaSetParts) ReplicaSetReconciler
	NewOperator      func(p OperatorParts) Operator
}

// Case is a case, the labs that it is about, and what it asks of the server.
type Case struct {
	conform.Case[Subject]
	Labs []string // by directory
	Own  bool     // the server must be one that this run has started: the case breaks it
}

// Meta is a Case without its check: what the command has to know.
type Meta struct {
	conform.Meta
	Labs []string `json:"labs"`
	Own  bool     `json:"own,omitempty"`
}

// Describe is the table of cases without the checks.
func Describe() []Meta {
	var all []Meta
	for _, c := range table() {
		all = append(all, Meta{conform.Describe([]conform.Case[Subject]{c.Case})[0], c.Labs, c.Own})
	}
	return all
}

// Cases are the claims.
func Cases() []conform.Case[Subject] {
	var all []conform.Case[Subject]
	for _, c := range table() {
		all = append(all, c.Case)
	}
	return all
}

// table is in the order in which the labs are built.
func table() []Case {
	var all []Case
	for _, part := range [][]Case{clientCases, informerCases, controllerCases, replicaSetCases, operatorCases} {
		all = append(all, part...)
	}
	return all
}

// scene is a server, a way to it, and client-go beside it.
type scene struct {
	t *conform.T
	site.Site
	*witness
	link *link
}

// begin makes a scene, in a namespace of its own, for a check that is given one.
func begin(check func(s *scene, open func() Subject)) func(t *conform.T, open func() Subject) {
	return func(t *conform.T, open func() Subject) {
		at, there, err := site.Load()
		if err != nil || !there {
			t.Fatalf("There is no server: this case runs under checker real (%v).", err)
		}
		s := &scene{t: t, Site: at, link: newLink(t, at.Token, at.CA)}
		defer s.link.close()
		s.witness = newWitness(t, at)
		defer s.witness.close()
		check(s, open)
	}
}

// The labs that the cases are about. All of them are in the program, whatever the case.
var (
	clientLabs     = []string{"09-watch-http"}
	informerLabs   = []string{"14-deltafifo", "15-indexer", "16-reflector", "17-informer"}
	controllerLabs = []string{"10-workqueue", "11-delaying-queue", "12-rate-limiting-queue", "13-priority-queue", "19-reconciler"}
	replicaSetLabs = []string{"20-replicaset"}
	operatorLabs   = []string{"23-operator"}
)
