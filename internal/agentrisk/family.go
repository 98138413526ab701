package agentrisk

import "fmt"

// Family groups the data types under which one value is the same secret: a
// number read as an account number in one place and as a client identifier in
// another is one secret of the family of assigned numbers. The numbers are part
// of [SecretID], so new families go at the end.
type Family uint8

const (
	FamilyCustom     Family = iota // types the taxonomy does not know
	FamilyCredential               // whatever grants access
	FamilyIDNumber                 // numbers assigned to a person or account: payment, bank, national, customer, patient
	FamilyContact                  // ways to reach a person
	FamilyPerson                   // names, birth
	FamilyHealth                   // conditions, treatment, genetics
	FamilyMoney                    // amounts and scores of a person's means
	FamilyEmployment               // employer, position, conduct at work
	FamilyBelief                   // religion, opinion, orientation, origin
	FamilyNetwork                  // addresses of hosts and devices
	FamilyLegal                    // convictions and proceedings
	FamilyBehavior                 // what a person does, likes, where they are
	FamilyBusiness                 // confidential matters of an organisation
	FamilyBiometric                // features of the body
	FamilyCanary                   // planted values

	numFamilies
)

var familyNames = [numFamilies]string{
	FamilyCustom:     "custom",
	FamilyCredential: "credential",
	FamilyIDNumber:   "id_number",
	FamilyContact:    "contact",
	FamilyPerson:     "person",
	FamilyHealth:     "health",
	FamilyMoney:      "money",
	FamilyEmployment: "employment",
	FamilyBelief:     "belief",
	FamilyNetwork:    "network",
	FamilyLegal:      "legal",
	FamilyBehavior:   "behavior",
	FamilyBusiness:   "business",
	FamilyBiometric:  "biometric",
	FamilyCanary:     "canary",
}

// String returns a lower-case name such as "id_number", and "Family(n)" for a
// value that is no family.
func (f Family) String() string {
	if f < numFamilies {
		return familyNames[f]
	}
	return fmt.Sprintf("Family(%d)", uint8(f))
}
