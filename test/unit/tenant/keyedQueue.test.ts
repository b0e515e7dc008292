import { KeyedQueue } from '../../../nodes/ContactTaskCrm/tenant/keyed';
import { VirtualClock } from '../../support/virtualClock';

it('If an item waits too long for a record, it fails and says that another run is changing the record', async () => {
	const clock = new VirtualClock();
	const queue = new KeyedQueue(clock);
	const waiting = (maxWaitMs: number) => ({ what: 'the person 1f0c', maxWaitMs });
	const long = queue.run('a', async () => await clock.sleep(60_000), waiting(Infinity));
	await clock.pass(5_000);
	const impatient = queue.run('a', async () => await clock.sleep(1), waiting(3_000));
	const patient = queue.run('a', async () => await clock.sleep(1_000), waiting(Infinity));
	await expect(clock.run(impatient)).rejects.toThrow(
		'Another run is changing the person 1f0c, so that this item was not begun',
	);
	await clock.run(Promise.all([long, patient]));
	expect(clock.now()).toBe(61_000);
});
