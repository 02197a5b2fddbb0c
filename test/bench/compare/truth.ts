/** What a contender said of each person against what the platform knows. */
export interface Verdict {
	right: number;
	/** Said to be registered who is not, or not to be who is. */
	wrong: number;
	/** Nothing, or nothing certain, was said of them. */
	unknown: number;
}

interface Said {
	email: string;
	status: string;
}

const registered = ['registered', 'already_registered', 'succeeded'];

export function judge(
	emails: readonly string[],
	output: readonly unknown[],
	there: ReadonlySet<string>,
): Verdict {
	const said = new Map(output.flatMap(saidOf).map(({ email, status }) => [email, status]));
	const verdict: Verdict = { right: 0, wrong: 0, unknown: 0 };
	for (const email of emails) {
		const status = said.get(email);
		if (status === undefined || status === 'unknown') verdict.unknown++;
		else if (registered.includes(status) === there.has(email)) verdict.right++;
		else verdict.wrong++;
	}
	return verdict;
}

/** Our item and those of the loop name the address; the result of a task has it in its record, if it has one. */
function saidOf(one: unknown): Said[] {
	const { email, status, data } = one as {
		email?: string;
		status: string;
		data?: { attributes?: { email?: string } };
	};
	const address = email ?? data?.attributes?.email;
	return address === undefined ? [] : [{ email: address, status }];
}
