//go:build ignore

// Mistake: A Recorder needs to know where to write, and not who it belongs to.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import (
	"context"
)

func (c *ControlPlane) live(ctx context.Context, name string, body func(ctx context.Context, p *process) error) error {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{api: c.parts.Connect(name), ctx: ctx}
	defer p.all.Wait()
	defer cancel()
	p.recorder = NewRecorder(RecorderOptions{Events: p.api.Events})
	p.all.Go(func() { _ = p.recorder.Run(ctx) })
	return body(ctx, p)
}
