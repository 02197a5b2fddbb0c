import type { FastifyRequest } from 'fastify';
import type { Operation, Parameter } from '../contract';
import { jsonApi } from '../mediaType';
import type { SandboxOptions } from '../options';
import { Refusal } from '../refusal';

/** The query parameters that an operation takes: those of the contract, or of the specification alone. */
export function knownParameters(
	operation: Operation,
	{ strict }: Pick<SandboxOptions, 'strict'>,
): Parameter[] {
	const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
	return strict ? inQuery.filter(({ isSpecified }) => isSpecified) : inQuery;
}

/** Section 2.2: what a person may have, in a task as in a single registration. */
const members = ['fields', 'referrer', 'utm_source'];

/** Refuses a registration that has more than the specification names. The contract was checked before. */
export function requireSpecifiedBody(
	operation: Operation,
	{ headers }: FastifyRequest,
	body: unknown,
): void {
	if (operation.id === 'registerPerson') {
		const { data } = body as { data: { id?: string; attributes: Registration } };
		if (data.id !== undefined) throw unknownMember('data.id');
		requireMembers(data.attributes, 'data.attributes');
	}
	if (operation.id === 'registerInBulk') {
		if (!headers['content-type']?.startsWith(jsonApi)) {
			throw new Refusal(400, `Send the body as ${jsonApi}.`);
		}
		const { data } = body as { data: { attributes: { tasks: Registration[] } } };
		for (const [position, task] of data.attributes.tasks.entries()) {
			requireMembers(task, `data.attributes.tasks.${position}`);
		}
	}
}

interface Registration {
	fields: Array<{ id: string; value: unknown }>;
}

function requireMembers(registration: Registration, place: string): void {
	const unknown = Object.keys(registration).find((name) => !members.includes(name));
	if (unknown) throw unknownMember(`${place}.${unknown}`);
	const list = registration.fields.find(({ value }) => typeof value !== 'string');
	if (list) {
		throw new Refusal(400, `The value of the field '${list.id.slice(0, 100)}' must be a text.`);
	}
}

function unknownMember(place: string): Refusal {
	return new Refusal(400, `The body: there is no ${place.slice(0, 100)}.`);
}
