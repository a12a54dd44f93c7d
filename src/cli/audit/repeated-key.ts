/**
 * Finds a key that an object of a JSON text has twice.
 * Invariant: `JSON.parse` keeps the last of them in silence; whoever must read all of a text asks here too. The time
 * grows with the length alone.
 */

/** Where the string ends that begins at a quotation mark: behind its other one. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Gives the first key that stands twice in one object (RFC 8259, section 4); undefined where there is none.
 *
 * @param text that `JSON.parse` takes.
 */
export function repeatedKey(text: string): string | undefined {
  // The keys of each object that is open; undefined for a list.
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    const keys = open.at(-1);
    if (sign === '"') {
      const end = endOfString(text, at);
      if (isKey && keys !== undefined) {
        const key = String(JSON.parse(text.slice(at, end)));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKey = false;
      at = end - 1;
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : undefined);
      isKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      isKey = false;
    } else if (sign === ',') {
      isKey = keys !== undefined;
    }
  }
  return undefined;
}
