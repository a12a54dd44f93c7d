/**
 * What secretlint's recommended rules find of the same texts.
 * Invariant: it informs, and decides nothing.
 */

/** Counts the texts in which secretlint finds something, and what a text costs. */
export async function secondOpinion(texts: readonly string[]): Promise<string> {
  const loading = performance.now();
  const { lintSource } = await import('@secretlint/core');
  const { creator } = await import('@secretlint/secretlint-rule-preset-recommend');
  const config = {
    rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, rules: [] }],
  };
  const started = performance.now();
  let found = 0;
  for (const content of texts) {
    const { messages } = await lintSource({
      source: { filePath: 'error.txt', content, ext: '.txt', contentType: 'text' },
      options: { config },
    });
    if (messages.length > 0) found += 1;
  }
  const each = (performance.now() - started) / texts.length;
  return (
    `secretlint finds ${(found / texts.length).toFixed(4)} of the texts; ` +
    `it loads in ${(started - loading).toFixed(0)} ms and takes ${each.toFixed(2)} ms a text`
  );
}
