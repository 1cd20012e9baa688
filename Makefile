# The two commands that matter are `make demo` and `make app`. On Windows and macOS see the README.
.PHONY: demo app test test-long check screens

demo:     ## the main job without a browser: example data, real training, exam before and after
	scripts/setup
	.venv/bin/python app.py demo

app:      ## open the wizard
	scripts/setup
	.venv/bin/python app.py

test:     ## set up what the tests need and run them
	scripts/test

test-long: ## the tests that train for longer, which "make test" leaves out
	scripts/test -m "long and not gpu"

check:    ## everything that must pass before a commit
	scripts/check

screens:  ## a contact sheet of every screen, light and dark, wide and narrow, in screens/
	scripts/setup test
	.venv/bin/python -P scripts/screens.py "$$(.venv/bin/python -P scripts/starter_model.py build/starter)" "$$(scripts/browser)"
