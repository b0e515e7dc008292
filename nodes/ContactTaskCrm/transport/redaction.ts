/** Takes the API key out of a text, also in the forms in which a service or a proxy may repeat it. */
export function withoutKey(text: string, apiKey: string): string {
	return formsOf(apiKey).reduce((cleared, form) => cleared.split(form).join('…'), text);
}

/** The longest first, so that no rest of a longer form is left. */
function formsOf(apiKey: string): string[] {
	const base64 = Buffer.from(apiKey, 'utf8').toString('base64').replace(/=+$/, '');
	const forms = [
		apiKey,
		...(isWellFormed(apiKey) ? [encodeURIComponent(apiKey), encodeURI(apiKey)] : []),
		base64,
		base64.replace(/\+/g, '-').replace(/\//g, '_'),
		JSON.stringify(apiKey).slice(1, -1),
	];
	const lowered = forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
	return [...new Set([...forms, ...lowered])].sort((one, other) => other.length - one.length);
}

/** Text that is no valid Unicode cannot be encoded for a URL. */
function isWellFormed(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}
