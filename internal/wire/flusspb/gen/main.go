// Command gen writes ../gofluss.pb.go from ../gofluss.proto without a protoc binary: protocompile reads the file,
// protoc-gen-go, a tool of this module, writes the Go code. Both are pinned by the go.mod beside this file, a
// module of its own so that neither becomes a dependency of the driver.
//
// It is run by go generate. With -check it writes nothing and fails when the committed file is out of date.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const source = "gofluss.proto"

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the committed file instead of writing it")
	dir := flag.String("dir", "..", "folder of "+source)
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		log.Fatal(err)
	}
}

func run(dir string, check bool) error {
	file, err := compile(dir)
	if err != nil {
		return err
	}
	code, err := generate(file)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, "gofluss.pb.go")
	if !check {
		return os.WriteFile(target, code, 0o644)
	}
	old, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, code) {
		return fmt.Errorf("%s is out of date: run go generate in its folder", target)
	}
	return nil
}

// compile reads the .proto file, comments included.
func compile(dir string) (*descriptorpb.FileDescriptorProto, error) {
	c := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{dir}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := c.Compile(context.Background(), source)
	if err != nil {
		return nil, err
	}
	return protoutil.ProtoFromFileDescriptor(files[0]), nil
}

// generate hands the file to protoc-gen-go and returns the only file it answers.
func generate(file *descriptorpb.FileDescriptorProto) ([]byte, error) {
	req, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{source},
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{file},
	})
	if err != nil {
		return nil, err
	}
	plugin := exec.Command("go", "tool", "protoc-gen-go")
	plugin.Stdin = bytes.NewReader(req)
	plugin.Stderr = os.Stderr
	out, err := plugin.Output()
	if err != nil {
		return nil, fmt.Errorf("protoc-gen-go: %w", err)
	}
	var resp pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &resp); err != nil {
		return nil, err
	}
	if resp.Error != nil {
		return nil, fmt.Errorf("protoc-gen-go: %s", resp.GetError())
	}
	if len(resp.File) != 1 {
		return nil, fmt.Errorf("protoc-gen-go: %d files, want 1", len(resp.File))
	}
	return []byte(resp.File[0].GetContent()), nil
}
