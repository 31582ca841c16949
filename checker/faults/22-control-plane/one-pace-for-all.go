//go:build ignore

// Mistake: A heartbeat comes every ten seconds, whatever the options say.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func NewKubelet(options KubeletOptions) *Kubelet {
	if options.Life == nil {
		options.Life = func(*kit.Pod) Life { return Life{} }
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	options.Heartbeat = 10 * time.Second
	return &Kubelet{
		KubeletOptions: options,
		dirty:          map[string]struct{}{},
		wake:           make(chan struct{}, 1),
		running:        map[string]*container{},
		later:          map[string]time.Time{},
	}
}
