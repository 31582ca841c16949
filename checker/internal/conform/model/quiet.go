package model

import "runtime"

// quiet is the TB that rapid reports to. What rapid would say is about rapid
// ("to reproduce, specify -run…"); the failed attempt says what the learner needs.
type quiet struct{}

func (quiet) Helper()               {}
func (quiet) Name() string          { return "model" }
func (quiet) Logf(string, ...any)   {}
func (quiet) Log(...any)            {}
func (quiet) Skipf(string, ...any)  { runtime.Goexit() }
func (quiet) Skip(...any)           { runtime.Goexit() }
func (quiet) SkipNow()              { runtime.Goexit() }
func (quiet) Errorf(string, ...any) {}
func (quiet) Error(...any)          {}
func (quiet) Fatalf(string, ...any) { runtime.Goexit() }
func (quiet) Fatal(...any)          { runtime.Goexit() }
func (quiet) FailNow()              { runtime.Goexit() }
func (quiet) Fail()                 {}
func (quiet) Failed() bool          { return false }
