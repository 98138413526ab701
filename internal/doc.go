// Package internal holds no code: its test keeps the layering of the packages below it.
package internal
