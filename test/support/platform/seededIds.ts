import { seededId } from '../../../sandbox/seed/ids';

/** The first upcoming session, empty unless people are seeded. */
export const upcomingSession = seededId('session', 1);
/** The event of that session. */
export const seededEvent = seededId('event', 1);
/** The id of nothing on the platform. */
export const unknownId = '00000000-0000-4000-8000-000000000000';
