const prefixes = {
	event: 'e0000000',
	session: '5e550000',
	person: '9e250000',
	user: '05e20000',
	tag: '7a900000',
	question: '90e50000',
	recording: '2ec00000',
	message: 'c4a70000',
} as const;

/** Gives an id that is the same in every sandbox, so that documents and examples can name it. */
export function seededId(kind: keyof typeof prefixes, number: number): string {
	return `${prefixes[kind]}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
