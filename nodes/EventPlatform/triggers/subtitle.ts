import { eventTypeOf, eventTypeTable } from '../core/events/eventTypes';
import { chosenFromList } from '../fields/locators';

const namesByEventType = Object.fromEntries(
	Object.keys(eventTypeTable).map((eventType) => [eventType, eventTypeOf(eventType).name]),
);
/** JavaScript that n8n evaluates: the names of the chosen event types. */
const chosenEventsCode = `[].concat($parameter.events || []).map((eventType) => (${JSON.stringify(namesByEventType)})[eventType] || eventType).join(', ')`;
/** The webhook trigger has these among its options, the polling trigger beside them. */
const filterParameters = ['sessionId', 'eventId'].flatMap((name) => [name, `options?.${name}`]);

/** Shows the names of the chosen event types below a trigger on the canvas, and the session or event that limits it. */
export const chosenEventsSubtitle = `={{ [${chosenEventsCode}, ${chosenFromList(filterParameters)}].filter(Boolean).join(": ") }}`;
