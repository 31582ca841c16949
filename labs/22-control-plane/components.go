package controlplane

// What each component is made of, and how it starts and ends, goes here. Nothing in this
// file is prescribed.
