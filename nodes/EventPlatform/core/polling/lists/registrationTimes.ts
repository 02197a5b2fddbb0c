import { largestPage } from '../../client/pages';
import { pathToPeople } from '../../client/path';
import { standingOf } from '../../dialect/person';
import { registrationDates } from '../../people/registrationTime';
import type { DeliveredRecord } from '../../records/record';
import { tellsRegistrations } from './watchedLists';
import type { Round } from '../pollContext';
import { listDelivered, noneIfGone } from '../pollRequests';

/**
 * Finds out with one request whether registrations have a time, unless that is known. Where they have one, the people of a session that was
 * never read need not all be read: it is enough to ask for those who changed lately. The first registrant on a page tells it. Team members
 * and guest speakers do not, because they may never have registered.
 */
export async function withRegistrationTimes(
	round: Round,
	sessions: readonly DeliveredRecord[],
): Promise<Round> {
	const { cursor, search, limits, ask, tryToRead } = round;
	const session = sessions.find(
		({ id, attributes }) => !cursor.lists[pathToPeople(id)] && attributes.registrants_count !== 0,
	);
	const isNeeded = cursor.registrationTimes === undefined && tellsRegistrations(search);
	if (!isNeeded || session === undefined || limits.isTimeOver()) return round;
	const page = listDelivered(ask, pathToPeople(session.id), { limit: largestPage });
	const people = (await tryToRead(page.catch(noneIfGone))) ?? [];
	const registrant = people.find((person) => standingOf(person) === 'registrant');
	if (registrant === undefined) return round;
	const hasTime = registrationDates(registrant).registeredAt !== undefined;
	return { ...round, cursor: { ...cursor, registrationTimes: hasTime ? 'present' : 'missing' } };
}
