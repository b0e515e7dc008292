/** The form for a credential. */
export class CredentialForm {
	/** @param {import('./editor.mjs').Editor} editor */
	constructor(editor) {
		this.editor = editor;
		this.dialog = editor.find('credential-edit-dialog');
		this.saveButton = editor.find('credential-save-button').getByRole('button');
	}

	field(name) {
		return this.dialog.locator(`[data-test-id="parameter-input-${name}"] input`);
	}

	/** Enters values by the names of their fields. */
	async enter(values) {
		for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
		await this.editor.settle();
	}

	/**
	 * Saves, and returns the result of n8n's test.
	 * @param {string} [label] expected label of the button
	 */
	async saveAndTest(label) {
		const tested = this.editor.page.waitForResponse((response) =>
			new URL(response.url()).pathname.endsWith('/credentials/test'),
		);
		await this.editor.click(this.saveButton.filter({ hasText: label }));
		const { data } = await (await tested).json();
		return data;
	}

	/** Opens the details of a failed test, unless they are already visible. */
	async showDetails(message) {
		const details = this.dialog.getByText('More details');
		await details.or(this.dialog.getByText(message)).first().waitFor();
		if (await details.isVisible()) await this.editor.click(details);
		await this.dialog.getByText(message).waitFor();
	}
}
