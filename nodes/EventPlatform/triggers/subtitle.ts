import { eventTypeOf, eventTypeTable } from '../core/events/eventTypes';
import { chosenFromList } from '../fields/subtitles';

const namesByEventType = Object.fromEntries(
	Object.keys(eventTypeTable).map((eventType) => [eventType, eventTypeOf(eventType).name]),
);
const chosenEvents = `[].concat($parameter.events || []).map((eventType) => (${JSON.stringify(namesByEventType)})[eventType] || eventType).join(', ')`;
/** The filters stand among the options of one trigger, and beside them in the other. */
const filters = ['sessionId', 'eventId'].flatMap((name) => [name, `options?.${name}`]);

/** The names of the chosen event types below a trigger on the canvas, and the session or event that limits it. n8n evaluates it. */
export const chosenEventsSubtitle = `={{ [${chosenEvents}, ${chosenFromList(...filters)}].filter(Boolean).join(": ") }}`;
