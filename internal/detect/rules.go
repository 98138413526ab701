package detect

// ruleSets is every built-in rule, by family. The order within a family is the
// order in which rules with one anchor are tried.
var ruleSets = [][]rule{
	vendorRules, moreVendorRules, cloudVendorRules, workVendorRules, hostVendorRules, genericRules, paymentRules, nationalRules, worldRules, europeRules, americasRules, asiaRules, contactRules, personRules, nameRules, orgRules,
	healthRules, clinicalRules, financeRules, workRules, recordRules, beliefRules,
}
