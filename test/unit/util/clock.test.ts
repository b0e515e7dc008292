import { systemClock } from '../../../nodes/ContactTaskCrm/util/clock';

describe('a wait', () => {
	it('A sleep ends as soon as its signal aborts, and leaves no timer', async () => {
		jest.useFakeTimers();
		const wait = new AbortController();
		const over = systemClock.sleep(300_000, wait.signal);
		expect(jest.getTimerCount()).toBe(1);
		wait.abort();
		await expect(over).resolves.toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
		jest.useRealTimers();
	});

	it('A sleep of the clock ends immediately if its signal has already aborted', async () => {
		await expect(systemClock.sleep(300_000, AbortSignal.abort())).resolves.toBeUndefined();
	});

	it.each(['2.41', '1.120'])(
		'With the sleep functions of n8n %s, a signal ends a sleep immediately',
		async (version) => {
			await jest.isolateModulesAsync(async () => {
				const hung = async (_: number, signal?: AbortSignal) =>
					await new Promise<void>((_resolve, reject) =>
						signal?.addEventListener('abort', () => reject(new Error('aborted'))),
					);
				const plain = async () => await new Promise<void>(() => {});
				jest.doMock('n8n-workflow', () =>
					version === '2.41' ? { sleep: hung } : { sleep: plain, sleepWithAbort: hung },
				);
				const { systemClock: clock } = await import('../../../nodes/ContactTaskCrm/util/clock');
				const wait = new AbortController();
				const over = clock.sleep(60_000, wait.signal);
				wait.abort();
				await expect(over).resolves.toBeUndefined();
				jest.dontMock('n8n-workflow');
			});
		},
	);
});
