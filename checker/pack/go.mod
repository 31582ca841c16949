module github.com/controllerbook/controllerbook/checker/pack

go 1.26.0
