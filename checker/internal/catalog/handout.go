package catalog

// Handout reports whether this is a student's copy of the workbook, as `checker
// handout` makes it: public cases only, no faults, no solutions. That command
// writes this file anew.
const Handout = false
