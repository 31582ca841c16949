package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// oldest is the minor version before which a cluster is not used: watch lists and
// everything else that the cases ask for are in it.
const oldest = 30

// witness is client-go at one server.
type witness struct {
	config  Config
	rest    *rest.Config
	clients kubernetes.Interface
	dynamic dynamic.Interface
	etcd    *clientv3.Client // nil where the server is not ours
	version string
	group   string // of the custom resource

	mu         sync.Mutex // guards what follows: what was made
	namespaces map[string]bool
	defined    []string // names of CustomResourceDefinitions

	release func() // ends the request that keeps others of the crowd out; called by one case at a time
}

func newWitness(ctx context.Context, config Config) (*witness, error) {
	klog.SetOutput(os.Stderr)
	w := &witness{config: config, group: "run-" + config.Run + ".real.controllerbook.dev", namespaces: map[string]bool{}}
	var err error
	if w.rest, err = restConfig(config); err != nil {
		return nil, &problem{"the kubeconfig cannot be used: " + err.Error(), "kubectl --kubeconfig FILE get namespaces must work."}
	}
	if w.clients, err = kubernetes.NewForConfig(w.rest); err != nil {
		return nil, &problem{"the kubeconfig cannot be used: " + err.Error(), "kubectl --kubeconfig FILE get namespaces must work."}
	}
	if w.dynamic, err = dynamic.NewForConfig(w.rest); err != nil {
		return nil, err
	}
	if err := w.meet(ctx); err != nil {
		return nil, err
	}
	if config.Etcd != "" {
		w.etcd, err = clientv3.New(clientv3.Config{Endpoints: []string{config.Etcd}, DialTimeout: 5 * time.Second})
	}
	return w, err
}

func restConfig(c Config) (*rest.Config, error) {
	config := &rest.Config{Host: c.Server, BearerToken: c.Token, TLSClientConfig: rest.TLSClientConfig{CAData: []byte(c.CA)}}
	if c.Kubeconfig != "" {
		var err error
		rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: c.Kubeconfig}
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: c.Context}).ClientConfig()
		if err != nil {
			return nil, err
		}
	}
	config.UserAgent = "controllerbook-witness"
	config.QPS, config.Burst = -1, 0
	return config, nil
}

// meet asks the server for its version.
func (w *witness) meet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var body []byte
	body, err := w.clients.Discovery().RESTClient().Get().AbsPath("/version").DoRaw(ctx)
	if err != nil {
		return &problem{"the server at " + w.rest.Host + " does not answer: " + err.Error(), "Is the cluster up, and is the kubeconfig for it?"}
	}
	var info struct{ Major, Minor, GitVersion string }
	if err := decode(body, &info); err != nil || info.GitVersion == "" {
		return &problem{w.rest.Host + " answers, but not as a Kubernetes API server does", "Is the kubeconfig's server right?"}
	}
	w.version = info.GitVersion
	if minor, err := strconv.Atoi(strings.TrimRight(info.Minor, "+")); err == nil && info.Major == "1" && minor < oldest {
		return &problem{fmt.Sprintf("the cluster is too old: it is Kubernetes %s, and checker real needs 1.%d", info.GitVersion, oldest), "Use a newer cluster, or leave out --kubeconfig: then the checker starts a server itself."}
	}
	return nil
}

// needed is what the witness and the learner's client do at the cluster, beside what they do in
// namespaces of their own.
var needed = []authorizationv1.ResourceAttributes{
	{Verb: "create", Resource: "namespaces"},
	{Verb: "delete", Resource: "namespaces"},
	{Verb: "create", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Verb: "delete", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Verb: "create", Resource: "configmaps"},
	{Verb: "watch", Resource: "configmaps"},
	{Verb: "create", Resource: "secrets"},
	{Verb: "create", Resource: "pods"},
}

// allowed asks the server about each of the needed rights.
func (w *witness) allowed(ctx context.Context) error {
	var missing []string
	for _, right := range needed {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &right}}
		answer, err := w.clients.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return &problem{"the cluster does not say what this kubeconfig may do: " + err.Error(), "kubectl auth can-i create namespaces must work."}
		}
		if !answer.Status.Allowed {
			missing = append(missing, right.Verb+" "+right.Resource)
		}
	}
	if len(missing) > 0 {
		return &problem{"the kubeconfig has not the rights that a run needs: it may not " + strings.Join(missing, ", "), "Use one that may, or leave out --kubeconfig: then the checker starts a server itself."}
	}
	return nil
}

// prepare makes what all cases share.
func (w *witness) prepare(ctx context.Context) error {
	if err := w.allowed(ctx); err != nil {
		return err
	}
	if w.config.Own {
		if err := w.enrol(ctx); err != nil {
			return fmt.Errorf("give the learner's users their rights: %w", err)
		}
	}
	if err := w.define(ctx, w.widgets()); err != nil || !w.config.Databases {
		return err
	}
	return w.define(ctx, w.databases())
}

// enrol lets the users of the learner's client do everything, as members of no group that
// priority and fairness would exempt.
func (w *witness) enrol(ctx context.Context) error {
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "controllerbook-learner"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{
			{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "learner"},
			{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "crowd"},
		},
	}
	_, err := w.clients.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	return err
}

// made is the label of what a run makes, with the run's name.
const made = "controllerbook.dev/run"

// namespace makes a namespace for a case.
func (w *witness) namespace(ctx context.Context) (string, error) {
	ns, err := w.clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "controllerbook-" + w.config.Run + "-", Labels: map[string]string{made: w.config.Run},
	}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.namespaces[ns.Name] = true
	return ns.Name, nil
}

// clean removes what was made. It has a context of its own: that of the run is done. At a
// server that was started for this run there is no one who would carry out the deletion of a
// namespace, and all of it goes with the server.
func (w *witness) clean() {
	if w.config.Own {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.letGo(ctx)
	for _, name := range w.defined {
		err := w.dynamic.Resource(definitions).Delete(ctx, name, metav1.DeleteOptions{})
		report("CustomResourceDefinition "+name, err)
	}
	for name := range w.namespaces {
		report("namespace "+name, w.clients.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{}))
	}
	w.undefined(ctx)
	w.gone(ctx)
}

// undefined waits until the CustomResourceDefinitions are gone, so that the next run may make
// its own, and says which stay.
func (w *witness) undefined(ctx context.Context) {
	for _, name := range w.defined {
		err := wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			_, err := w.dynamic.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
			return apierrors.IsNotFound(err), nil
		})
		if err != nil {
			fmt.Fprintf(os.Stderr, "the CustomResourceDefinition %s is still being deleted after a minute\n", name)
		}
	}
}

// gone waits until the namespaces are gone, and says which stay and what keeps the first.
func (w *witness) gone(ctx context.Context) {
	var stay []string
	why := "nothing in its status says why"
	for _, name := range slices.Sorted(maps.Keys(w.namespaces)) {
		var last *corev1.Namespace
		err := wait.PollUntilContextCancel(ctx, 200*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			ns, err := w.clients.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
			if err == nil {
				last = ns
			}
			return apierrors.IsNotFound(err), nil
		})
		if err == nil {
			continue
		}
		stay = append(stay, name)
		if last != nil && len(stay) == 1 {
			for _, c := range last.Status.Conditions {
				if c.Status == corev1.ConditionTrue {
					why = c.Message
				}
			}
		}
	}
	switch len(stay) {
	case 0:
	case 1:
		fmt.Fprintf(os.Stderr, "the namespace %s of the run is still being deleted after a minute: %s\n", stay[0], why)
	default:
		fmt.Fprintf(os.Stderr, "%d namespaces of the run are still being deleted after a minute: %s and others: %s\n", len(stay), stay[0], why)
	}
}

func report(what string, err error) {
	if err != nil && !apierrors.IsNotFound(err) {
		fmt.Fprintf(os.Stderr, "%s could not be deleted: %v\n", what, err)
	}
}

// authorized lets pass what carries the secret of the run.
func (w *witness) authorized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Authorization") != "Bearer "+w.config.Secret {
			http.Error(rw, "the secret of the run is missing", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(rw, req)
	})
}
