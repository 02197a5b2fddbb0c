export type Subject = 'job' | 'people' | 'session' | 'event';

const subjects: Readonly<Record<string, Subject>> = {
	job: 'job',
	people: 'people',
	session: 'session',
	event: 'event',
};

/** What an event of this kind is about, as far as its name says. */
export function subjectOf(kind: string): Subject | undefined {
	const [prefix = ''] = kind.split('.');
	return Object.hasOwn(subjects, prefix) ? subjects[prefix] : undefined;
}
