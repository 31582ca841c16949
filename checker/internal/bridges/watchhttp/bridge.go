package watchhttp

import (
	"net/http"
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/watchhttptest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/09-watch-http"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Handler: func(typ kit.Type[*kit.Pod], source kit.ListerWatcher[*kit.Pod]) http.Handler {
				return subject.Handler(typ, source)
			},
			Client: func(typ kit.Type[*kit.Pod], server string, client *http.Client, maxEvent int) suite.Client {
				return subject.NewClient(typ, server, subject.Options{HTTP: client, MaxEvent: maxEvent})
			},
		}
	})
}
