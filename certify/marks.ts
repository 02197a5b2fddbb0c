import { parseUrl } from '../nodes/EventPlatform/core/client/baseUrl';

/** The things that a run may make: an event, a session in it, people in that session, a subscription. */
export const things = ['event', 'session', 'person', 'webhook'] as const;
export type Thing = (typeof things)[number];

/** Sixteen random digits name a run, and so does its journal. */
export const runPattern = /^[0-9a-f]{16}$/;

/** A number of people so small that each has a number of one digit. */
export const mostPeople = 6;

/** Where deliveries go when nobody listens: this name leads nowhere. */
export const nowhere = 'https://certify.invalid';

export function eventMark(run: string): string {
	return `Certify ${run}, made by a test, to be deleted`;
}

export function sessionMark(run: string): string {
	return `Certify ${run}`;
}

export function personMark(run: string, mailbox: string, number: number): string {
	const [name, domain] = mailbox.toLowerCase().split('@');
	return `${name}+certify-${run}-${number}@${domain}`;
}

export function webhookMark(run: string, base: string): string {
	return `${base}/certify-${run}`;
}

/**
 * Whether this program gives such a mark to a thing of this kind in this run. Only these are ever removed, so that a
 * journal which somebody else wrote cannot name a record of the account.
 */
export function isMarkOf(run: string, kind: Thing, mark: string): boolean {
	if (kind === 'event') return mark === eventMark(run);
	if (kind === 'session') return mark === sessionMark(run);
	if (kind === 'person') {
		const number = Number(/-(\d)@/.exec(mark)?.[1]);
		const [name, domain = ''] = mark.split(/\+certify-[0-9a-f]{16}-\d@/);
		return number <= mostPeople && mark === personMark(run, `${name}@${domain}`, number);
	}
	const base = mark.slice(0, -webhookMark(run, '').length);
	return mark === webhookMark(run, base) && parseUrl(mark) !== undefined;
}
