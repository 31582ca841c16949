//go:build ignore

// Mistake: What runs is known by the name of its pod alone: two pods of one name in two namespaces drive each other out.
// Killed by: a-kubelet-knows-pods-by-uid
// Verdict: wrong-answer

package controlplane

import "strings"

func (k *Kubelet) forget(key, except string) {
	_, name, _ := strings.Cut(key, "/")
	for uid, c := range k.running {
		if strings.HasSuffix(c.key, "/"+name) && uid != except {
			delete(k.running, uid)
		}
	}
}
