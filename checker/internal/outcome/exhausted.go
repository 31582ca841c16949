package outcome

// Exhausted says which limit the compiler or the linker met while it built a subject. It
// is all that there is to say: no line is to blame. Where a subject does not build for
// another reason, the compiler's own words stand in its place.
type Exhausted string

// The limits that source can meet.
const (
	TooMuchMemory Exhausted = "Compiling this code needs more memory than a lab may use (2 GiB)."
	TooMuchTime   Exhausted = "Compiling this code takes more processor time than a lab may use (1 minute)."
	TooDeep       Exhausted = "Compiling this code overflows the compiler's stack: something in it nests too deep."
	TooLarge      Exhausted = "The program that this code compiles to is too large to be linked."
)
