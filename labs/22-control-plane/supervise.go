package controlplane

// What keeps a component up goes here: it ends, it is killed, it is stopped and resumed,
// and there are never two of it. Nothing in this file is prescribed.
