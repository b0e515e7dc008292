import fc from 'fast-check';
import { withoutKey } from '../../../nodes/ContactTaskCrm/transport/redaction';

const KEY = 'k+y/with spéc=al&"chars"';
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('a text in which the service repeats the key', () => {
	it.each([
		['as it is', KEY],
		['URL-encoded', encodeURIComponent(KEY)],
		['URL-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
		['in base64', base64(KEY)],
		['in base64 for URLs', base64(KEY).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')],
		['within JSON', JSON.stringify(KEY).slice(1, -1)],
	])('loses it: %s', (_, form) => {
		const cleared = withoutKey(`The key ${form} is none, not ${form}.`, KEY);
		expect(cleared.replace(/=/g, '')).toBe('The key … is none, not ….');
	});

	it('loses any key in any of these forms', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (key, before, after) => {
				const forms = [key, encodeURIComponent(key), base64(key).replace(/=+$/, '')];
				for (const form of forms) {
					expect(withoutKey(`${before} ${form} ${after}`, key)).not.toContain(form);
				}
			}),
		);
	});

	it('loses the whole of a form that begins with the key as it is', () => {
		expect(withoutKey('The key 100% is none, nor is 100%25.', '100%')).toBe(
			'The key … is none, nor is ….',
		);
	});

	it('keeps a text without it, and survives a key that is no valid Unicode', () => {
		expect(withoutKey('Nothing of it', KEY)).toBe('Nothing of it');
		expect(withoutKey('with \ud800x in it', '\ud800x')).toBe('with … in it');
	});
});
