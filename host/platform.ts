export interface Session {
	id: string;
	name: string;
}

/** The first session of the sandbox that people can still register for. */
export async function firstSession({
	baseUrl,
	apiToken,
}: {
	baseUrl: string;
	apiToken: string;
}): Promise<Session> {
	const answer = await fetch(`${baseUrl}/v1/sessions?filter[status]=upcoming`, {
		headers: { authorization: apiToken },
	});
	const { data } = (await answer.json()) as {
		data: Array<{ id: string; attributes: { name?: string } }>;
	};
	const [first] = data;
	if (!first) throw new Error('The platform has no upcoming session.');
	return { id: first.id, name: first.attributes.name ?? first.id };
}
