// Package export writes results in the formats of other programs. It is given what the
// reader may see, and decides only how a format says it. Every text is bounded and made
// printable: a submission decides what an error says, and a roster what people are called.
package export
