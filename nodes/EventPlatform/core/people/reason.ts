export interface Reason {
	code: string;
	message: string;
}

/** Puts reasons into one sentence; undefined where there is nothing to say. */
export function reasonOf(reasons: readonly Reason[]): string | undefined {
	const messages = [...new Set(reasons.map(({ message }) => message.trim()))].filter(Boolean);
	if (messages.length === 0) return undefined;
	const parts = messages.map((message) => message.replace(/\.$/, ''));
	const sentence = parts.join('; ').replaceAll(':; ', ': ');
	return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
