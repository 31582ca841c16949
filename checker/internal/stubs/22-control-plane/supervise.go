package controlplane

// What keeps a component running goes here: it ends, is killed, is stopped and resumed,
// and never runs twice. Nothing in this file is prescribed.
