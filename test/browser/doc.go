// Package browser opens the HTML reports of the goldens in a real headless Chromium, by its DevTools protocol: nothing
// is wrong on the console, nothing is asked of a network, what is shown can be read in both colour schemes and on a
// phone, and filter, sort and keyboard work. It needs a chromium on the PATH; .ci/run installs one on Debian.
//
//	go test ./...                        the tests
//	SCREENSHOTS=dir go test -run Page    also writes a picture of each page, width and scheme
package browser
