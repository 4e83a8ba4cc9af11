package flusstest

// GET_FILESYSTEM_SECURITY_TOKEN, version 0. As of a cluster whose remote storage is a local directory.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getFilesystemSecurityToken(*flusspb.GetFileSystemSecurityTokenRequest) (proto.Message, error) {
	return &flusspb.GetFileSystemSecurityTokenResponse{Schema: proto.String("file"), Token: []byte{}}, nil
}
