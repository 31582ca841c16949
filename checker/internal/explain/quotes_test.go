package explain

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// ofTheFactory are sentences of which a failure breaks one.
var ofTheFactory = []string{
	"WaitForCacheSync waits until every informer that was started before the call has synced, and reports true. If ctx is done earlier, it reports false.",
	"Shutdown waits until the Run of every informer that was started has returned.",
	"All methods may be called from any goroutine.",
	"Of many calls for one type at the same time only one makes an informer, and all return that one.",
	"It does not wait for anything and may be called again",
	"Once Shutdown has been called it does nothing.",
}

func TestTheBrokenSentenceComesFirst(t *testing.T) {
	for failure, first := range map[string]int{
		"Shutdown was under way, Start was called, and it ran an informer. Once Shutdown has been called Start does nothing.": 5,
		"WaitForCacheSync reported false, and ctx was not done earlier.":                                                      0,
		"InformerFor was called for one type by two goroutines, and made 2 informers.":                                        3,
	} {
		shown := quotes(ofTheFactory, failure)
		assert.Len(t, shown, maxQuotes)
		assert.Equal(t, ofTheFactory[first], shown[0], failure)
	}
}

// CloudError is one word of the contract, and not three.
func TestALongNameIsOneWord(t *testing.T) {
	contract := []string{
		"The Message of CloudError and of Invalid contains the Message of the kit.CloudError.",
		"If a call of the cloud has failed, Ready stays as it was, missing if it was missing.",
	}
	shown := quotes(contract, "The condition Ready of shop/web is False, CloudError, and should be True, Available: the cloud does not answer.")
	assert.Equal(t, contract[1], shown[0])
}

func TestSentencesThatNothingPointsToStayAsTheyAre(t *testing.T) {
	assert.Equal(t, ofTheFactory, quotes(ofTheFactory, "7 ≠ 8"), "it may be any of them")
	assert.Equal(t, ofTheFactory[:1], quotes(ofTheFactory[:1], "Shutdown"))
	assert.Empty(t, quotes(nil, "Shutdown"))
}

func TestAHangingCallSaysWhichSentenceItIsAbout(t *testing.T) {
	c := claim
	c.Contract = ofTheFactory[:2]
	r := ended(verdict.Deadlock)
	r.Message = ""
	r.History = []wire.Event{{Who: "ending", What: "Shutdown()", Began: 1, Open: true}}
	assert.Equal(t, ofTheFactory[1], Case(c, r).Stub[0])
}

func TestARaceIsAboutTheSentenceOnGoroutines(t *testing.T) {
	c := claim
	c.Contract = ofTheFactory
	r := ended(verdict.DataRace)
	r.Race = []outcome.Access{{Op: "write", At: there}, {Op: "read", At: here}}
	assert.Equal(t, ofTheFactory[2], Case(c, r).Stub[0])
}

func TestThePlaceThatTheFailureNamesComesFirst(t *testing.T) {
	c := claim
	c.Look = []string{"ItemExponentialFailureRateLimiter.When", "ItemFastSlowRateLimiter.When"}
	r := outcome.Result{Verdict: verdict.WrongAnswer, Message: "The fast-slow limiter lets an item be tried fast once, after 1ns, and then after 2ns."}
	assert.Equal(t, "Compare your code of ItemFastSlowRateLimiter.When or ItemExponentialFailureRateLimiter.When and what they call with the rule above.",
		Case(c, r).Next.Do)
	r.Message = "Something else."
	assert.Equal(t, c.Look, likeliest(c.Look, r.Message))
	assert.Equal(t, conform.Anywhere, likeliest(conform.Anywhere, r.Message))
}
