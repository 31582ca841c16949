package controlplane

// The parts of each component, and how it starts and ends, go here. Nothing in this file
// is prescribed.
