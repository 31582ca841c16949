// Package site is what a case of checker real has to know of the API server that it runs
// against. The checker writes it to a file, and the test process reads it there.
package site

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Env is the environment variable with the name of the file.
const Env = "CONTROLLERBOOK_SITE"

// Site is an API server, and who speaks for it.
type Site struct {
	Server string // https://127.0.0.1:6443, or the witness's way to the cluster of a kubeconfig
	CA     string // the certificates that the server is trusted by, in PEM; "" where it has none
	Token  string // of the learner's client
	Crowd  string // of a client whose requests priority and fairness may refuse; "" where there is none

	Witness string // http://127.0.0.1:…: client-go
	Secret  string // that requests to the witness carry
	Group   string // of the custom resource

	Control  string        // http://127.0.0.1:…/SECRET: has the server killed and started again; "" where it is not ours
	Patience time.Duration // how long a case waits for what has to come; 0 for half a minute

	Own bool // the server was started for this run, and nobody else uses it
}

// Write writes the site for a test process to read.
func (s Site) Write(file string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// Load reads the site of this process. It is false where there is none: the cases are then
// run by go test, and not by checker real.
func Load() (s Site, there bool, err error) {
	file := os.Getenv(Env)
	if file == "" {
		return s, false, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return s, false, fmt.Errorf("read the site: %w", err)
	}
	return s, true, json.Unmarshal(text, &s)
}
