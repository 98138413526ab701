package agentrisk

import (
	"errors"
	"fmt"
)

var (
	// ErrVaultTooSmall is returned, wrapped, when more leaked than the explicit
	// vault holds, or anything at all from an empty one.
	ErrVaultTooSmall = errors.New("vault is smaller than the leak")

	// ErrVaultNegative is returned, wrapped, for a negative count or density.
	ErrVaultNegative = errors.New("vault is negative")
)

// Vault is the set of secrets in reach of a run as the operator declares it. A
// nil *Vault stands for the observed vault: all secrets seen on any channel. The
// zero value is an explicit vault that holds nothing, which any leak exceeds.
type Vault struct {
	// Levels counts the secrets of each level.
	Levels Profile

	// Density is the weighted sum itself, rho_S, for who knows only that. Unless
	// nil it is used and Levels is not, but for the check that it has no negative
	// count.
	Density *int

	// Scope says in words what the vault covers. It takes no part in the score.
	Scope string
}

// Validate returns an error wrapping [ErrVaultNegative] for a negative count or
// density. A nil vault is valid.
func (v *Vault) Validate() error {
	if v == nil {
		return nil
	}
	for i, n := range v.Levels {
		if n < 0 {
			return fmt.Errorf("%w: count of L%d is %d", ErrVaultNegative, i+1, n)
		}
	}
	if v.Density != nil && *v.Density < 0 {
		return fmt.Errorf("%w: rho_s is %d", ErrVaultNegative, *v.Density)
	}
	return nil
}

// density returns rho_S of a valid vault and the profile it was computed from,
// which is empty when the density was given raw.
func (v *Vault) density(w Weights) (int, Profile, error) {
	if v.Density == nil {
		rho, err := v.Levels.weighted(w)
		return rho, v.Levels, err
	}
	if *v.Density > maxSum {
		return 0, Profile{}, ErrRange
	}
	return *v.Density, Profile{}, nil
}
