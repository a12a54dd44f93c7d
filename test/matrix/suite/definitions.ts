/**
 * How the definitions of a cell's tools are held against the committed ones.
 * Invariant: they are compared as JSON text, key order and all; only where classes were renamed are the names
 * of `$defs` replaced first, by numbers in the order of their mention.
 */

interface Schema {
  $defs?: { [name: string]: unknown };
}

/** A tool's definition, as far as class names show in it. */
interface Definition {
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

/** Writes a definition without the names of classes. */
function withoutClassNames(definition: Definition): string {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(definition).replace(/#\/\$defs\/(\w+)/g, (_, name: string) => {
    if (!numbers.has(name)) numbers.set(name, `D${numbers.size + 1}`);
    return `#/$defs/${numbers.get(name)}`;
  });
  const renamed: Definition = JSON.parse(text);
  for (const schema of [renamed.inputSchema, renamed.outputSchema]) {
    if (schema?.$defs === undefined) continue;
    const entries = Object.entries(schema.$defs).map(([name, node]) => [numbers.get(name) ?? name, node]);
    schema.$defs = Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  }
  return JSON.stringify(renamed);
}

/** Writes a definition as text that two cells can be compared by. */
export function textOf(definition: Definition, renamed: boolean): string {
  return renamed ? withoutClassNames(definition) : JSON.stringify(definition);
}
