//go:build ignore

// Mistake: A component has ended when its main part has. What else it started has been told to end, and will.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import "context"

func (c *ControlPlane) live(ctx context.Context, name string, body func(ctx context.Context, p *process) error) error {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{api: c.parts.Connect(name), ctx: ctx}
	defer cancel()
	p.recorder = NewRecorder(RecorderOptions{Events: p.api.Events, Component: name})
	p.all.Go(func() { _ = p.recorder.Run(ctx) })
	return body(ctx, p)
}
