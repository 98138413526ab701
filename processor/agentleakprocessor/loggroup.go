package agentleakprocessor

import (
	"go.opentelemetry.io/collector/pdata/plog"
)

// A logGroup is the records of one trace or session under one policy in a batch, in their order, or those of none.
type logGroup struct {
	partID
	records []logPlace
}

// A logPlace is where a record stands.
type logPlace struct {
	rl plog.ResourceLogs
	sl plog.ScopeLogs
	lr plog.LogRecord
	// new says that the resource or the scope is not that of the group's record before.
	newResource, newScope bool
}

// groupLogs lists the groups by their first record.
func groupLogs(ld plog.Logs, of resourcePolicies) []*logGroup {
	type last struct{ i, j int }
	var groups []*logGroup
	byID := map[partID]*logGroup{}
	at := map[*logGroup]last{}
	for i, rl := range ld.ResourceLogs().All() {
		for j, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				id := partID{runOf(lr), of.at(i)}
				g := byID[id]
				if g == nil {
					g = &logGroup{partID: id}
					byID[id] = g
					at[g] = last{-1, -1}
					groups = append(groups, g)
				}
				was := at[g]
				g.records = append(g.records, logPlace{
					rl: rl, sl: sl, lr: lr, newResource: was.i != i, newScope: was.i != i || was.j != j,
				})
				at[g] = last{i, j}
			}
		}
	}
	return groups
}

// eachLog lists every record as a group of its own.
func eachLog(ld plog.Logs) []*logGroup {
	var groups []*logGroup
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				groups = append(groups, &logGroup{records: []logPlace{{rl: rl, sl: sl, lr: lr, newResource: true, newScope: true}}})
			}
		}
	}
	return groups
}

// take moves the records of the group to a batch of their own, with copies of what stands above them.
func (g *logGroup) take() plog.Logs {
	ld := plog.NewLogs()
	var rl plog.ResourceLogs
	var sl plog.ScopeLogs
	for _, r := range g.records {
		if r.newResource {
			rl = ld.ResourceLogs().AppendEmpty()
			r.rl.Resource().CopyTo(rl.Resource())
			rl.SetSchemaUrl(r.rl.SchemaUrl())
		}
		if r.newScope {
			sl = rl.ScopeLogs().AppendEmpty()
			r.sl.Scope().CopyTo(sl.Scope())
			sl.SetSchemaUrl(r.sl.SchemaUrl())
		}
		r.lr.MoveTo(sl.LogRecords().AppendEmpty())
	}
	return ld
}

// giveBack puts the records of ld where they were, and the resources and scopes as they became: what was removed for
// one trace stays removed.
func (g *logGroup) giveBack(ld plog.Logs) {
	i, j, k := -1, -1, -1
	for _, r := range g.records {
		k++
		if r.newScope {
			j, k = j+1, 0
		}
		if r.newResource {
			i, j = i+1, 0
		}
		rl := ld.ResourceLogs().At(i)
		sl := rl.ScopeLogs().At(j)
		if r.newResource {
			rl.Resource().MoveTo(r.rl.Resource())
			r.rl.SetSchemaUrl(rl.SchemaUrl())
		}
		if r.newScope {
			sl.Scope().MoveTo(r.sl.Scope())
			r.sl.SetSchemaUrl(sl.SchemaUrl())
		}
		sl.LogRecords().At(k).MoveTo(r.lr)
	}
}
