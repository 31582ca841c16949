package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	databases   = schema.GroupVersionResource{Group: "book.example", Version: "v1", Resource: "databases"}
)

// define installs a custom resource and waits until it is established and served. Of those that
// were there before, this run makes no use: somebody else's objects are in them.
func (w *witness) define(ctx context.Context, crd *unstructured.Unstructured) error {
	name := crd.GetName()
	_, err := w.dynamic.Resource(definitions).Create(ctx, crd, metav1.CreateOptions{})
	switch {
	case apierrors.IsAlreadyExists(err):
		return &problem{
			"the cluster has a CustomResourceDefinition " + name + " that this run has not made: another run uses it, or one that was killed has left it, or it is somebody's",
			"kubectl get " + name + " --all-namespaces shows what is in it, and kubectl delete customresourcedefinition " + name + " removes it with all of that. The cases of the other labs do without it: checker real 9 17 20.",
		}
	case err != nil:
		return fmt.Errorf("install the CustomResourceDefinition %s: %w", name, err)
	}
	w.mu.Lock()
	w.defined = append(w.defined, name)
	w.mu.Unlock()
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	served := schema.GroupVersionResource{Group: group, Version: "v1", Resource: plural}
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 20*time.Second, true, func(ctx context.Context) (bool, error) {
		crd, err := w.dynamic.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
		if err != nil || !established(crd) {
			return false, nil
		}
		_, err = w.dynamic.Resource(served).List(ctx, metav1.ListOptions{})
		return err == nil, nil
	})
	if err != nil {
		return fmt.Errorf("wait until %s is served: %w", name, err)
	}
	return nil
}

func established(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Established" && c["status"] == "True" {
			return true
		}
	}
	return false
}

// anything is the schema of an object with fields that no type of the workbook knows.
func anything(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": properties}
}

// definition is a custom resource with a status of its own. The columns are those of kubectl get.
func (w *witness) definition(group, kind, singular string, spec, status map[string]any, columns ...any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": singular + "s." + group, "labels": map[string]any{made: w.config.Run}},
		"spec": map[string]any{
			"group": group, "scope": "Namespaced",
			"names": map[string]any{"kind": kind, "listKind": kind + "List", "plural": singular + "s", "singular": singular},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}}, "additionalPrinterColumns": columns,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "properties": map[string]any{"spec": spec, "status": status},
				}},
			}},
		},
	}}
}

// widgets is a custom resource in a group that only this run has.
func (w *witness) widgets() *unstructured.Unstructured {
	return w.definition(w.group, "Widget", "widget", anything(map[string]any{}), anything(map[string]any{}))
}

// databases is the custom resource of lab 23. Its group is that of the lab, because an operator
// may write it into owner references. Its conditions are what the API conventions ask of them.
func (w *witness) databases() *unstructured.Unstructured {
	text, number := map[string]any{"type": "string"}, map[string]any{"type": "integer", "format": "int64"}
	condition := map[string]any{
		"type": "object", "required": []any{"type", "status", "lastTransitionTime", "reason", "message"},
		"properties": map[string]any{
			"type": text, "message": text, "observedGeneration": number,
			"status":             map[string]any{"type": "string", "enum": []any{"True", "False", "Unknown"}},
			"lastTransitionTime": map[string]any{"type": "string", "format": "date-time"},
			"reason":             map[string]any{"type": "string", "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
		},
	}
	spec := anything(map[string]any{
		"engine": text, "size": map[string]any{"type": "integer", "minimum": int64(1)}, "passwordSecret": text,
		"onLoss": map[string]any{"type": "string", "enum": []any{"Recreate", "Report"}},
	})
	status := anything(map[string]any{
		"observedGeneration": number, "endpoint": text,
		"conditions": map[string]any{
			"type": "array", "items": condition,
			"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"},
		},
	})
	return w.definition(databases.Group, "Database", "database", spec, status,
		map[string]any{"name": "Generation", "type": "integer", "jsonPath": ".metadata.generation"},
		map[string]any{"name": "Observed", "type": "integer", "jsonPath": ".status.observedGeneration"},
		map[string]any{"name": "Ready", "type": "string", "jsonPath": `.status.conditions[?(@.type=="Ready")].status`},
		map[string]any{"name": "Reason", "type": "string", "jsonPath": `.status.conditions[?(@.type=="Ready")].reason`},
	)
}

// letGo takes the finalizers off the Databases that are left in the namespaces of this run: the
// operator that would do it is gone, and with them neither the namespace nor the definition
// could be deleted.
func (w *witness) letGo(ctx context.Context) {
	if !slices.Contains(w.defined, databases.Resource+"."+databases.Group) {
		return
	}
	for ns := range w.namespaces {
		list, err := w.dynamic.Resource(databases).Namespace(ns).List(ctx, metav1.ListOptions{})
		if err != nil {
			report("the finalizers of the Databases in "+ns, err)
			continue
		}
		for _, db := range list.Items {
			if len(db.GetFinalizers()) > 0 {
				_, err := w.dynamic.Resource(databases).Namespace(ns).Patch(ctx, db.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
				report("the finalizers of the Database "+ns+"/"+db.GetName(), err)
			}
		}
	}
}
