package catalog

// Handout reports whether this is a student's copy of the workbook, as `checker
// handout` makes it: public cases only, no faults, no solutions. That command
// writes this file anew, and fills the map.
const Handout = false

// withheld is what was left out of each lab's suite, by the lab's directory.
var withheld = map[string]Withheld{}
