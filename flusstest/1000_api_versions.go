package flusstest

// API_VERSIONS, version 0. Answered before authentication, and any number of times; the client's name and version are
// ignored. Left out of the list, unlike the real server's: APIs that are not served here.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) apiVersions(*flusspb.ApiVersionsRequest) (proto.Message, error) {
	answer := &flusspb.ApiVersionsResponse{ServerType: proto.Int32(int32(c.node.kind))}
	for _, key := range wire.APIKeys() {
		if handlers[key] == nil || !key.ServedBy(c.node.kind) {
			continue
		}
		top, _ := key.MaxVersion()
		answer.ApiVersions = append(answer.ApiVersions, &flusspb.PbApiVersion{
			ApiKey: proto.Int32(int32(key)), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(int32(top)),
		})
	}
	return answer, nil
}
