# The two commands that matter are `make demo` and `make app`. On Windows and macOS see the README.
.PHONY: demo app test check screens

demo:     ## the main job without a browser: example data, real training, exam before and after
	scripts/setup
	.venv/bin/python app.py demo

app:      ## open the wizard
	scripts/setup
	.venv/bin/python app.py

test:     ## set up what the tests need and run them
	scripts/test

check:    ## everything that must pass before a commit
	scripts/check

screens:  ## a contact sheet of every screen, light and dark, wide and narrow, in screens/
	scripts/setup test
	.venv/bin/python -P scripts/screens.py "$$(.venv/bin/python -P scripts/starter_model.py build/starter)" "$$(scripts/browser)"
