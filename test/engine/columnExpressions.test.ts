import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { Engine } from '../support/n8n/engine';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { sandboxForTests } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { bulkRegister, numberedPeople } from '../support/runs/bulkScene';

const options = { validateOnly: true, includeDetails: true };

test('a list costs n8n no expression for each row where the node only reads columns', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000 });
	const expressionsOf = async (count: number) => {
		const engine = new Engine({
			node: new EventPlatform(),
			credential: tokenCredential(sandbox),
			parameters: {
				resource: 'registration',
				operation: 'bulkRegister',
				sessionId: byId(upcomingSession),
				options,
				fields: {
					mappingMode: 'defineBelow',
					value: { email: '={{ $json.email }}', first_name: "={{ $json['first_name'] }}" },
				},
			},
		});
		const evaluated = jest.spyOn(engine.workflow.expression, 'resolveSimpleParameterValue');
		const { items } = await engine.run(numberedPeople(count));
		expect(items).toHaveLength(count);
		expect(items[0]?.json).toMatchObject({ email: 'p0@example.com', name: 'p 0' });
		return evaluated.mock.calls.filter(([value]) => String(value).startsWith('=')).length;
	};
	expect(await expressionsOf(200)).toBe(await expressionsOf(2));
});

const texts = ['Ada', '', ' =1+1', '={{ 1 }}', 'null', '2026-01-01T00:00:00Z'];
const others: IDataObject[string][] = [7, 0, true, false, null, { a: 1 }, ['a', 'b'], [], {}];
const rows = [...texts, ...others].map((cell) => JSON.stringify(cell));

const names = ['cell', 'two words', 'Öl', 'constructor', '__proto__', 'toString', 'a.b', '$x'];

test.each(names)('the column "%s" is read as n8n reads it, whatever stands in it', async (name) => {
	const sandbox = await sandboxForTests({ rate: 1_000 });
	const row = (index: number, cell = '') =>
		JSON.parse(`{ "email": "p${index}@example.com" ${cell} }`) as IDataObject;
	const withCell = rows.map((cell, index) => row(index, `, ${JSON.stringify(name)}: ${cell}`));
	const items = [row(rows.length), ...withCell];
	const quoted = JSON.stringify(name);
	const read = async (expression: string) => {
		const value = { email: '={{ $json.email }}', last_name: expression };
		const fields = { mappingMode: 'defineBelow', value };
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await bulkRegister(sandbox, items, { parameters: { options, fields }, settings });
		return [run.records, run.error?.message];
	};
	const asked = await read(`={{ ($json[${quoted}]) }}`);
	expect(await read(`={{ $json[${quoted}] }}`)).toEqual(asked);
	if (/^[\w$]+$/.test(name))
		expect(await read(`={{$json.${name}}}`)).toEqual(await read(`={{ ($json.${name}) }}`));
});
