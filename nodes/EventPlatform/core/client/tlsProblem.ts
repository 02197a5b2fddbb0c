/** Reads from the code of a network error why an address cannot be reached by HTTPS; undefined where it says anything else. */
export function tlsProblemOf(code: string): 'noTls' | 'notTrusted' | undefined {
	if (/^(?:EPROTO$|ERR_SSL_)/.test(code)) return 'noTls';
	return /CERT|^UNABLE_TO_/.test(code) ? 'notTrusted' : undefined;
}
