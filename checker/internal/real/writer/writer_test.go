package writer

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// realPod is a pod with more than kit knows.
const realPod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"7","labels":{"app":"web"},
"managedFields":[{"manager":"kubectl"}],"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"9","blockOwnerDeletion":true}]},
"spec":{"containers":[{"name":"one","image":"nginx","ports":[{"containerPort":80}]},{"name":"two","image":"redis"}],"tolerations":[{"key":"gpu","operator":"Exists"}]},
"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`

// sent is a request that changes something.
type sent struct{ method, path, contentType, body string }

// serve is a server with that one pod, and what is written to it.
func serve(t *testing.T) (pods *Writer[*kit.Pod], writes *[]sent) {
	writes = new([]sent)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		if req.Method != http.MethodGet {
			*writes = append(*writes, sent{req.Method, req.URL.Path, req.Header.Get("Content-Type"), string(body)})
		}
		_, _ = io.WriteString(w, realPod)
	}))
	t.Cleanup(server.Close)
	return &Writer[*kit.Pod]{Type: kit.Pods, Server: server.URL, HTTP: server.Client(), Status: true, Real: RealPod, Kit: KitPod}, writes
}

func TestARealPodIsRead(t *testing.T) {
	pods, _ := serve(t)
	pod, err := pods.Get(t.Context(), "shop", "a")
	require.NoError(t, err)
	assert.Equal(t, "nginx", pod.Spec.Image)
	assert.Equal(t, []string{"gpu"}, pod.Spec.Tolerations)
	assert.True(t, pod.Status.Ready)
	assert.Equal(t, 2026, pod.Status.ReadySince.Year())
}

func TestUpdateSendsTheDifference(t *testing.T) {
	pods, writes := serve(t)
	pod, err := pods.Get(t.Context(), "shop", "a")
	require.NoError(t, err)
	pod.Labels["tier"] = "front"
	pod.OwnerReferences = append(pod.OwnerReferences, kit.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "2", Controller: true})
	_, err = pods.Update(t.Context(), pod)
	require.NoError(t, err)
	require.Len(t, *writes, 1)
	w := (*writes)[0]
	assert.Equal(t, sent{"PATCH", "/api/v1/namespaces/shop/pods/a", "application/merge-patch+json", w.body}, w)
	assert.JSONEq(t, `{"metadata":{"resourceVersion":"7","labels":{"tier":"front"},"ownerReferences":[
		{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"9","blockOwnerDeletion":true},
		{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"2","controller":true}]}}`, w.body)
}

func TestAStatusGoesToItsSubresource(t *testing.T) {
	pods, writes := serve(t)
	pod, err := pods.Get(t.Context(), "shop", "a")
	require.NoError(t, err)
	pod.Status.Phase = kit.PodFailed
	_, err = pods.Update(t.Context(), pod)
	require.NoError(t, err)
	require.Len(t, *writes, 1)
	assert.Equal(t, "/api/v1/namespaces/shop/pods/a/status", (*writes)[0].path)
	assert.JSONEq(t, `{"metadata":{"resourceVersion":"7"},"status":{"phase":"Failed"}}`, (*writes)[0].body)
}

func TestUpdateStatusSendsNothingElse(t *testing.T) {
	pods, writes := serve(t)
	pod, err := pods.Get(t.Context(), "shop", "a")
	require.NoError(t, err)
	_, err = pods.UpdateStatus(t.Context(), pod)
	require.NoError(t, err)
	pod.Labels["tier"], pod.Status.Phase = "front", kit.PodFailed
	_, err = pods.UpdateStatus(t.Context(), pod)
	require.NoError(t, err)
	require.Len(t, *writes, 2)
	for i, body := range []string{`{"metadata":{"resourceVersion":"7"}}`, `{"metadata":{"resourceVersion":"7"},"status":{"phase":"Failed"}}`} {
		w := (*writes)[i]
		assert.Equal(t, sent{"PATCH", "/api/v1/namespaces/shop/pods/a/status", "application/merge-patch+json", w.body}, w)
		assert.JSONEq(t, body, w.body)
	}
}

func TestAPodIsMadeReal(t *testing.T) {
	pods, writes := serve(t)
	pod := kit.Pods.New()
	pod.Namespace, pod.GenerateName = "shop", "web-"
	pod.Spec = kit.PodSpec{Image: "nginx", CPU: 250, Memory: 64 << 20, Tolerations: []string{"gpu"}}
	_, err := pods.Create(t.Context(), pod)
	require.NoError(t, err)
	require.Len(t, *writes, 1)
	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte((*writes)[0].body), &body))
	spec, err := json.Marshal(body["spec"])
	require.NoError(t, err)
	assert.JSONEq(t, `{"containers":[{"name":"main","image":"nginx","resources":{"requests":{"cpu":"250m","memory":"67108864"}}}],
		"tolerations":[{"key":"gpu","operator":"Exists"}]}`, string(spec))
}
