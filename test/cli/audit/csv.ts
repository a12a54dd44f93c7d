/**
 * Reads the CSV of a permission report.
 * Invariant: what is not RFC 4180 with every value quoted fails the test.
 */

/** Reads comma-separated values (RFC 4180) of which every one is quoted. */
export function fromCsv(text: string): readonly (readonly string[])[] {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    expect(line).toMatch(/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/);
    return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, value = '']) =>
      value.replaceAll('""', '"'),
    );
  });
}
