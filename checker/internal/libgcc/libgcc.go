// Package libgcc has the one function that the race detector's runtime would take from the C
// compiler's library. A program that imports the package is linked faster: for what is in no
// package the linker opens that library, and reads all relocations of the program again until
// it finds that nothing is missing (docs/decisions/0013).
//
// Source: cmd/link/internal/ld/lib.go: loadlib; ar.go: hostArchive. The package is for
// linux/amd64. Elsewhere, and should a later Go want more, the linker does what it always did.
package libgcc
