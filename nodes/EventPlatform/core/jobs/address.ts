/** Addresses that differ in letter case only reach the same person. */
export function sameAddress(email: string): string {
	return email.trim().toLowerCase();
}
