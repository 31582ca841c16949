//go:build ignore

// Mistake: A list of owner references is sent as kit has it: other owners' blockOwnerDeletion is gone.
// Killed by: adopts-and-leaves-the-rest
// Verdict: wrong-answer

package writer

func keepReferences(patch, real map[string]any) {}
