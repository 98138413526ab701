// Package sdk runs real, instrumented agents against a scripted model server and a built collector, and asserts what
// leaked on which channel. It installs a gigabyte of npm packages, so it is behind a build tag:
//
//	go test -tags sdk ./test/sdk
//
// Where npm is absent it is skipped and says so. The package holds no code but its tests.
package sdk
