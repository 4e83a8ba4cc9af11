package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/network"
	"github.com/testcontainers/testcontainers-go/wait"
)

// startTimeout bounds the start of one container, its image's way over the network included.
const startTimeout = 5 * time.Minute

// cluster is what was started, in order.
type cluster struct {
	network    *testcontainers.DockerNetwork
	containers []testcontainers.Container
	dsn        string
}

// dockerAnswers says what is missing where no container can be run. The library panics where it finds no Docker.
func dockerAnswers(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = noDocker(fmt.Errorf("%v", r))
		}
	}()
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return noDocker(err)
	}
	if err := provider.Health(ctx); err != nil {
		return noDocker(err)
	}
	return nil
}

func noDocker(err error) error {
	where := os.Getenv("DOCKER_HOST")
	if where == "" {
		where = "the default socket, as DOCKER_HOST is not set"
	}
	return fmt.Errorf("FLUSS_TARGET=container needs a Docker daemon that can run %s and %s, and none answers at %s: %w; "+
		"start one, set DOCKER_HOST, or use FLUSS_TARGET=jvm, which needs a JDK and Maven instead", flussImage, zooKeeperImage, where, err)
}

// start runs the cluster. What it started before a failure it ends.
func start(ctx context.Context) (c *cluster, err error) {
	if err := dockerAnswers(ctx); err != nil {
		return nil, err
	}
	ports, err := freePorts(2)
	if err != nil {
		return nil, err
	}
	coordinator, tablet := coordinatorConfig(ports[0]), tabletConfig(ports[1])
	c = &cluster{dsn: dsn(coordinator, tablet)}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.stop())
		}
	}()
	if c.network, err = network.New(ctx); err != nil {
		return c, fmt.Errorf("network: %w", err)
	}
	if err = c.run(ctx, zooKeeperImage, network.WithNetwork([]string{"zookeeper"}, c.network),
		testcontainers.WithWaitStrategyAndDeadline(startTimeout, wait.ForLog("binding to port"))); err != nil {
		return c, err
	}
	for _, s := range []*serverConfig{coordinator, tablet} {
		if err = c.run(ctx, flussImage, network.WithNetwork([]string{s.alias}, c.network), testcontainers.WithEnv(s.env()),
			testcontainers.WithCmd(s.command), testcontainers.WithExposedPorts(s.expose()),
			testcontainers.WithWaitStrategyAndDeadline(startTimeout, wait.ForListeningPort(fmt.Sprintf("%d/tcp", clientPort)))); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *cluster) run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) error {
	container, err := testcontainers.Run(ctx, image, options...)
	if container != nil {
		c.containers = append(c.containers, container)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", image, err)
	}
	return nil
}

// stop ends the containers, the last first, and their network.
func (c *cluster) stop() error {
	var failed []error
	for _, container := range slices.Backward(c.containers) {
		failed = append(failed, testcontainers.TerminateContainer(container))
	}
	if c.network != nil {
		failed = append(failed, c.network.Remove(context.Background()))
	}
	return errors.Join(failed...)
}
