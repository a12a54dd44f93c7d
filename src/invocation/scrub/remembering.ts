/**
 * Remembers what texts became that come again and again, as the ids of callers do.
 * Invariant: it holds a bounded number of characters, and gives what `scrub` would give.
 */

/** How many texts are remembered: an id stands in several records of a call, and in many calls. */
const MAX_TEXTS = 1_000;
/** In characters; a longer text is no id. */
const MAX_LENGTH = 256;

/** A part of a longer text keeps all of it in memory; this does not. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Makes a function that scrubs a text once, and gives what became of it from then on. */
export function remembering(scrub: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > MAX_LENGTH) return scrub(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const scrubbed = detached(scrub(text));
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(detached(text), scrubbed);
    return scrubbed;
  };
}
