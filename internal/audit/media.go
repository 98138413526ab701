package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// A mediaMap is where media stands in a Batch. It is looked for once, by the scan: the search for copies and the
// redaction take it from here.
type mediaMap struct {
	at      map[spot][]medium
	records map[int]bool
}

// A medium is media in a text, or in one of several that were read together.
type medium struct {
	detect.Media
	rest bool // the media begins in a text before
}

func (m *mediaMap) add(at spot, x medium) {
	if m.at == nil {
		m.at, m.records = map[spot][]medium{}, map[int]bool{}
	}
	x.Type = strings.Clone(x.Type)
	m.at[at] = append(m.at[at], x)
	m.records[at.record] = true
}

// edits replace the media of a text whole by its type and size: "[MEDIA:image/png:48213 bytes]".
func (m *mediaMap) edits(at spot) []redact.Edit {
	var edits []redact.Edit
	for _, x := range m.at[at] {
		e := redact.Edit{Start: x.Start, End: x.End}
		if !x.rest {
			e.New = fmt.Sprintf("[MEDIA:%s:%d bytes]", x.Type, x.Size)
		}
		edits = append(edits, e)
	}
	return edits
}

// with adds the media of a text to what was found in it, as stretches that are not looked into.
func (m *mediaMap) with(found []detect.Match, at spot) []detect.Match {
	media := m.at[at]
	if media == nil {
		return found
	}
	found = slices.Clone(found)
	for _, x := range media {
		found = append(found, detect.Match{Start: x.Start, End: x.End})
	}
	slices.SortFunc(found, func(a, b detect.Match) int { return cmp.Compare(a.Start, b.Start) })
	return found
}

// contentNames are the members that hold media where another one says so.
var contentNames = map[string]bool{
	"content": true, "data": true, "blob": true, "bytes": true, "body": true, "base64": true, "payload": true, "value": true,
}

// saysMedia are the members that do.
var saysMedia = [...]string{"mime_type", "mimeType", "media_type", "mediaType", "content_type", "contentType", "modality", "type"}

// claim is what the member beside a text says that makes it media: "audio/pcm" of {"mime_type": "audio/pcm",
// "content": "..."}.
func claim(n *leaf.Node) string {
	if len(n.Text) < detect.MinClaimed || n.Parent == nil || !contentNames[n.Name] {
		return ""
	}
	for _, member := range saysMedia {
		if m := n.Parent.Member(member); m != nil && m.Kind == leaf.String && detect.ClaimsMedia(m.Text) {
			return m.Text
		}
	}
	return ""
}
