package conform

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFatal(t *testing.T) {
	var all sync.WaitGroup
	died, survived := new(Fatal), new(Fatal)
	all.Add(2)
	go func() {
		defer all.Done() // before the runtime gives up, so it proves nothing
		defer func() {
			if p := recover(); p != nil {
				panic(p) // as sync.WaitGroup does
			}
		}()
		panic(died)
	}()
	go func() {
		defer all.Done()
		defer func() { assert.Equal(t, "a panic of the work", recover().(error).Error()) }()
		panic(survived)
	}()
	all.Wait()
	settle()
	assert.True(t, died.Unrecovered())
	assert.False(t, survived.Unrecovered())
}
