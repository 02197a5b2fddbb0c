import { eventTypeOf, eventTypeTable } from '../core/events/eventTypes';

const namesByEventType = Object.fromEntries(
	Object.keys(eventTypeTable).map((eventType) => [eventType, eventTypeOf(eventType).name]),
);

/** The names of the chosen event types below a trigger on the canvas. n8n evaluates it. */
export const chosenEventsSubtitle = `={{ [].concat($parameter.events || []).map((eventType) => (${JSON.stringify(namesByEventType)})[eventType] || eventType).join(', ') }}`;
