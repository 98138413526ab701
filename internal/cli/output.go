package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A writer writes a whole document.
type writer = func(io.Writer) error

// writeTo writes to a file, or to stdout for "-" or no name. A file appears whole or not at all; one that is no
// regular file (a device, a pipe) is written in place. A private file is for its owner alone.
func writeTo(name string, stdout io.Writer, private bool, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return buffered(stdout, write)
	}
	if err := writeFile(name, private, write); err != nil {
		return fmt.Errorf("%s: %w", name, reason(err))
	}
	return nil
}

func writeFile(name string, private bool, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return buffered(f, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".agentleak-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it was renamed
	defer f.Close()
	if !private {
		if err := f.Chmod(0o644); err != nil {
			return err
		}
	}
	if err := buffered(f, write); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
