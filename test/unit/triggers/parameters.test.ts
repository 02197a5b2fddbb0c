import type { IHookFunctions } from 'n8n-workflow';
import { readEventTypes } from '../../../nodes/EventPlatform/triggers/parameters';

/** A trigger with this choice of events, and these that people typed. */
function triggerWith(events: unknown, otherEvents?: unknown): IHookFunctions {
	const parameters: Record<string, unknown> = { events, options: { otherEvents } };
	const context = {
		getNode: () => ({ name: 'Trigger' }),
		getNodeParameter: (name: string) => parameters[name],
	};
	return context as unknown as IHookFunctions;
}

test.each([
	['a', undefined, ['a']],
	['a, b;c\n d ', undefined, ['a', 'b', 'c', 'd']],
	[['a', ' b ', ''], undefined, ['a', 'b']],
	[7, undefined, ['7']],
	[['a'], ' a, b', ['a', 'b']],
])('the events in %j and %j are %j', (events, otherEvents, names) =>
	expect(readEventTypes(triggerWith(events, otherEvents))).toEqual(names),
);

test.each([undefined, '', [], ' , '])('no event is chosen in %j', (events) =>
	expect(() => readEventTypes(triggerWith(events))).toThrow('No event is chosen'),
);
