package detect

import (
	"cmp"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Media is a picture, sound, film or document that stands in a text as base64, or is the text. Nothing in it is read
// as text, and it is never changed in part.
type Media struct {
	// Start and End are byte offsets in the text, the "data:" of a data URI included.
	Start, End int
	// Type is the media type that its data URI names, else the one that its first bytes tell.
	Type string
	// Size is the number of bytes it stands for.
	Size int
}

// minMedia is the shortest text that is looked at for media, in bytes; MinClaimed the shortest that is media because
// of the key it stands under alone, such as samples of sound, which have no signature.
const (
	minMedia   = 64
	MinClaimed = 1024
)

// mediaSample is how many bytes tell what a run of base64 holds.
const mediaSample = 48

const octets = "application/octet-stream"

// signatures are those of the formats that models take and give, by offset.
var signatures = []struct {
	at       int
	is, then string // then stands 8 bytes into a RIFF container, or after "ftyp"
	mime     string
	text     bool // may be followed by plain text for longer than a sample
}{
	{0, "\x89PNG\r\n\x1a\n", "", "image/png", false},
	{0, "\xff\xd8\xff", "", "image/jpeg", false},
	{0, "GIF87a", "", "image/gif", false},
	{0, "GIF89a", "", "image/gif", false},
	{0, "RIFF", "WEBP", "image/webp", false},
	{0, "RIFF", "WAVE", "audio/wav", false},
	{0, "RIFF", "AVI ", "video/x-msvideo", false},
	{4, "ftyp", "heic", "image/heic", false},
	{4, "ftyp", "avif", "image/avif", false},
	{4, "ftyp", "M4A ", "audio/mp4", false},
	{4, "ftyp", "", "video/mp4", false},
	{0, "II*\x00", "", "image/tiff", false},
	{0, "MM\x00*", "", "image/tiff", false},
	{0, "\x00\x00\x01\x00", "", "image/x-icon", false},
	{0, "ID3", "", "audio/mpeg", false},
	{0, "\xff\xfb", "", "audio/mpeg", false},
	{0, "\xff\xf3", "", "audio/mpeg", false},
	{0, "\xff\xf2", "", "audio/mpeg", false},
	{0, "OggS", "", "audio/ogg", false},
	{0, "fLaC", "", "audio/flac", false},
	{0, "\x1a\x45\xdf\xa3", "", "video/webm", false},
	{0, "%PDF-", "", "application/pdf", true},
	{0, "PK\x03\x04", "", "application/zip", false},
	{0, "\x1f\x8b\x08", "", "application/gzip", false},
}

// sniff returns the media type that the first bytes of a file tell, "" if none.
func sniff(b string) string {
	for _, s := range signatures {
		if len(b) < 12 || !strings.HasPrefix(b[s.at:], s.is) || s.then != "" && b[8:12] != s.then {
			continue
		}
		if s.text || !plainText(b) {
			return s.mime
		}
	}
	return ""
}

// plainText reports whether b, which may be cut anywhere, is a text.
func plainText(b string) bool {
	for i := 0; i < len(b); {
		if b[i] < 0x80 {
			if !printable(b[i]) {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(b[i:])
		if r == utf8.RuneError && n == 1 && (utf8.FullRuneInString(b[i:]) || len(b)-i >= utf8.UTFMax) {
			return false
		}
		i += n
	}
	return true
}

// mediaKeys are the keys that media without a signature stands under.
var mediaKeys = map[string]bool{
	"input_audio": true, "inline_data": true, "inlineData": true, "b64_json": true, "image_data": true, "audio_data": true,
	"audio": true, "image": true, "video": true, "file_data": true, "blob": true, "base64": true,
}

// claimed returns the type of the media that a key, or what stands beside a text, says the text is; "" if it says none.
func claimed(s string) string {
	kind, _, ok := strings.Cut(s, "/")
	switch {
	case ok && (kind == "image" || kind == "audio" || kind == "video" || kind == "font"):
		return mediaType(s)
	case mediaKeys[lastDotted(s)], s == octets, s == "application/pdf", s == "application/zip":
		return octets
	}
	return ""
}

// ClaimsMedia reports whether s is a media type or a modality of what is no text. A Key whose Parent is such a word says
// that the text is media; it is taken at its word where the text is base64 that is MinClaimed long and of no text.
func ClaimsMedia(s string) bool { return claimed(s) != "" }

// FindMedia appends the media in a text that stands under key to dst, in order. Where it finds none it costs no more
// than a search for one byte.
func FindMedia(dst []Media, key Key, text string) []Media {
	if len(text) < minMedia {
		return dst
	}
	if text[0] < ' ' || text[0] >= 0x7F {
		if mime := sniff(text[:mediaSample]); mime != "" {
			return append(dst, Media{0, len(text), mime, len(text)})
		}
	}
	at := 0
	if m, ok := bareMedia(key, text); ok {
		dst = append(dst, m)
		at = m.End
	}
	const mark = ";base64,"
	for {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return dst
		}
		i += at
		run := i + len(mark)
		end, size := base64End(text, run)
		head := text[max(at, i-128):i]
		at = run
		k := strings.LastIndex(head, "data:")
		if k < 0 || end-run < minMedia || isText(text[run:end]) {
			continue
		}
		dst = append(dst, Media{i - len(head) + k, end, mediaType(head[k+len("data:"):]), size})
		at = end
	}
}

// bareMedia reads a text that begins with base64 of a file.
func bareMedia(key Key, text string) (Media, bool) {
	if base64Value[text[0]] < 0 {
		return Media{}, false
	}
	head, least := base64Head(text), minMedia
	mime := sniff(head)
	if mime == "" {
		least = MinClaimed
		if len(text) < least || head == "" || strings.HasPrefix(text, "MII") { // keys and certificates
			return Media{}, false
		}
		if mime = cmp.Or(claimed(key.Parent), claimed(key.Name)); mime == "" {
			return Media{}, false
		}
	}
	end, size := base64End(text, 0)
	if end < least || isText(text[:end]) { // the run: a token may stand where a secret was
		return Media{}, false
	}
	return Media{0, end, mime, size}, true
}

// mediaType returns a media type fit for a token.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	s = strings.ToLower(s)
	if !strings.Contains(s, "/") || len(s) > 64 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.+-/") != "" {
		return octets
	}
	return s
}

// base64Head decodes the first bytes of a run, "" where it is none.
func base64Head(run string) string {
	const letters = mediaSample / 3 * 4
	var in [letters]byte
	n := 0
	for i := 0; i < len(run) && n < letters; i++ {
		switch b := run[i]; {
		case b == '-':
			in[n] = '+'
		case b == '_':
			in[n] = '/'
		case base64Value[b] >= 0:
			in[n] = b
		case b == '\n' || b == '\r':
			continue
		default:
			i = len(run)
			continue
		}
		n++
	}
	var out [mediaSample]byte
	k, err := base64.RawStdEncoding.Decode(out[:], in[:n&^3])
	if err != nil {
		return ""
	}
	return string(out[:k])
}

// isText reports whether a run of base64 is that of a text, whatever its data URI claims: its beginning, its middle and
// its end are looked at, so that a file with a line of text in front is none.
func isText(run string) bool {
	head := base64Head(run)
	if head == "" || !plainText(head) || sniff(head) != "" {
		return false
	}
	if strings.IndexByte(run[:min(len(run), 128)], '\n') >= 0 {
		return true // lines: groups of letters do not stand at multiples of four
	}
	return plainText(strings.ToValidUTF8(base64Head(run[len(run)/2&^3:]), ""))
}

// base64End returns where the run of base64 ends that begins at text[i], and the bytes it stands for.
func base64End(text string, i int) (end, size int) {
	breaks, k := 0, i
	for k < len(text) {
		for k+8 <= len(text) {
			s := text[k : k+8]
			if base64Value[s[0]]|base64Value[s[1]]|base64Value[s[2]]|base64Value[s[3]]|
				base64Value[s[4]]|base64Value[s[5]]|base64Value[s[6]]|base64Value[s[7]] < 0 {
				break
			}
			k += 8
		}
		for k < len(text) && base64Value[text[k]] >= 0 {
			k++
		}
		// Lines of base64 may be broken.
		n := breakLen(text, k)
		if n == 0 || k-i < 40 || k+n+4 > len(text) || base64Value[text[k+n]]|base64Value[text[k+n+1]]|base64Value[text[k+n+2]]|base64Value[text[k+n+3]] < 0 {
			break
		}
		breaks += n
		k += n
	}
	size = (k - i - breaks) * 6 / 8
	for pad := 0; pad < 2 && k < len(text) && text[k] == '='; pad++ {
		k++
	}
	return k, size
}

// around scans what stands between media.
func (s *Scanner) around(c *scan, dst []Match, key Key, text string, media []Media) []Match {
	from := 0
	for i := 0; i <= len(media); i++ {
		to := len(text)
		if i < len(media) {
			to = media[i].Start
		}
		first := len(dst)
		dst = s.scan(c, dst, key, text[from:to])
		for k := first; k < len(dst); k++ {
			dst[k].Start += from
			dst[k].End += from
		}
		if i < len(media) {
			from = media[i].End
		}
	}
	return dst
}

// textual reads base64 of a text that is longer, or in other scripts, than the runs met in passing.
func (c *scan) textual(i int) {
	end, _ := base64End(c.text, i)
	if end-i < minMedia || end-i > maxTextual || !isText(c.text[i:end]) {
		return
	}
	d := &c.dec
	d.reset()
	var acc, bits uint32
	for k := i; k < end; k++ {
		v := base64Value[c.text[k]]
		if v < 0 {
			continue
		}
		acc = acc<<6 | uint32(v)
		if bits += 6; bits >= 8 {
			bits -= 8
			d.put(byte(acc>>bits), k-int(bits+7)/6)
		}
	}
	c.plain(nil, false, end, nil)
}

// maxTextual bounds a text in base64 that is read as a document, as it stands in the text.
const maxTextual = 4 << 20

// documents reads texts in data URIs, and a text that is all base64.
func (c *scan) documents() {
	if len(c.text) < minMedia {
		return
	}
	const mark = ";base64,"
	if base64Value[c.text[0]] >= 0 && strings.IndexByte(c.text[:minMedia], ' ') < 0 {
		c.textual(0)
	}
	for at := 0; ; {
		i := strings.Index(c.text[at:], mark)
		if i < 0 {
			return
		}
		at += i + len(mark)
		c.textual(at)
	}
}
