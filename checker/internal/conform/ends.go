package conform

import "context"

// Ends has the end of ctx stand in the history, at its moment and with its error.
func (t *T) Ends(ctx context.Context) {
	a := t.Named("ctx")
	context.AfterFunc(ctx, func() { a.Note("ends: %v", ctx.Err()) })
}
