package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// mediaEdits replace the media of a text whole by its type and size: "[MEDIA:image/png:48213 bytes]".
func mediaEdits(key detect.Key, text string) []redact.Edit {
	var edits []redact.Edit
	for _, m := range detect.FindMedia(nil, key, text) {
		edits = append(edits, redact.Edit{Start: m.Start, End: m.End, New: fmt.Sprintf("[MEDIA:%s:%d bytes]", m.Type, m.Size)})
	}
	return edits
}

// withMedia adds the media of a text to what was found in it, as stretches that are not looked into.
func withMedia(found []detect.Match, key detect.Key, text string) []detect.Match {
	media := detect.FindMedia(nil, key, text)
	if media == nil {
		return found
	}
	found = slices.Clone(found)
	for _, m := range media {
		found = append(found, detect.Match{Start: m.Start, End: m.End})
	}
	slices.SortFunc(found, func(a, b detect.Match) int { return cmp.Compare(a.Start, b.Start) })
	return found
}
