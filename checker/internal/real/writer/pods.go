package writer

import (
	"encoding/json"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// RealPod makes the server's pod of kit's: kit's has one container, and its image and
// requests are the pod's own; a toleration is the key of a taint.
func RealPod(object map[string]any) {
	if spec, ok := object["spec"].(map[string]any); ok {
		realSpec(spec)
	}
	if status, ok := object["status"].(map[string]any); ok {
		delete(status, "ready")
		delete(status, "readySince")
		delete(status, "restartCount")
	}
}

func realSpec(spec map[string]any) {
	container := map[string]any{"name": "main", "image": "none"}
	if image, ok := spec["image"]; ok {
		container["image"] = image
	}
	requests := map[string]any{}
	if cpu, ok := spec["cpu"]; ok {
		requests["cpu"] = fmt.Sprintf("%vm", cpu)
	}
	if memory, ok := spec["memory"]; ok {
		requests["memory"] = fmt.Sprintf("%.0f", memory)
	}
	if len(requests) > 0 {
		container["resources"] = map[string]any{"requests": requests}
	}
	if keys, ok := spec["tolerations"].([]any); ok {
		var tolerations []any
		for _, key := range keys {
			tolerations = append(tolerations, map[string]any{"key": key, "operator": "Exists"})
		}
		spec["tolerations"] = tolerations
	}
	for _, own := range []string{"image", "cpu", "memory"} {
		delete(spec, own)
	}
	spec["containers"] = []any{container}
}

// KitPod makes kit's pod of the server's.
func KitPod(object map[string]any) {
	if spec, ok := object["spec"].(map[string]any); ok {
		kitSpec(spec)
	}
	if status, ok := object["status"].(map[string]any); ok {
		kitStatus(status)
	}
}

func kitSpec(spec map[string]any) {
	if containers, ok := spec["containers"].([]any); ok && len(containers) > 0 {
		if first, ok := containers[0].(map[string]any); ok {
			spec["image"] = first["image"]
		}
	}
	tolerations, ok := spec["tolerations"].([]any)
	if !ok {
		return
	}
	keys := []any{}
	for _, t := range tolerations {
		if t, ok := t.(map[string]any); ok && t["key"] != nil {
			keys = append(keys, t["key"])
		}
	}
	spec["tolerations"] = keys
}

func kitStatus(status map[string]any) {
	if conditions, ok := status["conditions"].([]any); ok {
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == "Ready" {
				status["ready"] = c["status"] == "True"
				if since, ok := c["lastTransitionTime"].(string); ok {
					status["readySince"] = since
				}
			}
		}
	}
	restarts := 0.0
	containers, _ := status["containerStatuses"].([]any)
	for _, c := range containers {
		if c, ok := c.(map[string]any); ok {
			if n, ok := c["restartCount"].(float64); ok {
				restarts += n
			}
		}
	}
	status["restartCount"] = restarts
}

// KitReplicaSet makes kit's ReplicaSet of the server's: its template is a pod's.
func KitReplicaSet(object map[string]any) {
	if spec := within(object, "spec", "template", "spec"); spec != nil {
		kitSpec(spec)
	}
}

func within(object map[string]any, path ...string) map[string]any {
	for _, field := range path {
		next, ok := object[field].(map[string]any)
		if !ok {
			return nil
		}
		object = next
	}
	return object
}

// A Pod is a kit.Pod that is read from the JSON of a real one: what the client of lab 09 fills
// where the answers are a real server's.
type Pod struct{ kit.Pod }

// UnmarshalJSON reads the JSON of a real pod.
func (p *Pod) UnmarshalJSON(text []byte) error { return translated(text, KitPod, &p.Pod) }

// A ReplicaSet is a kit.ReplicaSet that is read from the JSON of a real one.
type ReplicaSet struct{ kit.ReplicaSet }

// UnmarshalJSON reads the JSON of a real ReplicaSet.
func (r *ReplicaSet) UnmarshalJSON(text []byte) error {
	return translated(text, KitReplicaSet, &r.ReplicaSet)
}

func translated(text []byte, translate func(map[string]any), into any) error {
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	translate(object)
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
