package javacheck

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/gofluss/fluss/conformance/cluster"
)

//go:embed java/javacheck/*.java
var sources embed.FS

var program struct {
	mu        sync.Mutex
	java      string
	classPath string
}

// compiled returns the java command and the class path of the program, compiled when no earlier process left the
// classes of these very sources in the user's cache. A failure is not remembered.
func compiled(ctx context.Context) (java, classPath string, err error) {
	program.mu.Lock()
	defer program.mu.Unlock()
	if program.java != "" {
		return program.java, program.classPath, nil
	}
	java, err = cluster.JavaCommand("java")
	if err != nil {
		return "", "", err
	}
	lib, err := cluster.ClientJars(ctx)
	if err != nil {
		return "", "", err
	}
	classes, err := compile(ctx, filepath.Join(lib, "*"))
	if err != nil {
		return "", "", err
	}
	program.java = java
	program.classPath = classes + string(os.PathListSeparator) + filepath.Join(lib, "*")
	return program.java, program.classPath, nil
}

// compile returns the directory of the classes. It gets its name when it is complete, so that processes may race.
func compile(ctx context.Context, lib string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	parent := filepath.Join(cache, "gofluss")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(parent, "compile-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	files, sum, err := unpack(work)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, "javacheck-"+cluster.Version+"-"+sum)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	javac, err := cluster.JavaCommand("javac")
	if err != nil {
		return "", fmt.Errorf("javacheck is compiled with the JDK: %w", err)
	}
	classes := filepath.Join(work, "classes")
	args := append([]string{"--release", "11", "-nowarn", "-d", classes, "-cp", lib}, files...)
	if out, err := exec.CommandContext(ctx, javac, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, out)
	}
	if err := os.Rename(classes, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return "", err
		}
	}
	return dir, nil
}

// unpack writes the sources and returns their paths and the start of a hash over them.
func unpack(dir string) (files []string, sum string, err error) {
	hash := sha256.New()
	err = fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(hash, "%s %d\n", path, len(text))
		hash.Write(text)
		file := filepath.Join(dir, d.Name())
		files = append(files, file)
		return os.WriteFile(file, text, 0o644)
	})
	return files, hex.EncodeToString(hash.Sum(nil))[:16], err
}
