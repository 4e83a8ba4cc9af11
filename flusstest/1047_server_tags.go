package flusstest

// ADD_SERVER_TAG (1047) and REMOVE_SERVER_TAG (1048), version 0. Tags are kept, and nothing is moved because of them.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// serverTags are the names of ServerTag (Java, v0.9.1-incubating) by their numbers.
var serverTags = []string{"PERMANENT_OFFLINE", "TEMPORARY_OFFLINE"}

func checkTag(tag int32) error {
	if tag < 0 || int(tag) >= len(serverTags) {
		return refuseJava(illegalArgument, "Value %d must be one of %s", tag, javaList(serverTags))
	}
	return nil
}

func (c *call) addServerTag(q *flusspb.AddServerTagRequest) (proto.Message, error) {
	tag := q.GetServerTag()
	if err := checkTag(tag); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, id := range q.ServerIds {
		if id < 0 || int(id) >= len(c.srv.tablets) || !c.srv.tablets[id].running() {
			return nil, refuse(wire.CodeServerNotExist, "Server %d not exists when trying to add server tag.", id)
		}
		if has, ok := cl.tags[id]; ok && has != tag {
			return nil, refuse(wire.CodeServerTagAlreadyExist, "Server tag %s already exists for server %d. However you want to set it to %s, "+
				"please remove the server tag first.", serverTags[has], id, serverTags[tag])
		}
	}
	for _, id := range q.ServerIds {
		cl.tags[id] = tag
	}
	return new(flusspb.AddServerTagResponse), nil
}

func (c *call) removeServerTag(q *flusspb.RemoveServerTagRequest) (proto.Message, error) {
	tag := q.GetServerTag()
	if err := checkTag(tag); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, id := range q.ServerIds {
		if has, ok := cl.tags[id]; ok && has != tag {
			return nil, refuse(wire.CodeServerTagNotExist, "Server tag %s not exists for server %d, the current server tag of this server is %s.",
				serverTags[tag], id, serverTags[has])
		}
	}
	for _, id := range q.ServerIds {
		delete(cl.tags, id)
	}
	return new(flusspb.RemoveServerTagResponse), nil
}
