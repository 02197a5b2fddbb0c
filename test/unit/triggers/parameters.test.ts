import type { IHookFunctions } from 'n8n-workflow';
import { readEventTypes, readOptions } from '../../../nodes/EventPlatform/triggers/parameters';

/** A trigger with this choice of events, and these options. */
function triggerWith(events: unknown, options: unknown = {}): IHookFunctions {
	const parameters: Record<string, unknown> = { events, options };
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
	expect(readEventTypes(triggerWith(events, { otherEvents }))).toEqual(names),
);

test.each([undefined, '', [], ' , '])('no event is chosen in %j', (events) =>
	expect(() => readEventTypes(triggerWith(events))).toThrow('No event is chosen'),
);

test.each([['{"sessionId":"s1"}'], [[{ sessionId: 's1' }]], [7]])(
	'no option is lost where %j stands in place of all of them',
	(options) =>
		expect(() => readOptions(triggerWith(['a'], options))).toThrow("'Options' must be an object"),
);

test.each([[''], [null], [[]]])('there are no options where %j stands in their place', (options) =>
	expect(readOptions(triggerWith(['a'], options))).toEqual({}),
);
