/** Why a person was not registered, in the platform's words or ours. */
export type Reason = Record<'code' | 'message', string>;

/** Puts the errors into one sentence; null where there is nothing to say. */
export function reasonOf(errors: readonly Reason[]): string | null {
	const words = [...new Set(errors.map(({ message }) => message.trim()))].filter(Boolean);
	if (words.length === 0) return null;
	const sentence = words.map((word) => word.replace(/\.$/, '')).join('; ');
	return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
