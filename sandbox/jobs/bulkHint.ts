export const mostTasks = 50; // section 8

/** Names a mistake that people make in bodies, in words that the schema does not have. */
export function bulkHint(body: unknown): string | undefined {
	const data = (body as { data?: { attributes?: { tasks?: unknown } } } | null)?.data;
	const tasks = data?.attributes?.tasks;
	if (!Array.isArray(tasks)) return undefined;
	if (tasks.length === 0) return `data.attributes.tasks is empty: send 1 to ${mostTasks} tasks.`;
	if (tasks.length > mostTasks) {
		return `data.attributes.tasks holds ${tasks.length} tasks; a request takes at most ${mostTasks}.`;
	}
	const wrapped = tasks.findIndex(
		(task: unknown) => typeof task === 'object' && task !== null && 'attributes' in task,
	);
	return wrapped < 0
		? undefined
		: `data.attributes.tasks[${wrapped}] wraps its fields in 'attributes': put 'fields' directly on the task.`;
}
