package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Version is the Fluss release that is run.
const Version = "0.9.1-incubating"

// libEnv names a directory with the jars of server and client; it is used as it is.
const libEnv = "FLUSS_LIB"

// An artifact is a Maven dependency. The Fluss jars are shaded and need little beside them; without a log4j2 binding
// there would be no log at all.
type artifact struct{ group, name, version string }

var (
	serverArtifact = artifact{"org.apache.fluss", "fluss-server", Version}
	clientArtifact = artifact{"org.apache.fluss", "fluss-client", Version}
	logArtifacts   = []artifact{
		{"org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4"},
		{"org.apache.logging.log4j", "log4j-core", "2.25.4"},
	}
)

// ServerJars returns a directory with the jars of the server: FLUSS_LIB, or the cache, filled by Maven when it is empty.
func ServerJars(ctx context.Context) (string, error) { return jars(ctx, serverArtifact) }

// ClientJars is ServerJars for the official Java client.
func ClientJars(ctx context.Context) (string, error) { return jars(ctx, clientArtifact) }

func jars(ctx context.Context, main artifact) (string, error) {
	if dir := os.Getenv(libEnv); dir != "" {
		if found, _ := filepath.Glob(filepath.Join(dir, main.name+"-*.jar")); len(found) == 0 {
			return "", fmt.Errorf("%s=%s holds no %s jar", libEnv, dir, main.name)
		}
		return filepath.Abs(dir)
	}
	return cached(main.name, func(dir string) error {
		return fetch(ctx, dir, append([]artifact{main}, logArtifacts...))
	})
}

// cached returns the directory of that name in the cache of this release. When there is none, fill makes it, under that name
// only when it is complete; one process does at a time.
func cached(name string, fill func(dir string) error) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for the jars of %s: %w; for those of Fluss set %s", name, err, libEnv)
	}
	base := filepath.Join(cache, "gofluss", "fluss-"+strings.TrimSuffix(Version, "-incubating"))
	dir := filepath.Join(base, name)
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", err
	}
	unlock, err := lockFile(dir + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, fill(dir)
}

// fetch has Maven copy the artifacts and what they need into a new directory.
func fetch(ctx context.Context, dir string, want []artifact) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return fmt.Errorf("the Fluss jars come from Maven Central and there is no mvn (%w); install maven, or set %s", err, libEnv)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pom := filepath.Join(work, "pom.xml")
	if err := os.WriteFile(pom, pomFor(want), 0o644); err != nil {
		return err
	}
	lib := filepath.Join(work, "lib")
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DoutputDirectory="+lib)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("mvn could not fetch %s:%s: %w\n%s", want[0].name, want[0].version, err, out)
	}
	return os.Rename(lib, dir)
}

func pomFor(want []artifact) []byte {
	var b strings.Builder
	b.WriteString("<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n" +
		"  <groupId>gofluss</groupId><artifactId>jars</artifactId><version>1</version>\n  <dependencies>\n")
	for _, a := range want {
		fmt.Fprintf(&b, "    <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>\n",
			a.group, a.name, a.version)
	}
	b.WriteString("  </dependencies>\n</project>\n")
	return []byte(b.String())
}

// lockFile waits for an exclusive lock between processes; it goes with the process that holds it.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}

// JavaCommand finds a program of the JDK ("java", "javac"): in JAVA_HOME, or on the PATH.
func JavaCommand(name string) (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path := filepath.Join(home, "bin", name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("a real Fluss cluster needs Java 11 or newer: %w (PATH and JAVA_HOME were searched)", err)
	}
	return path, nil
}
