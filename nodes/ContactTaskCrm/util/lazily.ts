import { once } from 'lodash';

type Work<This, Args extends unknown[], Result> = (this: This, ...args: Args) => Promise<Result>;

/**
 * Returns a function that loads its code when it is first called. So n8n starts faster: it loads all nodes at the
 * start, but needs most of their code only for a run.
 *
 * @param load imports the code, and returns the function
 */
export function lazily<This, Args extends unknown[], Result>(
	load: () => Promise<Work<This, Args, Result>>,
): Work<This, Args, Result> {
	const loaded = once(load);
	return async function (...args) {
		return await (await loaded()).apply(this, args);
	};
}
