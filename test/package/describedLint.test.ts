import type { INodeProperties } from 'n8n-workflow';
import { faultsOf, faultText } from '../../scripts/lint/faults';
import { nodeSource } from '../../scripts/lint/source';
import { nodes } from './built';

/* Functions build what people see in the editor. n8n's lint reads literals only, and sees all of it through scripts/lint. */

test('a fault in what functions build is seen, and told once with all operations that have it', () => {
	const [action] = nodes;
	const description = structuredClone(action?.loaded.description);
	if (!description) throw new Error('There is no action node');
	// The others are left out, because to look at all of them takes a second.
	const properties = description.properties.filter((property) => maxWaitOf(property).length > 0);
	for (const wait of properties.flatMap(maxWaitOf)) wait.displayName = 'max wait';
	const source = nodeSource('Described', { ...description, properties });
	const faults = faultsOf(source, 'nodes/EventPlatform/EventPlatform.node.ts');
	// In a test the lint takes each file for a trigger, and says so as well.
	expect(faults.filter(({ names }) => names.length > 1).map(faultText)).toEqual([
		'eventPlatform › options › maxWaitSeconds (registration: bulkRegister, registration: sync, job: wait)\n' +
			"  displayName: 'max wait',\n" +
			'  Change to title case [n8n-nodes-base/node-param-display-name-miscased]\n',
	]);
});

/** The options of a parameter that are Max Wait. */
function maxWaitOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter(
		(option): option is INodeProperties => 'type' in option && option.name === 'maxWaitSeconds',
	);
}
