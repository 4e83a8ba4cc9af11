package differential

import (
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// short prints a message on one line.
func short(m proto.Message) string { return prototext.MarshalOptions{}.Format(m) }
