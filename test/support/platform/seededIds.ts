import { seededId } from '../../../sandbox/seed/ids';

/** The first upcoming session, empty unless people are seeded. */
export const upcomingSession = seededId('session', 1);
/** The other upcoming session of the same event. */
export const otherSession = seededId('session', 2);
/** A session that was held: with registrants, a team member, questions, and a film with its sound. */
export const heldSession = seededId('session', 5);
/** The event of the first session. */
export const seededEvent = seededId('event', 1);
/** The id of nothing on the platform. */
export const unknownId = '00000000-0000-4000-8000-000000000000';
