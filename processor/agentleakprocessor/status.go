package agentleakprocessor

import (
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.uber.org/zap"
)

// A trouble is something that the component's status depends on. Its texts are fixed: an error of another component may
// hold what that was sent.
type trouble struct {
	err          error
	begins, ends string // for the log
}

// A status reports to the host when the first trouble begins and when the last one ends.
type status struct {
	host   component.Host
	logger *zap.Logger

	mu  sync.Mutex
	has map[string]bool
}

func newStatus(host component.Host, logger *zap.Logger) *status {
	return &status{host: host, logger: logger, has: map[string]bool{}}
}

// set says whether there is a trouble now.
func (s *status) set(t trouble, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := t.err.Error()
	if s.has[key] == is {
		return
	}
	if is {
		s.has[key] = true
		s.logger.Warn(t.begins)
		componentstatus.ReportStatus(s.host, componentstatus.NewRecoverableErrorEvent(t.err))
		return
	}
	delete(s.has, key)
	s.logger.Info(t.ends)
	if len(s.has) == 0 {
		componentstatus.ReportStatus(s.host, componentstatus.NewEvent(componentstatus.StatusOK))
	}
}
