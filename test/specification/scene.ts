import type { IDataObject } from 'n8n-workflow';
import type { SandboxOptions } from '../../sandbox/options';
import { seededId } from '../../sandbox/seed/ids';
import { connectThroughConsent } from '../support/engine';
import { byId, mapped, operate } from '../support/operate';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';

/** The session that was held, with questions, recordings and a chat. */
export const heldSession = seededId('session', 5);

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The platform of the specification and nothing more. */
export function exactPlatform(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
	return sandboxForTests(options);
}

/** The platform with all that public material adds: what the specification names, but does not specify. */
export function wholePlatform(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
	return sandboxForTests({ apiTokenScope: 'full:write', ...options });
}

/** A platform that an app of n8n can connect to, which sends the parameters for a token in a form. */
export async function connectedApp(options: Partial<SandboxOptions> = {}) {
	const sandbox = await exactPlatform({ oauthParams: 'any', ...options });
	return { sandbox, ...(await connectThroughConsent(sandbox)) };
}

/** Registers these people with Bulk Register; the columns of a person are the ids of the form. */
export function registerInBulk(
	sandbox: TestSandbox,
	people: readonly IDataObject[],
	parameters: object = {},
	scene: Parameters<typeof operate>[3] = {},
) {
	const ids = [...new Set(people.flatMap(Object.keys))];
	const value = Object.fromEntries(ids.map((id) => [id, `={{ $json.${id} }}`]));
	const given = { sessionId: byId(upcomingSession), fields: mapped(value), ...parameters };
	return operate(sandbox, 'registration.bulkRegister', given, { items: people, ...scene });
}

/** Registers one person with Register. */
export function registerOne(
	sandbox: TestSandbox,
	answers: IDataObject,
	parameters: object = {},
	scene: Parameters<typeof operate>[3] = {},
) {
	const given = { sessionId: byId(upcomingSession), fields: mapped(answers), ...parameters };
	return operate(sandbox, 'registration.register', given, scene);
}

/** What was sent with the only request for bulk registration. */
export function tasksSent(requests: Array<{ operationId: string | null; body: unknown }>) {
	type Bulk = { data: { type: string; attributes: { tasks: object[] } } };
	const bulk = requests.filter(({ operationId }) => operationId === 'registerInBulk');
	expect(bulk).toHaveLength(1);
	return (bulk[0]?.body as Bulk).data.attributes.tasks;
}
