const NAME = '[data-test-id="node-creator-item-name"]';
/** What no node is called. */
const NOTHING = 'qqqqzzzz';

/** The panel in which a user looks for a node to add. */
export class NodeCreator {
	/** @param {import('./editor.mjs').Editor} editor */
	constructor(editor) {
		this.editor = editor;
		this.panel = editor.find('node-creator');
		this.searchBar = editor.find('node-creator-search-bar');
	}

	async waitUntilOpen() {
		await this.searchBar.waitFor();
	}

	/** Looks for a word, and waits until nothing is left of what was looked for before. */
	async search(word) {
		await this.searchBar.fill(NOTHING);
		await this.panel.locator(NAME).first().waitFor({ state: 'hidden' });
		await this.searchBar.fill(word);
		await this.panel.locator(NAME).first().waitFor();
	}

	/** The names of what is found, best first. */
	async names() {
		return await this.panel.locator(NAME).allInnerTexts();
	}

	/** What is found under exactly this name. */
	found(name) {
		return this.panel
			.locator(NAME)
			.filter({ has: this.editor.page.getByText(name, { exact: true }) });
	}

	/** Whether what is found under a name can be seen without scrolling. */
	async isSeen(name) {
		const { y, height } = await this.found(name).first().boundingBox();
		return y + height <= this.editor.page.viewportSize().height;
	}

	/** Chooses what is found under a name. */
	async choose(name) {
		await this.editor.click(this.found(name).first());
	}
}
