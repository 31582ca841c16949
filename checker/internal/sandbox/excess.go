package sandbox

// excess is the limit that the checker itself found passed, where the kernel keeps none.
type excess int

const (
	within excess = iota
	overMemory
	overCPU
)
