// Package book holds the pages of the book to the repository: the commands that README,
// docs and lessons give exist, with their flags, and the programs in them compile and run.
// It is nothing but tests.
package book
